// How many requests this device keeps, and their list.
import { html, useEffect } from "../../../vendor/ui.js";
import { number, t } from "../../core/i18n.js";
import { outbox } from "../../core/outbox.js";
import { Lazy } from "../../ui/lazy.js";
import { Icon } from "../../ui/parts.js";

const load = () => import("./kept_sheet.js");

/** How many scans this device keeps: each sign opens their list, `KeptList`. */
export function Signs({ desk }) {
  const { kept, refused, others } = outbox.value;
  useEffect(() => void load().catch(console.warn), []); // before the network is lost
  const sign = (kind, icon, text, count) =>
    count > 0 &&
    html`<button type="button" class=${`pill ${kind}`}
    onClick=${() => desk.send({ type: "open", sheet: "kept" })}>
    <${Icon} name=${icon} />${t(text, { count: number(count) })}</button>`;
  return html`<span role="status">${sign("kept", "upload", "station.waitingToSend", kept.length)}</span>
    ${sign("refused", "triangle-alert", "station.refusedCount", refused.length)}
    ${sign("others", "users", "station.othersCount", countOf(others))}`;
}

const countOf = (others) => others.reduce((sum, one) => sum + one.waiting + one.refused, 0);

/** The list, over the page. */
export const KeptList = ({ desk }) => html`<${Lazy} load=${load} desk=${desk} />`;
