// What cards and the queue show of a pane.
import { html } from "../../../vendor/ui.js";
import { serviceTime } from "../../core/api.js";
import { t } from "../../core/i18n/index.js";
import { Icon } from "../../ui/parts.js";

/** What is read with a pane. */
export const POPULATE = "order,request";

/** Whether the deadline of a pane's request has passed, now or at a moment. */
export const isLate = ({ request }, now = serviceTime()) => Date.parse(request?.deadline ?? null) < now;

/** The sign of a late pane. */
export function Late() {
  return html`<span class="late"><${Icon} name="clock" />${t("station.late")}</span>`;
}
