// How many scans this device keeps, in the header of a station: each sign opens their list.
import { html } from "../../../vendor/ui.js";
import { number, t } from "../../core/i18n.js";
import { outbox } from "../../core/outbox.js";
import { Icon } from "../../ui/parts.js";

const countOf = (others) => others.reduce((sum, one) => sum + one.waiting + one.refused, 0);

export function Signs({ desk }) {
  const { kept, refused, others } = outbox.value;
  const sign = (kind, icon, text, count) =>
    count > 0 &&
    html`<button type="button" class=${`pill ${kind}`}
    onClick=${() => desk.send({ type: "open", sheet: "kept" })}>
    <${Icon} name=${icon} />${t(text, { count: number(count) })}</button>`;
  return html`<span role="status">${sign("kept", "upload", "station.waitingToSend", kept.length)}</span>
    ${sign("refused", "triangle-alert", "station.refusedCount", refused.length)}
    ${sign("others", "users", "station.othersCount", countOf(others))}`;
}
