// What can be done with a request or an order, besides changing its fields.
import { html } from "../../../../vendor/ui.js";
import { api, inWords, Refused, timeFor } from "../../../core/api.js";
import { t } from "../../../core/i18n/index.js";
import { may } from "../../../core/permissions.js";
import { idOf } from "../../../core/records.js";
import { go } from "../../../core/router.js";
import { Form } from "../../../ui/form.js";
import { withoutEmpty } from "../../../ui/form_values.js";
import { Lazy } from "../../../ui/lazy.js";
import { Loaded, useResource } from "../../../ui/use_resource.js";
import { ActionButton, DialogButton } from "../dialog_button.js";
import { ORDERS } from "../layout.js";
import { readPanes } from "../panes_of.js";
import { readRows } from "../read_rows.js";
import { assignable, worker } from "./fields.js";
import { Route } from "./route.js";
import { routeOf } from "./route_of.js";

const STALE = 412;

/** Change a record as long as nobody else has, since it was shown; else `onStale()` reads it again. Returns warnings. */
async function change(path, record, body, onStale) {
  try {
    const headers = { "If-Match": `"${record.version}"` };
    const { warnings = [] } = await api(`${path}/${record._id}`, { method: "PATCH", body, headers, timeoutMs: timeFor(panesOf(record)) });
    return warnings.map(inWords);
  } catch (error) {
    if (error instanceof Refused && error.status === STALE) onStale();
    throw error;
  }
}

/** How many panes a request or an order has, as far as it says. */
const panesOf = ({ paneCount, details }) => paneCount ?? details?.quantity;

/** Cancel a request or an order; `reason` is the field that says why, if there is one. */
export function Cancel({ record, path, hint, reason, onStale }) {
  const fields = reason ? [{ name: reason, label: t("requests.cancelReason"), kind: "textarea", rows: 2, wide: true }] : [];
  return html`<${ActionButton} icon="ban" label=${t("requests.cancel")} hint=${hint} fields=${fields} record=${record} records=${panesOf(record)} isDanger
    about=${html`<${Lazy} load=${() => import("./will_cancel.js")} of=${`${path}/${record._id}`} />`}
    send=${(values, seen) => change(path, seen, { status: "cancelled", ...values }, onStale)} />`;
}

/** Take a cancellation back. */
export function TakeBack({ record, path, hint, onStale }) {
  return html`<${ActionButton} icon="undo-2" label=${t("requests.takeBack")} hint=${hint} record=${record} records=${panesOf(record)}
    send=${(values, seen) => change(path, seen, { status: "pending" }, onStale)} />`;
}

/** A new deadline, with its reason where there was another one. */
export function ChangeDeadline({ request, onStale }) {
  const isFirst = !request.deadline;
  const fields = [
    { name: "deadline", label: t("requests.deadline"), kind: "moment", required: true },
    { name: "deadlineChangeReason", label: t("requests.reason"), kind: "textarea", rows: 2, required: true, wide: true, isShown: () => !isFirst },
  ];
  // the reason of the change before is not that of this one
  return html`<${DialogButton} icon="clock" label=${t(isFirst ? "requests.setDeadline" : "requests.changeDeadline")}>
    ${(close) => html`<${Form} fields=${fields} record=${{ ...request, deadlineChangeReason: "" }} path="/requests"
      prefix="deadline" draft=${`/requests/${request._id} deadline`} onStale=${onStale} onSaved=${close} />`}<//>`;
}

/** Make an order of a request, which takes over its panes. */
export function MakeOrder({ request }) {
  return html`<${DialogButton} icon="clipboard-list" label=${t("requests.makeOrder")} isMain>
    ${() => html`<${NewOrder} request=${request} />`}<//>`;
}

function NewOrder({ request }) {
  const start = useResource(`new order of ${request._id}`, () => [() => readStart(request), {}, { fresh: true }]);
  return html`<${Loaded} of=${start}>${() => html`<${Form} fields=${orderFields()} path="/orders" prefix="order"
    draft=${`/orders of ${request._id}`} submit=${t("requests.makeOrder")} records=${() => start.value.quantity}
    initial=${{ ...start.value, quantity: start.value.quantity || request.details.quantity }}
    toBody=${(values) => withoutEmpty({ ...values, request: request._id, customer: idOf(request.customer) })}
    onSaved=${({ _id }) => go(`${ORDERS}/${_id}`)} />`}<//>`;
}

/**
 * {quantity, stations, material} of the panes that the order will take over, which have none yet:
 * their number, their routes, and the glass of their job types; and {assignedTo}, as the request.
 */
async function readStart({ _id, assignedTo }) {
  const panes = await readPanes({ request: _id, order: "null", currentStatus_ne: "cancelled", includeMerged: true,
    fields: "routing,laminateRole,jobType" });
  const quantity = panes.filter(({ laminateRole }) => laminateRole !== "sheet").length; // a unit counts once
  const rank = ({ laminateRole }) => (laminateRole === "parent" ? 1 : 0); // its route follows that of its sheets
  const stations = routeOf(panes.sort((one, other) => rank(one) - rank(other)).map(({ routing }) => routing));
  const types = may("job_types:view") ? (await readRows("job-types", { sort: "code", fields: "code,defaultMaterial" })).rows : [];
  const materials = panes.map(({ jobType }) => types.find(({ code }) => code === jobType)?.defaultMaterial);
  return { quantity, stations, material: idOf(materials.find(Boolean)), assignedTo: await assignable(assignedTo) };
}

export function orderFields() {
  return [
    { name: "material", label: t("requests.material"), kind: "reference", resource: "materials", query: { isActive: true }, required: true },
    { name: "quantity", label: t("requests.quantity"), kind: "number", min: 1, step: 1, required: true },
    worker("assignedTo", t("requests.assignedTo")),
    { name: "priority", label: t("requests.priority"), kind: "number", hint: t("requests.priorityHint") },
    { name: "notes", label: t("requests.notes"), kind: "textarea", rows: 2, wide: true },
    { name: "stations", label: t("requests.route"), kind: "custom", wide: true, show: (stations) => String(stations.length),
      draw: ({ id, value, onChange, readOnly }) => html`<${Route} id=${id} value=${(value ?? []).map(idOf)} onChange=${onChange} readOnly=${readOnly} />` },
  ];
}
