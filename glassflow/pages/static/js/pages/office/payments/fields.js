// The fields of a payment, which its page and that of a new one share.
import { html } from "../../../../vendor/ui.js";
import { t } from "../../../core/i18n.js";
import { may } from "../../../core/permissions.js";
import { idOf } from "../../../core/records.js";
import { Reference } from "../../../ui/reference.js";
import { useBalance } from "../invoices.js";
import { baht } from "../money.js";
import { customer } from "../request_fields.js";
import { PURPOSES, WAYS } from "./purpose.js";

/** `isNew`: of a payment that there is, the customer does not change. */
export function fields(isNew) {
  const isOf = (purpose) => (values) => values.purpose === purpose;
  const numberOf = (name) => (record) => record[name] ?? record._id;
  return [
    { ...customer(), readOnly: !isNew, hint: isNew ? undefined : t("payments.customerHint") },
    { name: "paidAt", label: t("field.paidAt"), kind: "moment" },
    {
      name: "amount",
      label: t("payments.amount"),
      kind: "number",
      unit: t("requests.bahtUnit"),
      hint: t("payments.amountHint"),
      required: true,
    },
    {
      name: "way",
      label: t("field.way"),
      kind: "select",
      options: WAYS.map((value) => ({ value, label: t(`paymentway.${value}`) })),
    },
    {
      name: "purpose",
      label: t("payments.purpose"),
      kind: "select",
      options: PURPOSES.filter((one) => one !== "request" || may("requests:view")).map((value) => ({
        value,
        label: t(`paymentfor.${value}`),
      })),
      hint: t("payments.purposeHint"),
    },
    {
      name: "invoiceNumber",
      label: t("field.invoiceNumber"),
      kind: "custom",
      required: true,
      isShown: isOf("invoice"),
      draw: ({
        value,
        values,
        onChange,
        set,
        ...shared
      }) => html`<input type="text" autocomplete="off" maxlength="100" value=${value ?? ""}
          onInput=${(event) => onChange(event.target.value)} ...${shared} />
        ${values.customer && !shared.readOnly && html`<${UnpaidInvoices} key=${idOf(values.customer)} customer=${idOf(values.customer)}
          onChoose=${({ invoiceNumber, open }) => [onChange(invoiceNumber), isNew && set("amount", Number(open))]} />`}`,
    },
    ofCustomer("request", "requests", numberOf("requestNumber"), isOf("request")),
    ofCustomer("quote", "quotes", numberOf("quoteNumber"), isOf("quote")),
    { name: "note", label: t("field.note"), kind: "textarea", rows: 2, wide: true, attributes: { maxlength: 500 } },
  ];
}

/** A record of the customer that was chosen. */
const ofCustomer = (name, resource, nameOf, isShown) => ({
  name,
  label: t(`field.${name}`),
  kind: "custom",
  required: true,
  isShown,
  show: (value) => (value ? nameOf(value) : "–"),
  draw: ({
    value,
    values,
    onChange,
    set: _,
    ...shared
  }) => html`<${Reference} resource=${resource} nameOf=${nameOf} value=${value}
    query=${values.customer ? { customer: idOf(values.customer) } : {}} onChange=${onChange} shared=${shared} />`,
});

/** The unpaid invoices of a customer; `onChoose({invoiceNumber, open})` takes one. */
function UnpaidInvoices({ customer, onChoose }) {
  const balance = useBalance(customer);
  const invoices = balance.value?.invoices ?? [];
  if (!invoices.length) return html`<small>${balance.value && t("payments.noUnpaid")}</small>`;
  return html`<span class="unpaid-invoices">${invoices.map((one) => html`<button key=${one.invoiceNumber} type="button" class="quiet-button"
    onClick=${() => onChoose(one)}>${one.invoiceNumber} <span class="soft">${baht(one.open)}</span></button>`)}</span>`;
}
