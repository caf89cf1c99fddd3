// What the service says that a request would do, asked while it is typed.
import { html, useEffect, useState } from "../../vendor/ui.js";
import { api, Refused } from "../core/api.js";
import { explain } from "./fault.js";
import { Icon } from "./parts.js";

const ASK_AFTER_MS = 250;

/**
 * The answer of the API to a POST of `body`, null while a part of it is missing; asked again
 * whenever the body changes, and when `version` does. {data, warnings, error, asking}.
 */
export function usePreview(path, body, version) {
  const asked = body && JSON.stringify(body);
  const [state, setState] = useState({});
  useEffect(() => {
    if (!asked) return void setState({});
    let current = true;
    setState((before) => ({ ...before, asking: true }));
    const timer = setTimeout(async () => {
      const answer = await api(path, { method: "POST", body: JSON.parse(asked) }).then(
        ({ data, warnings = [] }) => ({ data, warnings }),
        (error) => ({ error }),
      );
      if (current) setState(answer);
    }, ASK_AFTER_MS);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [path, asked, version]);
  return state;
}

/** What `usePreview` returned, as a note: `draw(data)` says what will happen, else why not. */
export function Preview({ of: { data, error, asking }, label, draw }) {
  const refused = error instanceof Refused && error.status < 500;
  return html`<section class="preview" aria-label=${label} aria-live="polite" data-asking=${asking ? "" : undefined}
      data-refused=${error ? "" : undefined}>
    ${error ? html`<p><${Icon} name="ban" /><span>${refused ? error.message : explain(error)}</span></p>`
      : data && html`<${Icon} name="arrow-right" /><div>${draw(data)}</div>`}
  </section>`;
}
