// The form of a new record, below a line about the draft with which it opens, if there is one.
import { html, useLayoutEffect, useState } from "../../vendor/ui.js";
import { Form, keepDraft, readDraft } from "./form.js";
import { Lazy } from "./lazy.js";

const openedDraft = () => import("./opened_draft.js");

/** `drop` is the button that drops the draft, `about(values)` words about it; the others are those of `Form`. */
export function NewForm({ drop, about, ...form }) {
  const { draft, fields } = form;
  const [opened] = useState(() => readDraft(draft));
  const [isDropped, setDropped] = useState(false);
  const dropDraft = () => {
    keepDraft(draft, null);
    setDropped(true);
  };
  useLayoutEffect(() => {
    if (isDropped) document.getElementById(`field-${fields[0].name}`)?.focus();
  }, [isDropped]);
  return html`${opened && !isDropped && html`<${Lazy} load=${openedDraft} ...${opened} fields=${fields} about=${about(opened.values)}
      drop=${drop} onDrop=${dropDraft} />`}
    <${Form} key=${isDropped} ...${form} />`;
}
