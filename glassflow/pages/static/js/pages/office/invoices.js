// What billing, payments and customers share of invoices: their pages, amounts, and what a customer owes on them.
import { html } from "../../../vendor/ui.js";
import { api } from "../../core/api.js";
import { t } from "../../core/i18n.js";
import { may } from "../../core/permissions.js";
import { idOf } from "../../core/records.js";
import { money } from "../../ui/money.js";
import { useResource } from "../../ui/use_resource.js";
import { OFFICE } from "./layout.js";

/** The balance of the account of a customer (an id); null for who may not see customers. */
export const readBalance = async (customer) =>
  may("customers:view") ? (await api(`/customers/${customer}/account`)).data.balance : null;

/** That balance, live. */
export function useBalance(customer) {
  const changed = (value, { data }) => (idOf(data.customer) === customer ? undefined : value);
  return useResource(`balance ${customer}`, () => [
    () => readBalance(customer),
    { "payment:updated": changed, "billing:updated": changed },
  ]);
}

/** The list with the entries of an invoice. */
export const invoiceHref = (invoiceNumber) =>
  `${OFFICE}/billing?${new URLSearchParams({ show: "all", invoiceNumber })}`;

/** The column of an amount in baht: a card of a phone, which has no heads, names it. */
export const amountColumn = (name) => ({
  name,
  title: t(`field.${name}`),
  cell: (row) => html`<span data-title=${t(`field.${name}`)}>${money(row[name])}</span>`,
});
