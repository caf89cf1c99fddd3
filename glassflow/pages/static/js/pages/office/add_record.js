// A new record in a dialog over the field that is to name it.
import { html, render, useEffect, useLayoutEffect, useState } from "../../../vendor/ui.js";
import { styled, untilLoaded } from "../../core/api.js";
import { t } from "../../core/i18n.js";
import { Dialog } from "../../ui/dialog.js";
import { Form } from "../../ui/form.js";
import { newRecordOf } from "../../ui/new_records.js";

/**
 * The form of a new record of the list `resource`, with its `name` filled in. `onSaved(record)`
 * gets what was created, `onClose()` is called where nothing was.
 */
export default function AddRecord({ resource, name, onSaved, onClose }) {
  const [form, setForm] = useState(null);
  useEffect(() => {
    let current = true;
    untilLoaded(
      () => newRecordOf(resource).form().then(styled),
      () => current,
    ).then((module) => current && setForm(module));
    return () => (current = false);
  }, []);
  if (!form) return null;
  const { fields, initial, check, toBody } = form;
  const path = `/${resource}`;
  return html`<${Outside}><${Dialog} title=${t(`add.${resource}`)} className="with-form" onClose=${onClose}>
    <${Form} fields=${withFocus(fields({}))} path=${path} prefix=${`add-${resource}`} draft=${`${path} added as ${name}`}
      initial=${{ ...initial, name }} check=${check} toBody=${toBody} onSaved=${onSaved} /><//><//>`;
}

/** The fields, the first of which gets the focus as the dialog opens. */
const withFocus = ([first, ...rest]) => [{ ...first, attributes: { ...first.attributes, autofocus: true } }, ...rest];

/**
 * Draws its children at the end of the page. Within a list that closes they would be gone, and
 * within a form theirs would submit that one too.
 */
function Outside({ children }) {
  const [place] = useState(() => Object.assign(document.createElement("div"), { className: "outside" }));
  useLayoutEffect(() => {
    document.querySelector(".office").append(place);
    return () => {
      render(null, place);
      place.remove();
    };
  }, []);
  useLayoutEffect(() => render(children, place));
  return null;
}
