// The form of a new order of a request, which takes over its panes.
import { html } from "../../../../vendor/ui.js";
import { t } from "../../../core/i18n/index.js";
import { may } from "../../../core/permissions.js";
import { idOf } from "../../../core/records.js";
import { go } from "../../../core/router.js";
import { Form } from "../../../ui/form.js";
import { withoutEmpty } from "../../../ui/form_values.js";
import { Loaded, useResource } from "../../../ui/use_resource.js";
import { ORDERS } from "../layout.js";
import { readPanes } from "../panes_of.js";
import { readRows } from "../read_rows.js";
import { assignable } from "./fields.js";
import { orderFields } from "./order_fields.js";
import { routeOf } from "./route_of.js";

export default function NewOrder({ request }) {
  const start = useResource(`new order of ${request._id}`, () => [() => readStart(request), {}, { fresh: true }]);
  return html`<${Loaded} of=${start}>${() => html`<${Form} fields=${orderFields()} path="/orders" prefix="order"
    draft=${`/orders of ${request._id}`} submit=${t("requests.makeOrder")} records=${() => start.value.quantity}
    initial=${{ ...start.value, quantity: start.value.quantity || request.details.quantity }}
    toBody=${(values) => withoutEmpty({ ...values, request: request._id, customer: idOf(request.customer) })}
    onSaved=${({ _id }) => go(`${ORDERS}/${_id}?from=request`)} />`}<//>`;
}

/**
 * {quantity, stations, material} of the panes that the order will take over, which have none yet:
 * their number, their routes, and the glass of their job types; and {assignedTo}, as the request.
 */
async function readStart({ _id, assignedTo }) {
  const panes = await readPanes({
    request: _id,
    order: "null",
    currentStatus_ne: "cancelled",
    includeMerged: true,
    fields: "routing,laminateRole,jobType",
  });
  const quantity = panes.filter(({ laminateRole }) => laminateRole !== "sheet").length; // a unit counts once
  const rank = ({ laminateRole }) => (laminateRole === "parent" ? 1 : 0); // its route follows that of its sheets
  const stations = routeOf(panes.sort((one, other) => rank(one) - rank(other)).map(({ routing }) => routing));
  const types = may("job_types:view")
    ? (await readRows("job-types", { sort: "code", fields: "code,defaultMaterial" })).rows
    : [];
  const materials = panes.map(({ jobType }) => types.find(({ code }) => code === jobType)?.defaultMaterial);
  return { quantity, stations, material: idOf(materials.find(Boolean)), assignedTo: await assignable(assignedTo) };
}
