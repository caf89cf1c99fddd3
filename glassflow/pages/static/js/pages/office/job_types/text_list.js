// A list of texts, typed with commas between them.
import { html, useEffect, useState } from "../../../../vendor/ui.js";

const parts = (text) =>
  text
    .split(",")
    .map((one) => one.trim())
    .filter(Boolean);

/** `value` is the list; `onChange(list)` is called while it is typed. */
export function TextList({ id, value, onChange, ...rest }) {
  const [typed, setTyped] = useState(value.join(", "));
  useEffect(() => {
    // the list has changed elsewhere
    if (parts(typed).join() !== value.join()) setTyped(value.join(", "));
  }, [value.join()]);
  const type = (event) => {
    setTyped(event.target.value);
    onChange(parts(event.target.value));
  };
  return html`<input id=${id} type="text" autocomplete="off" value=${typed} onInput=${type} ...${rest} />`;
}
