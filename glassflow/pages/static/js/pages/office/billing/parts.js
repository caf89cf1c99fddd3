// Parts of the pages of billing: the status of an entry, its panes, and whether it was exported.
import { html } from "../../../../vendor/ui.js";
import { date, number, t } from "../../../core/i18n.js";
import { Icon } from "../../../ui/parts.js";

const SIGNS = { open: "hourglass", billed: "circle-check", void: "ban" };

/** The status of an entry as a sign, a word and a colour. */
export const BillingStatus = ({ status }) => html`<span class="status" data-status=${status}>
  <${Icon} name=${SIGNS[status]} />${t(`billingstatus.${status}`)}</span>`;

/** How many panes were delivered, and a sign where some of them have no price. */
export const Panes = ({
  entry: { paneCount, unpricedPanes },
}) => html`<span data-title=${t("field.paneCount")}>${number(paneCount)}</span>
  ${unpricedPanes > 0 && html` <${Unpriced} count=${unpricedPanes} />`}`;

/** When an entry was exported for the accounts, and whether it changed since. */
export const Exported = ({ entry: { exported, exportState } }) =>
  exported &&
  html`<span data-title=${t("field.exportState")}>${date(new Date(exported.at))}</span> ${exportState === "changed" && html`<span class="unpriced">
    <${Icon} name="triangle-alert" />${t("exportstate.changed")}</span>`}`;

/** Says that panes without a price are charged nothing. */
export const Unpriced = ({ count }) =>
  html`<span class="unpriced"><${Icon} name="triangle-alert" />${t("billing.unpriced", { count: number(count) })}</span>`;
