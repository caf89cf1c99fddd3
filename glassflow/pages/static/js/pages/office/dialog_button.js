// Buttons that open a dialog: with a form, or to ask before something is done.
import { html, useLayoutEffect, useRef, useState } from "../../../vendor/ui.js";
import { Refused } from "../../core/api.js";
import { t } from "../../core/i18n.js";
import { Dialog } from "../../ui/dialog.js";
import { explain } from "../../ui/fault.js";
import { Field } from "../../ui/field.js";
import { faultsByField } from "../../ui/form_values.js";
import { Icon } from "../../ui/parts.js";
import { Working } from "../../ui/working.js";

/** A button and its dialog; `children(close)` is what the dialog shows. `isIcon`: without its words. */
export function DialogButton({ icon, label, title = label, isMain, isIcon, onOpen, children }) {
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  const kind = isIcon ? "icon-button" : isMain ? "main-button" : "quiet-button";
  return html`<button type="button" class=${kind} aria-label=${isIcon ? label : undefined} title=${isIcon ? label : undefined}
      onClick=${() => [setOpen(true), onOpen?.()]}><${Icon} name=${icon} />${!isIcon && label}</button>
    ${open && html`<${Dialog} title=${title} className="with-form" onClose=${close}>${children(close)}<//>`}`;
}

/**
 * A button that says what it will do (`hint`, and `about` below it) before `send(values, record)`
 * does it; `fields` are asked for, as `Field` draws them. `send` gets `record` as it was when the
 * dialog opened: what was read is what is changed. `initial` are the values of the fields then. A refusal is shown in the dialog, which stays
 * open; `placeOf(field)` names the place of a fault in none of the fields. `records` is how many panes are changed; `done` is said beside the button afterwards.
 */
export function ActionButton({
  icon,
  label,
  title,
  hint,
  about,
  record,
  records,
  fields = [],
  initial = {},
  isMain,
  isIcon,
  isDanger,
  done,
  placeOf,
  send,
}) {
  const [isDone, setDone] = useState(false);
  return html`<${DialogButton} icon=${icon} label=${label} title=${title} isMain=${isMain} isIcon=${isIcon} onOpen=${() => setDone(false)}>
    ${(close) => html`<${Ask} icon=${icon} label=${label} hint=${hint} about=${about} record=${record} records=${records} fields=${fields} initial=${initial} isDanger=${isDanger}
      placeOf=${placeOf} send=${send} onDone=${() => [close(), setDone(true)]} />`}<//>
    ${done && html`<span role="status">${isDone && html`<span class="saved"><${Icon} name="circle-check" />${done}</span>`}</span>`}`;
}

function Ask({ icon, label, hint, about, record, records, fields, initial, isDanger, placeOf, send, onDone }) {
  const [seen] = useState(record);
  const [values, setValues] = useState(initial);
  const [{ sending, error }, setState] = useState({});
  const form = useRef();
  useLayoutEffect(() => error && form.current.querySelector("[aria-invalid=true]")?.focus(), [error]);
  const names = fields.map(({ name }) => name);
  const placed = (fault) => ({ ...fault, field: placeOf?.(fault.field) ?? fault.field });
  const faults = faultsByField((error?.faults ?? []).map(placed), names);
  const submit = async (event) => {
    event.preventDefault();
    setState({ sending: true });
    try {
      await send(values, seen);
      onDone();
    } catch (failure) {
      setState({ error: failure });
    }
  };
  return html`<form ref=${form} class="form" onSubmit=${submit} noValidate>
    <p>${hint}</p>${about}
    <${Refusal} error=${error} faults=${faults} />
    ${fields.map((field) => html`<${Field} key=${field.name} field=${field} prefix="ask" value=${values[field.name]}
      values=${values} faults=${faults[field.name]} onChange=${(value) => setValues({ ...values, [field.name]: value })} />`)}
    <div class="form-buttons"><button class=${`main-button ${isDanger ? "danger" : ""}`} disabled=${sending}>
      <${Icon} name=${sending ? "hourglass" : icon} />${label}</button>
      ${sending && html`<${Working} count=${records} />`}</div>
  </form>`;
}

/** Why something was not done; `faults` are those of `error` by their fields, beside which they are shown. */
export function Refusal({ error, faults = {} }) {
  const known = error instanceof Refused && error.status < 500;
  const said = error && (!known ? explain(error) : error.faults.length ? faults[""]?.join(" ") : error.message);
  return html`<div role="alert">${said && html`<p class="fault"><${Icon} name="circle-alert" />
      <span>${said}${error.requestId && html` <small>${t("fault.request")} <code>${error.requestId}</code></small>`}</span></p>`}</div>`;
}
