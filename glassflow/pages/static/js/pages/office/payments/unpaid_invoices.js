// The unpaid invoices of a customer, to choose one for a payment.
import { html } from "../../../../vendor/ui.js";
import { t } from "../../../core/i18n.js";
import { useBalance } from "../invoices.js";
import { baht } from "../money.js";

/** `onChoose({invoiceNumber, open})` takes one. */
export default function UnpaidInvoices({ customer, onChoose }) {
  const balance = useBalance(customer);
  const invoices = balance.value?.invoices ?? [];
  if (!invoices.length) return html`<small>${balance.value && t("payments.noUnpaid")}</small>`;
  return html`<span class="unpaid-invoices">${invoices.map((one) => html`<button key=${one.invoiceNumber} type="button" class="quiet-button"
    onClick=${() => onChoose(one)}>${one.invoiceNumber} <span class="soft">${baht(one.open)}</span></button>`)}</span>`;
}
