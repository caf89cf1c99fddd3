// The fields of a request that its form and that of a new one share.
import { api } from "../../core/api.js";
import { t } from "../../core/i18n.js";
import { may, seesPrices } from "../../core/permissions.js";
import { idOf } from "../../core/records.js";

/** A reference to a worker, who does or leads some work. */
export const worker = (name, label) => ({
  name,
  label,
  kind: "reference",
  resource: "workers",
  query: { isActive: true },
});

/** The id of the worker to whom a copied record is assigned too; null for one who is inactive by now. */
export async function assignable(worker) {
  const id = idOf(worker);
  if (!id || !may("workers:view")) return id;
  const { data } = await api(`/workers/${id}`);
  return data.isActive ? id : null;
}

export const customer = () => ({
  name: "customer",
  label: t("field.customer"),
  kind: "reference",
  resource: "customers",
  required: true,
});

/** What the customer has said, and who looks after it. */
export function facts() {
  return [
    { name: "referenceId", label: t("field.referenceId") },
    { name: "deliveryLocation", label: t("field.deliveryLocation"), kind: "textarea", rows: 2 },
    worker("assignedTo", t("field.assignedTo")),
    { name: "notes", label: t("field.notes"), kind: "textarea", rows: 2 },
  ];
}

/** The day that the customer was told, which a forecast proposes. */
export const expectedDelivery = () => ({
  name: "expectedDeliveryDate",
  label: t("field.expectedDeliveryDate"),
  kind: "moment",
  hint: t("forecast.fieldHint"),
});

/** The price that the customer has agreed to, for who is shown it. */
export const agreedPrice = () => ({
  name: "details.estimatedPrice",
  label: t("field.estimatedPrice"),
  kind: "number",
  min: 0,
  unit: t("requests.bahtUnit"),
  isShown: seesPrices,
});
