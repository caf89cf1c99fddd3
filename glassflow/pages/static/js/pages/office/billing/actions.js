// Entries get the invoice that the accounting program has made for them, and are taken off it.
import { html, useState } from "../../../../vendor/ui.js";
import { api, Refused } from "../../../core/api.js";
import { date, number, t } from "../../../core/i18n.js";
import { may } from "../../../core/permissions.js";
import { RetryKey } from "../../../core/retry_key.js";
import { Lazy } from "../../../ui/lazy.js";
import { money } from "../../../ui/money.js";
import { ActionButton, DialogButton } from "../dialog_button.js";
import { BillingStatus, Unpriced } from "./parts.js";
import { sumOf } from "./sums.js";

/** What can be done with one entry. */
export default function Actions({ entry, onDone }) {
  if (entry.status === "void") return null;
  if (entry.status === "billed")
    return html`<div class="form-buttons">${!entry.creditOf && html`<${Credit} entry=${entry} />`}<${Unbill} entries=${[entry]} onDone=${onDone} /></div>`;
  return html`<div class="form-buttons"><${Bill} entries=${[entry]} isMain onDone=${onDone} />
    ${!entry.delivery && html`<${TakeBack} entry=${entry} onDone=${onDone} />`}</div>`;
}

const creditForm = () => import("./credit_dialog.js");

/** A button that opens the form of a credit. */
const Credit = ({
  entry,
}) => html`<${DialogButton} icon="minus" label=${t("billing.credit")} title=${t("billing.creditAsk", { number: entry.entryNumber })}>
  ${(close) => html`<${Lazy} load=${creditForm} entry=${entry} onDone=${close} />`}<//>`;

const billKey = new RetryKey();
const unbillKey = new RetryKey();
const voidKey = new RetryKey();

/** A button that asks before it takes back what is charged without a delivery. */
function TakeBack({ entry, onDone }) {
  const send = async (_, { _id }) => {
    await voidKey.post(`/billing-entries/${_id}/void`);
    onDone();
  };
  const said = { count: number(entry.paneCount), amount: money(entry.creditOf ? -entry.net : entry.net) };
  const ofPanes = entry.paneCount ? "billing.takeBackHint" : "billing.takeAmountBackHint"; // or the price of no pane
  const hint = t(entry.creditOf ? "billing.takeCreditBackHint" : ofPanes, said);
  return html`<${ActionButton} icon="undo-2" label=${t(entry.creditOf ? "billing.takeCreditBack" : "billing.takeBack")} title=${t("billing.takeBackAsk", { number: entry.entryNumber })} isDanger
    record=${entry} records=${entry.paneCount} send=${send} hint=${hint} />`;
}

/**
 * A button that asks for the number of the invoice of `entries`, which are of one customer;
 * `left` are selected ones that are not open. `onDone()` is called once they are billed.
 */
export function Bill({ entries, left = [], isMain, onDone }) {
  const invoice = {
    name: "invoiceNumber",
    label: t("field.invoiceNumber"),
    hint: t("billing.invoiceHint"),
    required: true,
    attributes: { maxlength: 100, autofocus: true },
  };
  const send = async ({ invoiceNumber }, seen) => {
    const ids = seen.map(({ _id }) => _id);
    try {
      await billKey.post("/billing-entries/bill", { ids, invoiceNumber }, { records: ids.length });
    } catch (error) {
      throw await withOwner(error, invoiceNumber);
    }
    onDone();
  };
  return html`<${ActionButton} icon="receipt-text" label=${t("billing.bill")} isMain=${isMain} record=${entries} records=${entries.length}
    fields=${[invoice]} send=${send} hint=${t("billing.billHint", { count: number(entries.length) })}
    about=${html`<${Chosen} entries=${entries} left=${left} />`} />`;
}

/** A refusal that names the customer who has the invoice, beside the field of its number. */
async function withOwner(error, invoice) {
  if (!(error instanceof Refused) || error.code !== "INVOICE_OF_OTHER_CUSTOMER") return error;
  const { customer, entries } = error.errors;
  const read = async () => (await api(`/customers/${customer}`)).data.name;
  const name = may("customers:view") && (await read().catch(() => ""));
  const message = name ? t("billing.invoiceOfOther", { invoice, name, entries: entries.join(", ") }) : error.message;
  return Object.assign(error, { faults: [{ field: "invoiceNumber", message }] });
}

/** A button that asks before it takes `entries` off their invoices. */
export function Unbill({ entries, onDone }) {
  const invoices = [...new Set(entries.map(({ invoiceNumber }) => invoiceNumber))].join(", ");
  const send = async (_, seen) => {
    const ids = seen.map(({ _id }) => _id);
    await unbillKey.post("/billing-entries/unbill", { ids }, { records: ids.length });
    onDone();
  };
  return html`<${ActionButton} icon="undo-2" label=${t("billing.unbill")} title=${t("billing.unbillAsk", { invoices })} isDanger record=${entries}
    records=${entries.length} send=${send} hint=${t("billing.unbillHint", { count: number(entries.length) })}
    about=${html`<${Chosen} entries=${entries} left=${[]} />`} />`;
}

/** The entries as the dialog opens, and their sums; and those that are left out. */
function Chosen(given) {
  const [{ entries, left }] = useState(given);
  const sums = sumOf(entries);
  const unpriced = entries.reduce((sum, { unpricedPanes }) => sum + unpricedPanes, 0);
  return html`<ul class="batch-rows billed-rows" tabindex="0">${entries.map((one) => html`<li key=${one._id}><strong>${one.entryNumber}</strong>
      <span>${[one.delivery?.deliveryNumber ?? one.reason, date(new Date(one.deliveredAt))].filter(Boolean).join(" · ")}</span>
      <span class="amount">${money(one.net)}</span></li>`)}</ul>
    <dl class="billed-sums">${Object.entries(sums).map(([name, amount]) => html`<div key=${name}><dt>${t(`field.${name}`)}</dt>
      <dd>${money(amount)}</dd></div>`)}</dl>
    ${unpriced > 0 && html`<p><${Unpriced} count=${unpriced} /></p>`}
    ${left.length > 0 && html`<div><h3>${t("batch.leftOut", { count: number(left.length) })}</h3>
      <ul class="batch-rows" tabindex="0">${left.map((one) => html`<li key=${one._id}><strong>${one.entryNumber}</strong>
        <${BillingStatus} status=${one.status} /> <span>${one.invoiceNumber}</span></li>`)}</ul></div>`}`;
}
