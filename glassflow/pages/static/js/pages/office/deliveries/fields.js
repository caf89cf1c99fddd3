// The fields of a delivery, as the form of a new one and that of a planned one show them.
import { html } from "../../../../vendor/ui.js";
import { number, t } from "../../../core/i18n.js";
import { DELIVERY_STATUSES } from "../../../core/record_terms.js";
import { idOf } from "../../../core/records.js";
import { withoutEmpty } from "../../../ui/form_values.js";
import { day, language } from "../paper_fields.js";
import { customer, worker } from "../request_fields.js";
import { AddressField } from "./address.js";

/** The fields of a delivery that there is: its customer stays, and nothing is filled in for an empty field. */
export const fieldsOf = () => [
  ...fields().map((field) => ({
    ...field,
    hint: undefined,
    empty: undefined,
    ...(field.name === "customer" && { readOnly: true, required: false }),
  })),
  { name: "isForAll", label: "", isShown: () => false }, // see one_address.js
];

export function fields() {
  return [
    customer(),
    day("plannedFor"),
    { name: "recipient", label: t("field.recipient"), hint: t("delivery.recipientHint") },
    {
      name: "address",
      label: t("field.address"),
      kind: "custom",
      hint: t("delivery.addressHint"),
      draw: (field) => html`<${AddressField} ...${field} />`,
    },
    { name: "contact", label: t("field.contact") },
    { name: "phone", label: t("field.phone"), attributes: { inputmode: "tel" } },
    { name: "vehicle", label: t("field.vehicle"), hint: t("delivery.vehicleHint") },
    worker("driver", t("field.driver")),
    { ...language(), empty: t("delivery.languageOfQuote") },
    { name: "notes", label: t("field.notes"), kind: "textarea", rows: 2, hint: t("delivery.notesHint") },
    {
      name: "panes",
      label: t("field.panes"),
      isShown: () => false,
      show: (panes) => t("office.countOfKind", { count: number(panes.length) }),
    },
    {
      name: "status",
      label: t("field.status"),
      isShown: () => false,
      options: DELIVERY_STATUSES.map((value) => ({ value, label: t(`deliverystatus.${value}`) })),
    },
  ];
}

/** The body of a new delivery. */
export const newBody = ({ customer: of, driver, ...values }) =>
  withoutEmpty({ ...values, customer: idOf(of), driver: idOf(driver) });

/** The body of a change; an address that is named confirms where all panes go. */
export const changeBody = ({ address }, { isForAll, ...changed }) => ({
  ...changed,
  ...(isForAll && { address }),
  ...("driver" in changed && { driver: idOf(changed.driver) }),
});
