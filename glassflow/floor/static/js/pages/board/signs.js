// What the board says beside its figures: closed stations, faults, urgent messages.
import { html, useEffect } from "../../../vendor/ui.js";
import { hourMinute, t } from "../../core/i18n/index.js";
import { explain, Fault } from "../../ui/fault.js";
import { Icon } from "../../ui/parts.js";
import { board, fault } from "./source.js";

const URGENT_MS = 15_000;

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
  return error && html`<${Fault} text=${explain(error)} requestId=${error.requestId}
    action=${t("fault.again")} onAgain=${() => location.reload()} />`;
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
