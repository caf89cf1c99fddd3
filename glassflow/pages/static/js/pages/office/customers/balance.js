// What a customer owes on invoices, and has paid in advance.
import { html } from "../../../../vendor/ui.js";
import { date, number, t } from "../../../core/i18n.js";
import { may } from "../../../core/permissions.js";
import { Icon } from "../../../ui/parts.js";
import { Table } from "../../../ui/table.js";
import { amountColumn, invoiceHref } from "../invoices.js";
import { OFFICE } from "../layout.js";
import { baht, money } from "../money.js";

/** `customer` is an id, `balance` that of the account; null where the caller may not see prices. */
export function Balance({ customer, balance }) {
  if (!balance) return null;
  const { billed, paid, open, inAdvance, invoices, unpaidInvoices } = balance;
  const facts = [
    ["open", open],
    ["billed", billed],
    ["paid", paid],
    ["inAdvance", inAdvance],
  ];
  const rows = invoices.map((one) => ({ ...one, _id: one.invoiceNumber }));
  const label = t("payments.unpaid");
  return html`<section class="card balance" aria-labelledby="balance"><h2 id="balance">${t("payments.balance")}</h2>
    <dl>${facts.map(([name, amount]) => html`<div key=${name}><dt>${t(`paymentsum.${name}`)}</dt><dd>${name === "open" ? html`<b>${baht(amount)}</b>` : money(amount)}</dd></div>`)}</dl>
    ${rows.length > 0 && html`<h3>${label}</h3><${Table} name="unpaid" label=${label} columns=${columns()} rows=${rows} href=${({ invoiceNumber }) => invoiceHref(invoiceNumber)} />
      ${unpaidInvoices > rows.length && html`<p class="soft">${t("payments.oldest", { shown: number(rows.length), count: number(unpaidInvoices) })}</p>`}`}
    <div class="form-buttons">${may("pricing:manage") && html`<a class="quiet-button" href=${`${OFFICE}/payments/new?customer=${customer}`}>
        <${Icon} name="plus" />${t("payments.record")}</a>`}
      <a class="quiet-button" href=${`${OFFICE}/payments?customer=${customer}`}><${Icon} name="list" />${t("payments.ofCustomer")}</a></div></section>`;
}

function columns() {
  return [
    {
      name: "invoice",
      title: t("field.invoiceNumber"),
      width: "2fr",
      cell: ({ invoiceNumber }) => html`<strong>${invoiceNumber}</strong>`,
    },
    {
      name: "billed",
      title: t("field.billedAt"),
      width: "130px",
      cell: ({ billedAt }) => billedAt && date(new Date(billedAt)),
    },
    { ...amountColumn("gross"), width: "150px" },
    { ...sumColumn("paid"), width: "150px" },
    { ...sumColumn("open"), width: "150px" },
  ];
}

const sumColumn = (name) => ({
  name,
  title: t(`paymentsum.${name}`),
  cell: (row) => html`<span data-title=${t(`paymentsum.${name}`)}>${money(row[name])}</span>`,
});
