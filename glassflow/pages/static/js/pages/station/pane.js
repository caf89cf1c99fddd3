// What cards and the queue show of a pane.
import { html } from "../../../vendor/ui.js";
import { serviceTime } from "../../core/api.js";
import { t } from "../../core/i18n.js";
import { OPEN } from "../../core/pane_flow.js";
import { Icon } from "../../ui/parts.js";

/** What is read with a pane. */
export const POPULATE = "order,request";

/** Whether a pane is late, now or at a moment: it is open, and its request should be done. */
export const isLate = ({ currentStatus, request }, now = serviceTime()) =>
  OPEN.includes(currentStatus) && Date.parse(request?.deadline ?? null) < now;

/** The sign of a late pane. */
export function Late() {
  return html`<span class="late"><${Icon} name="clock" />${t("station.late")}</span>`;
}
