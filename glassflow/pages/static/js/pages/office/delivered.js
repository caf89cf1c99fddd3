// How many panes of orders have been delivered.
import { html } from "../../../vendor/ui.js";
import { number, t } from "../../core/i18n.js";

/** Nothing until the first pane is. */
export default function Delivered({ orders }) {
  const sum = (name) => orders.reduce((all, order) => all + order[name], 0);
  const done = sum("panesDelivered");
  if (!done) return null;
  return html`<p>${t("delivery.deliveredOf", { done: number(done), count: number(sum("paneCount")) })}</p>`;
}
