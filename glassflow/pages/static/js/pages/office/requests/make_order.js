// The button that makes an order of a request.
import { html } from "../../../../vendor/ui.js";
import { number, t } from "../../../core/i18n.js";
import { RETIRED } from "../../../core/pane_flow.js";
import { Lazy } from "../../../ui/lazy.js";
import { DialogButton } from "../dialog_button.js";

/**
 * Make an order of a request, which takes over panes of it: there is no button once all of them have an order.
 * `panes` and `orders` are those of the request, live.
 */
export default function MakeOrder({ request, panes, orders }) {
  if (!panes.value && !panes.error) return null; // not known yet
  const units = panes.value?.rows.filter(({ laminateRole }) => laminateRole !== "sheet") ?? [];
  const left = units.filter(({ order, currentStatus }) => !order && !RETIRED.includes(currentStatus)).length;
  if (units.length && !left && !panes.value.isCut) return null;
  const isMain = left > 0 || !orders.value?.length;
  const isRest = left > 0 && units.some(({ order }) => order);
  const label = isRest ? t("requests.orderRest", { count: number(left) }) : t("requests.makeOrder");
  return html`<${DialogButton} icon="clipboard-list" label=${label} isMain=${isMain}>
    ${() => html`<${Lazy} load=${() => import("./new_order.js")} request=${request} />`}<//>`;
}
