// What a payment is for: one of an invoice, a request and a quote, or nothing yet. Without a page.
import { withoutEmpty } from "../../../ui/form_values.js";
import { idOf } from "../../../core/records.js";

export const WAYS = ["transfer", "cash", "cheque", "card", "other"];
/** The field that names what a payment is for, by its purpose. */
const FIELDS = { account: null, invoice: "invoiceNumber", request: "request", quote: "quote" };
export const PURPOSES = Object.keys(FIELDS);

export const purposeOf = (payment) => PURPOSES.find((one) => FIELDS[one] && payment[FIELDS[one]]) ?? "account";

/** What the form shows of a payment of the API. */
export const toValues = (payment) => ({ ...payment, purpose: purposeOf(payment) });

/** What the values name that the payment is for; null for the others, which the form may still have. */
function targets({ purpose, ...values }) {
  return Object.fromEntries(
    Object.entries(FIELDS)
      .filter(([, field]) => field)
      .map(([name, field]) => [field, name === purpose ? (idOf(values[field]) ?? null) : null]),
  );
}

/** The body of a new payment. */
export function newBody({ purpose, customer, ...values }) {
  return withoutEmpty({ ...values, customer: idOf(customer), ...targets({ purpose, ...values }) });
}

/** The body of a change: `values` and the `changed` ones of them; what it was for before is emptied. */
export function changeBody(values, changed) {
  const { purpose: _, customer: __, ...others } = changed;
  const isAnother = ["purpose", "invoiceNumber", "request", "quote"].some((name) => name in changed);
  return { ...others, ...(isAnother && withText(targets(values))) };
}

// a text that is none is empty
const withText = (found) => ({ ...found, invoiceNumber: found.invoiceNumber ?? "" });

/** The faults of values that the service would not find: what it is for is not named. */
export function check(values) {
  const field = FIELDS[values.purpose];
  return field && !values[field] ? [field] : [];
}
