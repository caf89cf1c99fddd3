// Says that an action is being carried out: on how many records, and for how long by now.
import { html, useState } from "../../vendor/ui.js";
import { duration, number, t } from "../core/i18n.js";
import { useNow } from "./connection.js";
import { Icon } from "./parts.js";

const SHOWN_AFTER_S = 1; // most actions are done by then

/** Draw it while the action runs. `kind` is what the records are: "panes" or "labels". */
export function Working({ count, kind = "panes" }) {
  const [since] = useState(Date.now);
  const age = (useNow(true) - since) / 1000;
  const values = { count: number(count ?? 0), age: duration(age) };
  return html`<p class="working" role="status" aria-busy="true">${age >= SHOWN_AFTER_S && html`
    <${Icon} name="hourglass" />${t(`working.${count > 0 ? kind : "any"}`, values)}`}</p>`;
}
