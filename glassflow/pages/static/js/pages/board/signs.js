// What the board says beside its figures: closed stations, faults, urgent messages.
import { html, useEffect } from "../../../vendor/ui.js";
import { serviceTime } from "../../core/api.js";
import { duration, format, hourMinute, t } from "../../core/i18n.js";
import { useNow } from "../../ui/connection.js";
import { explain } from "../../ui/fault.js";
import { Icon } from "../../ui/parts.js";
import { board, fault } from "./source.js";

const URGENT_MS = 15_000;

/** The time of the service, and the day. */
export function Clock() {
  const now = serviceTime(useNow(true));
  return html`<b>${hourMinute(now)}</b>
    <span>${format(now, { weekday: "short", day: "numeric", month: "short" })}</span>`;
}

/** Why no panes come to a station. */
export function Band({ kind }) {
  return html`<p class="band"><${Icon} name="wrench" />${t(`board.${kind}`)}</p>`;
}

/** What is shown although it could not be read again: since when, and why. */
export function AsOf() {
  const error = fault.value;
  if (!board.takenAt.value || !error) return null;
  const time = hourMinute(board.takenAt.value);
  return html`<p class="as-of" role="status">${explain(error)} ${t("board.asOf", { time })}
    ${error.requestId && html` <code>${error.requestId}</code>`}</p>`;
}

/** Why there are no lanes; nothing while they are loaded. */
export function Instead() {
  const error = fault.value;
  const stations = board.stations.value;
  if (board.takenAt.value && !stations) return empty("lock", "noRight");
  if (board.takenAt.value) return empty("layout-grid", stations.length ? "noneChosen" : "noStations");
  return error && html`<${Failed} error=${error} />`;
}

/** Why the first snapshot failed, and when it is asked for again. */
function Failed({ error }) {
  const leftMs = error.retryAt - useNow(true);
  return html`<div class="message failed"><${Icon} name="circle-alert" /><h2>${t("fault.title")}</h2>
    <p role="alert">${explain(error)}</p>
    <p>${t("fault.retry", { wait: duration(Math.max(1, Math.ceil(leftMs / 1000))) })}</p>
    ${error.requestId && html`<p class="soft">${t("fault.request")} <code>${error.requestId}</code></p>`}</div>`;
}

const empty = (icon, name) => html`<div class="message"><${Icon} name=${icon} />
  <h2>${t(`board.${name}`)}</h2><p class="soft">${t(`board.${name}Hint`)}</p></div>`;

/** An urgent message, over everything else for a while. */
export function Urgent() {
  const message = board.urgent.value;
  useEffect(() => {
    if (!message) return undefined;
    const timer = setTimeout(() => (board.urgent.value = null), URGENT_MS);
    return () => clearTimeout(timer);
  }, [message]);
  return html`<div role="alert">${message && html`<div class="urgent">
    <${Icon} name="triangle-alert" /><h2>${message.title ?? t("board.urgent")}</h2>
    <p>${message.message}</p></div>`}</div>`;
}
