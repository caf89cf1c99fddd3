// The deliveries with panes that came back and wait to be planned again.
import { html } from "../../../../vendor/ui.js";
import { dayMonth, number, t } from "../../../core/i18n.js";
import { Icon } from "../../../ui/parts.js";
import { OFFICE } from "../layout.js";

/** The newest of them, and a link to all; `deliveries` and `panes` are how many there are. */
export const CameBack = ({
  deliveries,
  panes,
  newest,
}) => html`<section class="card came-back" aria-labelledby="came-back">
    <header class="card-head"><h2 id="came-back"><${Icon} name="undo-2" />${t("dashboard.cameBackTitle")}</h2>
      <a href=${`${OFFICE}/deliveries?waiting=true`}>${t("dashboard.cameBackAll", { deliveries: number(deliveries), panes: number(panes) })}</a></header>
    <ul>${newest.map((one) => html`<li key=${one._id}><a href=${`${OFFICE}/deliveries/${one._id}`}>
      <strong>${one.deliveryNumber}</strong><span class="customer">${one.customerName}</span>
      <span class="reasons">${one.reasons.map(({ reason, count }) => `${t(`leftreason.${reason}`)} ${number(count)}`).join(" · ")}</span>
      <b>${t("dashboard.cameBackPanes", { count: number(one.panes) })}</b>
      <small class="soft">${dayMonth(new Date(one.at))}</small></a></li>`)}</ul></section>`;
