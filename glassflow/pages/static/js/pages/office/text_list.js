// A list of texts, typed with commas between them, or each on a line.
import { html, useEffect, useState } from "../../../vendor/ui.js";

/** `value` is the list; `onChange(list)` is called while it is typed. `lines`: each text has a line. */
export function TextList({ id, value, onChange, lines, ...rest }) {
  const [between, joined] = lines ? ["\n", "\n"] : [",", ", "];
  const parts = (text) =>
    text
      .split(between)
      .map((one) => one.trim())
      .filter(Boolean);
  const [typed, setTyped] = useState(value.join(joined));
  useEffect(() => {
    // the list has changed elsewhere
    if (parts(typed).join(between) !== value.join(between)) setTyped(value.join(joined));
  }, [value.join(between)]);
  const type = (event) => {
    setTyped(event.target.value);
    onChange(parts(event.target.value));
  };
  const tag = lines ? "textarea" : "input";
  return html`<${tag} id=${id} type=${lines ? undefined : "text"} rows=${lines && Math.max(3, value.length + 1)} autocomplete="off" value=${typed} onInput=${type} ...${rest} />`;
}
