// The button that takes back the last scan, while the service still does.
import { html } from "../../../vendor/ui.js";
import { t } from "../../core/i18n.js";
import { useNow } from "../../ui/connection.js";
import { Icon } from "../../ui/parts.js";

export function Undo({ desk }) {
  const { last, busy } = desk.state.value;
  const now = useNow(Boolean(last));
  const left = last ? Math.min(60, Math.ceil((last.undoableUntil - now) / 1000)) : 0;
  if (left <= 0) return null;
  return html`<button type="button" class="quiet-button undo" disabled=${busy}
    onClick=${() => desk.send({ type: "undo" })}>
    <${Icon} name="undo-2" /><span>${t("station.undo", { number: last.number })}</span>
    <span class="seconds" aria-hidden="true">${left}</span></button>`;
}
