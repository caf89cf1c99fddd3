// What a billing entry says: its delivery, its invoice, and the parts that it charges.
import { html } from "../../../../vendor/ui.js";
import { date, dateTime, number, t } from "../../../core/i18n.js";
import { may } from "../../../core/permissions.js";
import { idOf } from "../../../core/records.js";
import { money } from "../../../ui/money.js";
import { useResource } from "../../../ui/use_resource.js";
import { readByIds } from "../read_by_ids.js";
import { OFFICE, ORDERS, REQUESTS } from "../layout.js";
import { useBalance } from "../invoices.js";
import { ChargedPanes } from "./charged_panes.js";
import Credits from "./credits.js";
import { Exported, Panes } from "./parts.js";

export default function Details({ entry }) {
  return html`<${Facts} entry=${entry} />
    ${entry.status === "void" ? html`<p class="soft">${t("billing.void")}</p>` : html`<${Parts} entry=${entry} />`}
    ${entry.status === "billed" && !entry.creditOf && html`<${Credits} entry=${entry} />`}`;
}

function Facts({ entry }) {
  const { status, delivery, creditOf, reason, customer, deliveredAt, invoiceNumber, billedAt, billedBy } = entry;
  const link = (section, { _id }, name) => html`<a href=${`${OFFICE}/${section}/${_id}`}>${name}</a>`;
  const facts = [
    ["field.delivery", delivery?.deliveryNumber && link("deliveries", delivery, delivery.deliveryNumber)],
    ["field.creditOf", creditOf?.entryNumber && link("billing", creditOf, creditOf.entryNumber)],
    ["field.reason", reason],
    ["field.customer", customer?.name && link("customers", customer, customer.name)],
    [
      delivery ? "field.deliveredAt" : creditOf ? "billing.creditedAt" : "billing.chargedAt",
      dateTime(new Date(deliveredAt)),
    ],
    ["field.paneCount", !creditOf && html`<${Panes} entry=${entry} />`],
    ["field.invoiceNumber", invoiceNumber],
    [
      "standingstep.paid",
      status === "billed" && customer && html`<${Paid} customer=${idOf(customer)} invoiceNumber=${invoiceNumber} />`,
    ],
    ["field.billedAt", billedAt && [date(new Date(billedAt)), billedBy?.name].filter(Boolean).join(" · ")],
    ["field.exported", entry.exported && html`<${Exported} entry=${entry} />`],
  ];
  return html`<section class="card quote-facts" aria-labelledby="facts"><h2 id="facts">${t("field.details")}</h2>
    <dl class="facts">${facts.filter(([, shown]) => shown).map(([name, shown]) => html`<div key=${name}><dt>${t(name)}</dt><dd>${shown}</dd></div>`)}</dl>
  </section>`;
}

/** How much of an invoice is paid; the oldest unpaid ones are known. */
function Paid({ customer, invoiceNumber }) {
  const { value } = useBalance(customer);
  if (!value) return "–";
  const unpaid = value.invoices.find((one) => one.invoiceNumber === invoiceNumber);
  if (unpaid) return t("standing.amountOf", { done: money(unpaid.paid), all: money(unpaid.gross) });
  return value.unpaidInvoices > value.invoices.length ? "–" : t("billing.paid");
}

/** What parts are charged by: the list of the API, its key, the name of a record, and its pages. */
const OWNERS = {
  request: { resource: "requests", key: "requests:view", name: "requestNumber", page: REQUESTS },
  order: { resource: "orders", key: "orders:view", name: "orderNumber", page: ORDERS },
};
const ownerOf = (part) => Object.keys(OWNERS).find((one) => part[one]);

function Parts({ entry }) {
  const { _id, parts, adjustment, net, vatPercent, vat, gross } = entry;
  const names = useResource(`parts of ${_id} ${parts.map(({ request, order }) => request ?? order)}`, () => [
    () => readNames(parts),
  ]);
  const totals = [
    [t("field.adjustment"), adjustment],
    [t("field.net"), net],
    [t("quotestotal.vat", { percent: number(vatPercent) }), vat],
    [t("field.gross"), gross],
  ].filter(([, amount], index) => index > 0 || amount);
  return html`<section class="card" aria-labelledby="parts"><h2 id="parts">${t(entry.creditOf ? "billing.creditedParts" : "billing.parts")}</h2>
    <table class="quote-lines billing-parts">
      <thead><tr><th scope="col">${t("billing.part")}</th><th scope="col">${t("field.net")}</th></tr></thead>
      <tbody>${parts.map((part, index) => html`<tr key=${index}><th scope="row"><${Owner} part=${part} names=${names.value} /></th>
        <td data-title=${t("field.net")}>${money(part.net)}</td></tr>
        ${part.panes?.length > 0 && may("panes:view") && html`<tr class="part-panes"><td colspan="2"><${ChargedPanes} lines=${part.panes} /></td></tr>`}`)}</tbody>
      <tfoot>${totals.map(([name, amount]) => html`<tr key=${name}><th scope="row">${name}</th><td>${money(amount)}</td></tr>`)}</tfoot>
    </table></section>`;
}

function Owner({ part, names }) {
  const owner = ownerOf(part);
  if (!owner) return t("billing.noOwner");
  const { key, page } = OWNERS[owner];
  const name = names?.[part[owner]] ?? t(`field.${owner}`);
  return may(key) ? html`<a href=${`${page}/${part[owner]}`}>${name}</a>` : name;
}

/** The numbers of the requests and orders of parts by id, as far as the worker may read them. */
async function readNames(parts) {
  const found = {};
  for (const [owner, { resource, key, name }] of Object.entries(OWNERS)) {
    const ids = parts.map((part) => part[owner]).filter(Boolean);
    const rows = may(key) ? await readByIds(resource, ids, { fields: name }) : [];
    for (const row of rows) found[row._id] = row[name];
  }
  return found;
}
