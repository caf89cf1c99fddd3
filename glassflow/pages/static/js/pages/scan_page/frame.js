// What stands around a page that scans: how many requests this device keeps, with their list, and who
// works at a shared one.
import { html, useEffect } from "../../../vendor/ui.js";
import { number, t } from "../../core/i18n.js";
import { outbox } from "../../core/outbox.js";
import { actor, isShared } from "../../core/person.js";
import { Lazy } from "../../ui/lazy.js";
import { Icon } from "../../ui/parts.js";

const loadList = () => import("./kept_sheet.js");
const loadPerson = () => import("./person.js");

/** How many scans this device keeps: each sign opens their list, `KeptList`. */
export function Signs({ desk }) {
  const { kept, refused, others } = outbox.value;
  useEffect(() => void loadList().catch(console.warn), []); // before the network is lost
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
export const KeptList = ({ desk }) => html`<${Lazy} load=${loadList} desk=${desk} />`;

/** Shows its children to who works here, and on a shared device who that is, or the question. */
export function PersonGate({ desk, children }) {
  return html`${isShared() && html`<${Lazy} load=${loadPerson} desk=${desk} />`}${actor() && children}`;
}
