// The fields of an order that its form and that of a new one share.
import { html } from "../../../vendor/ui.js";
import { t } from "../../core/i18n.js";
import { Lazy } from "../../ui/lazy.js";
import { worker } from "./request_fields.js";

const route = () => import("./route_field.js");

/** What a choice of a material searches. */
export const MATERIALS = { resource: "materials", query: { isActive: true } };

/** `hasQuantity`: the order has no panes, so a number says how much it is. */
export function orderFields(hasQuantity) {
  return [
    { name: "material", label: t("field.material"), kind: "reference", required: true, ...MATERIALS },
    ...(hasQuantity
      ? [{ name: "quantity", label: t("field.quantity"), kind: "number", min: 1, step: 1, required: true }]
      : []),
    worker("assignedTo", t("field.assignedTo")),
    { name: "priority", label: t("field.priority"), kind: "number", hint: t("requests.priorityHint") },
    { name: "notes", label: t("field.notes"), kind: "textarea", rows: 2, wide: true },
  ];
}

/** The route of an order whose panes have none. */
export const routeField = () => ({
  name: "stations",
  label: t("field.routing"),
  kind: "custom",
  wide: true,
  show: (stations) => String(stations.length),
  draw: (field) => html`<${Lazy} load=${route} ...${field} />`,
});
