// The fields of a request that its form and that of a new one share.
import { t } from "../../../core/i18n/index.js";

/** A reference to a worker, who does or leads some work. */
export const worker = (name, label) => ({
  name, label, kind: "reference", resource: "workers", query: { isActive: true },
});

export const customer = () => ({
  name: "customer", label: t("requests.customer"), kind: "reference", resource: "customers", required: true,
});

/** What the customer has said, and who looks after it. */
export function facts() {
  return [
    { name: "referenceId", label: t("requests.poNumber") },
    { name: "deliveryLocation", label: t("requests.delivery"), kind: "textarea", rows: 2 },
    worker("assignedTo", t("requests.assignedTo")),
    { name: "notes", label: t("requests.notes"), kind: "textarea", rows: 2 },
  ];
}
