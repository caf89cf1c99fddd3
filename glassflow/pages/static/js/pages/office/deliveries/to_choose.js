// The panes of a customer that can be on a delivery, by order.
import { may } from "../../../core/permissions.js";
import { RETIRED } from "../../../core/pane_flow.js";
import { idOf, updated } from "../../../core/records.js";
import { readRows } from "../read_rows.js";

const MOST = 2000; // panes; a page with more of them is slow
const NOT_HANDED_OVER = {
  deliveredAt: "null",
  laminateRole_ne: "sheet", // its unit is handed over
  currentStatus_ne: RETIRED.join(),
  fields: "paneNumber,currentStatus,order,request,mark,glassTypeLabel,dimensions,laminateRole,deliveredAt,version",
  populate: "order,request",
  sort: "paneNumber",
};

export const isFinished = ({ currentStatus }) => currentStatus === "completed";

/**
 * Read the panes that a delivery to a customer can have: {rows, isCut, requests, elsewhere}. `except`
 * is the delivery that they are chosen for, if there is one. `requests` are those of the panes by id,
 * `elsewhere` is how many panes other planned deliveries have.
 */
export async function readToChoose(customer, except) {
  const { rows, isCut } = await readRows("panes", { customer, ...NOT_HANDED_OVER }, MOST);
  const taken = await readTaken(customer, except);
  const free = rows.filter(({ _id }) => !taken.has(_id));
  return { rows: free, isCut, elsewhere: rows.length - free.length, requests: await readRequests(free) };
}

/** The ids of the finished panes of an order that are on no planned delivery. */
export async function readFinished({ _id, customer }) {
  const query = { ...NOT_HANDED_OVER, order: _id, currentStatus: "completed", fields: "paneNumber" };
  const { rows } = await readRows("panes", query, MOST);
  const taken = await readTaken(idOf(customer));
  return rows.map((pane) => pane._id).filter((id) => !taken.has(id));
}

async function readTaken(customer, except) {
  const query = { customer, status: "planned", fields: "panes", sort: "createdAt" };
  const { rows } = await readRows("deliveries", query);
  return new Set(rows.filter(({ _id }) => _id !== except).flatMap(({ panes }) => panes));
}

async function readRequests(panes) {
  const ids = [...new Set(panes.map(({ request }) => idOf(request)).filter(Boolean))];
  if (!ids.length || !may("requests:view")) return new Map();
  const fields = "referenceId,deliveryLocation";
  const { rows } = await readRows("requests", { _id: ids.join(), fields, sort: "createdAt" });
  return new Map(rows.map((one) => [one._id, one]));
}

/** The panes after an event of one: a known one is updated, or gone; another is not known to be the customer's. */
export function withPane(value, { action, data }) {
  const known = value.rows.find(({ _id }) => _id === data._id);
  if (!known) return value;
  const isGone = action === "deleted" || data.deliveredAt || RETIRED.includes(data.currentStatus);
  const rows = isGone
    ? value.rows.filter((one) => one !== known)
    : value.rows.map((one) => (one === known ? updated(one, data) : one));
  return { ...value, rows };
}

/** Panes by their order, else by their request: [{key, name, reference, panes}], in the order of the numbers. */
export function groupsOf(rows, requests) {
  const found = new Map();
  for (const pane of rows) {
    const of = pane.order ?? pane.request;
    const key = idOf(of) ?? "";
    const name = of?.orderNumber ?? of?.requestNumber ?? "–";
    if (!found.has(key))
      found.set(key, { key, name, reference: requests.get(idOf(pane.request))?.referenceId, panes: [] });
    found.get(key).panes.push(pane);
  }
  return [...found.values()].sort((one, other) => one.name.localeCompare(other.name));
}

/** An address as it is compared, here and by the service. */
export const keyOf = (address) => address.trim().replaceAll(/\s+/g, " ").toLowerCase();

/** Where chosen panes go by their requests: [{address, panes}]; `own` is where the others go. */
export function placesOf(rows, chosen, requests, own = "") {
  const found = new Map();
  for (const pane of rows.filter(({ _id }) => chosen.has(_id))) {
    const address = requests.get(idOf(pane.request))?.deliveryLocation || own;
    const key = keyOf(address);
    if (!found.has(key)) found.set(key, { address, panes: [] });
    found.get(key).panes.push(pane);
  }
  return [...found.values()];
}
