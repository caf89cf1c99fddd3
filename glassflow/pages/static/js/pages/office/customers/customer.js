// One customer, or a new one.
import { html } from "../../../../vendor/ui.js";
import { t } from "../../../core/i18n.js";
import { may } from "../../../core/permissions.js";
import { Lazy } from "../../../ui/lazy.js";
import { Icon } from "../../../ui/parts.js";
import { ORDERS } from "../layout.js";
import { RecordPage } from "../record.js";
import { nameField } from "../same_name.js";
import { taxFields } from "../tax_fields.js";
import { DeliveryAddresses, textOf } from "./delivery_addresses.js";

export const title = "customers.one";
export const styles = ["ui/grid", "pages/office/sales/sales", "pages/office/payments/payments"];

const account = () => import("./account.js");

export default function Customer({ id = "new" }) {
  return html`<${RecordPage} section="customers" resource="customers" id=${id}
    manage="customers:manage" newTitle=${t("customers.new")} nameOf=${({ name }) => name} fields=${id === "new" ? fields({}) : fields} another=${() => ({})}
    below=${(customer) => html`<p><a class="quiet-button" href=${`${ORDERS}?due=all&customer=${customer._id}`}>
      <${Icon} name="clipboard-list" />${t("customers.orders")}</a></p>
      <${Lazy} load=${account} customer=${customer} />`} />`;
}

/** The fields of a customer; of a new one, of {}. */
export function fields({ name = "" }) {
  return [
    nameField({
      resource: "customers",
      section: "customers",
      about: "phone",
      stored: name,
      label: t("field.name"),
      wide: true,
    }),
    { name: "contact", label: t("field.contact") },
    { name: "phone", label: t("field.phone"), attributes: { type: "tel" } },
    { name: "email", label: t("field.email"), attributes: { type: "email" } },
    { name: "discount", label: t("field.discount"), kind: "number", min: 0, max: 100, unit: "%" },
    { name: "paysCash", label: t("field.paysCash"), kind: "checkbox", hint: t("customers.paysCashHint") },
    ...(may("pricing:view")
      ? [{ name: "priceList", label: t("field.priceList"), kind: "reference", resource: "price-lists" }]
      : []),
    ...taxFields(),
    { name: "country", label: t("field.country"), hint: t("customers.countryHint") },
    {
      name: "address",
      label: t("field.address"),
      kind: "textarea",
      wide: true,
      heading: t("customers.addresses"),
    },
    {
      name: "deliveryAddresses",
      label: t("field.deliveryAddresses"),
      kind: "custom",
      wide: true,
      show: (list = []) => list.map(textOf).join("; ") || "–",
      draw: ({ value, values: _, ...field }) => html`<${DeliveryAddresses} value=${value ?? []} ...${field} />`,
    },
    { name: "notes", label: t("field.notes"), kind: "textarea", wide: true },
  ];
}
