// The choice of the days that figures are of: 7, 30 or 90, in the address.
import { html } from "../../../vendor/ui.js";
import { t } from "../../core/i18n.js";
import { query } from "../../core/router.js";
import { address } from "../../ui/record_list.js";

const RANGES = ["7", "30", "90"]; // days, as the service takes them
const USUAL = "30";

/** The days that the address asks for. A component that calls this follows it. */
export function daysAsked() {
  const asked = query.value.get("days");
  return RANGES.includes(asked) ? asked : USUAL;
}

/** Links to the days that can be asked for. */
export const DaysChoice = ({ days }) =>
  html`<nav class="tabs" aria-label=${t("dashboard.range")}>${RANGES.map((one) => html`
  <a key=${one} href=${address({ days: one })} aria-current=${one === days ? "page" : undefined}>${t("calls.days", { days: one })}</a>`)}</nav>`;
