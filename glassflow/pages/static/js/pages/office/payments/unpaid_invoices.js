// The unpaid invoices of a customer, to choose one for a payment.
import { html } from "../../../../vendor/ui.js";
import { api } from "../../../core/api.js";
import { t } from "../../../core/i18n.js";
import { may } from "../../../core/permissions.js";
import { useResource } from "../../../ui/use_resource.js";
import { baht } from "../requests/money.js";

/** `onChoose({invoiceNumber, open})` takes one. */
export default function UnpaidInvoices({ customer, onChoose }) {
  const read = async () => (may("customers:view") ? (await api(`/customers/${customer}/account`)).data.balance : null);
  const balance = useResource(`balance ${customer}`, () => [read]);
  const invoices = balance.value?.invoices ?? [];
  if (!invoices.length) return html`<small>${balance.value && t("payments.noUnpaid")}</small>`;
  return html`<span class="unpaid-invoices">${invoices.map((one) => html`<button key=${one.invoiceNumber} type="button" class="quiet-button"
    onClick=${() => onChoose(one)}>${one.invoiceNumber} <span class="soft">${baht(one.open)}</span></button>`)}</span>`;
}
