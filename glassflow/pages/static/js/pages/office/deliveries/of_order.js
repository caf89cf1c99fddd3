// The deliveries with panes of an order, on its page; live.
import { html } from "../../../../vendor/ui.js";
import { api } from "../../../core/api.js";
import { t } from "../../../core/i18n.js";
import { idOf } from "../../../core/records.js";
import { Table } from "../../../ui/table.js";
import { useResource } from "../../../ui/use_resource.js";
import { OFFICE } from "../layout.js";
import { columns } from "./list.js";

const SHOWN = ["number", "day", "panes", "driver", "state"];

export default function DeliveriesOfOrder({ order }) {
  const customer = idOf(order.customer);
  const list = useResource(`deliveries of ${order._id}`, () => [
    async () => (await api(`/deliveries?order=${order._id}&limit=100&sort=-plannedFor&populate=driver`)).data,
    { "delivery:updated": (rows, { data }) => (idOf(data.customer) === customer ? undefined : rows) },
  ]);
  if (!list.value?.length) return null;
  const shown = columns().filter(({ name }) => SHOWN.includes(name));
  return html`<section class="card" aria-labelledby="order-deliveries"><h2 id="order-deliveries">${t("office.deliveries")}</h2>
    <${Table} name="order-deliveries" label=${t("office.deliveries")} columns=${shown} rows=${list.value}
      href=${({ _id }) => `${OFFICE}/deliveries/${_id}`} /></section>`;
}
