// Parts of the pages of payments: the status of one, and what it is for.
import { html } from "../../../../vendor/ui.js";
import { t } from "../../../core/i18n.js";
import { may } from "../../../core/permissions.js";
import { idOf } from "../../../core/records.js";
import { money } from "../../../ui/money.js";
import { Icon } from "../../../ui/parts.js";
import { invoiceHref } from "../invoices.js";
import { OFFICE, REQUESTS } from "../layout.js";
import { purposeOf } from "./purpose.js";

const SIGNS = { recorded: "circle-check", void: "ban" };

/** The status of a payment as a sign, a word and a colour. */
export const PaymentStatus = ({ status }) => html`<span class="status" data-status=${status}>
  <${Icon} name=${SIGNS[status]} />${t(`paymentstatus.${status}`)}</span>`;

/** An amount; struck through where the payment does not count. */
export const Amount = ({ payment: { amount, status } }) =>
  status === "void" ? html`<s>${money(amount)}</s>` : money(amount);

/** What a payment is for; `isPlain`: without links. */
export function Purpose({ payment, isPlain = false }) {
  const purpose = purposeOf(payment);
  const name = nameOf[purpose](payment);
  const href = hrefOf[purpose]?.(payment);
  return html`${t(`paymentfor.${purpose}`)} ${name && (href && !isPlain ? html`<a href=${href}>${name}</a>` : name)}`;
}

const nameOf = {
  account: () => "",
  invoice: ({ invoiceNumber }) => invoiceNumber,
  request: ({ request }) => request.requestNumber ?? "",
  quote: ({ quote }) => quote.quoteNumber ?? "",
};
const hrefOf = {
  invoice: ({ invoiceNumber }) => invoiceHref(invoiceNumber),
  request: ({ request }) => may("requests:view") && `${REQUESTS}/${idOf(request)}`,
  quote: ({ quote }) => `${OFFICE}/quotes/${idOf(quote)}`,
};
