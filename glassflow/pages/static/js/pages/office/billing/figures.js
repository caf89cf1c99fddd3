// What is not billed yet, by month and customer; a row leads to its entries in the list below.
import { html, useState } from "../../../../vendor/ui.js";
import { api } from "../../../core/api.js";
import { month as monthOf, number, t } from "../../../core/i18n.js";
import { Icon } from "../../../ui/parts.js";
import { address } from "../../../ui/record_list.js";
import { Table } from "../../../ui/table.js";
import { Loaded, useResource } from "../../../ui/use_resource.js";
import { baht } from "../money.js";
import { amountColumn } from "../invoices.js";

const FEW = 3; // rows above a list that is to be seen, too; on a phone there are none

export function Figures() {
  const read = async () => (await api("/billing-entries/figures")).data;
  const figures = useResource("figures of billing", () => [read, { "billing:updated": () => undefined }]);
  return html`<${Loaded} of=${figures}>${() => html`<${Unbilled} ...${figures.value} />`}<//>`;
}

function Unbilled({ groups, total }) {
  const [isWhole, setWhole] = useState(false);
  if (!groups.length) return null;
  const rows = groups.map((one) => ({ ...one, _id: `${one.customer} ${one.month}` }));
  const label = t("billing.unbilled");
  return html`<section class="unbilled-figures" data-whole=${isWhole ? "" : null} aria-labelledby="unbilled"><header><h2 id="unbilled">${label}</h2>
      <button type="button" class=${`quiet-button ${rows.length > FEW ? "" : "unfold"}`} aria-expanded=${String(isWhole)} onClick=${() => setWhole(!isWhole)}>
        <${Icon} name=${isWhole ? "minus" : "chevron-down"} />${isWhole ? t("billing.fewer") : t("billing.whole", { count: number(rows.length) })}</button>
      <p><b>${baht(total.gross)}</b> <span class="soft">${t("billing.total", { net: baht(total.net), count: number(total.count) })}</span></p></header>
    <${Table} name="unbilled" label=${label} columns=${columns()} rows=${rows} few=${isWhole ? undefined : FEW} href=${listOf} />
  </section>`;
}

function columns() {
  return [
    {
      name: "customer",
      title: t("field.customer"),
      width: "2fr",
      cell: ({ customerName }) => html`<strong>${customerName ?? "–"}</strong>`,
    },
    { name: "month", title: t("billing.month"), width: "150px", cell: ({ month }) => monthOf(month) },
    {
      name: "count",
      title: t("billing.count"),
      width: "100px",
      cell: ({ count }) => t("billing.entries", { count: number(count) }),
    },
    { ...amountColumn("net"), width: "140px" },
    { ...amountColumn("vat"), width: "140px" },
    { ...amountColumn("gross"), width: "140px" },
  ];
}

/** The address of the list with the entries of a group. */
function listOf({ customer, month }) {
  const [year, ordinal] = month.split("-").map(Number);
  const last = new Date(Date.UTC(year, ordinal, 0)).toISOString().slice(0, 10);
  const others = { show: null, search: null, invoiceNumber: null, page: null };
  return address({ ...others, customer, deliveredAt_gte: `${month}-01`, deliveredAt_lte: last });
}
