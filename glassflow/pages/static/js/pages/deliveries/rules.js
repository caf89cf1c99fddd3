// What the page shows of deliveries, and what a scan of a pane is there. A delivery and its
// panes are as `GET /api/deliveries/open` has them.
import { idOf } from "../../core/records.js";
import { toLocal } from "../../ui/moments.js";

/** Whether a delivery has been handed over. */
export const isDelivered = ({ status }) => status === "delivered";

/**
 * The deliveries as they are after requests that the service has not answered, oldest first:
 * {delivery (id), action, body, isKept}. What such a request changed has its `isKept`.
 */
export function withRequests(deliveries, requests) {
  return deliveries.map((one) => requests.filter(({ delivery }) => delivery === one._id).reduce(after, one));
}

function after(delivery, { action, body, isKept }) {
  const isNamed = ({ paneNumber }) => body.paneNumbers.includes(paneNumber);
  if (action !== "hand-over") {
    const change = { isLoaded: action === "load", isKept };
    return { ...delivery, panes: delivery.panes.map((pane) => (isNamed(pane) ? { ...pane, ...change } : pane)) };
  }
  const panes = delivery.panes.filter(isNamed).map((pane) => ({ ...pane, state: "delivered" }));
  const { receivedBy, occurredAt: deliveredAt } = body;
  return { ...delivery, status: "delivered", panes, receivedBy, deliveredAt, undoableUntil: null, isKept };
}

/**
 * The deliveries after one has changed to `record`, as the API answers it; undefined where it
 * takes more than that to know them.
 */
export function withRecord(deliveries, record) {
  const before = deliveries.find(({ _id }) => _id === record._id);
  if (!before) return undefined;
  if (record.version <= before.version) return deliveries;
  const known = before.panes.map(({ _id }) => _id);
  const ids = record.panes.map(idOf);
  const isUndone = isDelivered(before) && !isDelivered(record);
  if (isUndone || before.plannedFor !== record.plannedFor || !ids.every((id) => known.includes(id))) return undefined;
  const loaded = record.loadedPanes.map(idOf);
  const panes = before.panes
    .filter(({ _id }) => ids.includes(_id))
    .map((pane) => ({
      ...pane,
      isLoaded: loaded.includes(pane._id),
      ...(isDelivered(record) && { state: "delivered" }),
    }));
  const values = Object.keys(before).map((name) => [name, name in record ? record[name] : before[name]]);
  const references = { driver: idOf(record.driver), deliveredBy: idOf(record.deliveredBy) };
  const next = { ...Object.fromEntries(values), ...references, panes };
  return deliveries.map((one) => (one === before ? next : one));
}

/** Whether a pane, by its id, is on one of the deliveries. */
export const hasPane = (deliveries, id) => deliveries.some(({ panes }) => panes.some(({ _id }) => _id === id));

/** The delivery that a pane is on, a planned one first. */
export function deliveryOfPane(deliveries, number) {
  const found = deliveries.filter(({ panes }) => panes.some(({ paneNumber }) => paneNumber === number));
  return found.find((one) => !isDelivered(one)) ?? found[0];
}

/**
 * What a scanned pane is to the delivery with an id: {code, delivery}. `code` is "load" where it
 * is loaded now, "loaded" where it was before, else why it is not: as the service has it, with
 * the number of the other delivery for "other_delivery". "not_planned" may be a pane that is
 * planned since the list was read.
 */
export function judge(deliveries, id, number) {
  const here = deliveries.find(({ _id }) => _id === id);
  const pane = here?.panes.find(({ paneNumber }) => paneNumber === number);
  if (pane) return { code: pane.state !== "ready" ? pane.state : pane.isLoaded ? "loaded" : "load" };
  const other = deliveryOfPane(deliveries, number);
  if (!other) return { code: "not_planned" };
  return isDelivered(other) ? { code: "delivered" } : { code: "other_delivery", delivery: other.deliveryNumber };
}

/** How many panes of a delivery are loaded, of how many, and how many are in each state. */
export function countsOf({ panes }) {
  const counts = { total: panes.length, loaded: panes.filter(({ isLoaded }) => isLoaded).length };
  for (const { state } of panes) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
}

/** The panes of a delivery by their order, [[orderNumber, panes], ...]; and those that cannot leave. */
export function groupsOf({ panes }) {
  const groups = new Map();
  const missing = [];
  for (const pane of panes) {
    if (!["ready", "delivered"].includes(pane.state)) missing.push(pane);
    else groups.set(pane.orderNumber, [...(groups.get(pane.orderNumber) ?? []), pane]);
  }
  return { orders: [...groups], missing };
}

/**
 * The deliveries in the order of the page at a moment (epoch milliseconds): {today, tomorrow,
 * delivered}. Today's begin with those that are overdue; the last handed over is the first.
 */
export function listOf(deliveries, now) {
  const today = dayOf(now);
  const planned = deliveries.filter((one) => !isDelivered(one)).sort((a, b) => dateOf(a) - dateOf(b));
  const isTomorrow = (one) => dayOf(dateOf(one)) > today;
  // the service has not said yet until when one that was just handed over can be undone
  const isRecent = ({ undoableUntil }) => !undoableUntil || Date.parse(undoableUntil) > now;
  return {
    today: planned.filter((one) => !isTomorrow(one)),
    tomorrow: planned.filter(isTomorrow),
    delivered: deliveries
      .filter((one) => isDelivered(one) && isRecent(one))
      .sort((a, b) => Date.parse(b.deliveredAt) - Date.parse(a.deliveredAt)),
  };
}

/** Whether a delivery was planned for an earlier day. */
export const isOverdue = (delivery, now) => dayOf(dateOf(delivery)) < dayOf(now);

const dateOf = ({ plannedFor }) => Date.parse(plannedFor);

// The day in the workshop's time zone: "2026-11-28".
const dayOf = (moment) => toLocal(moment).slice(0, 10);

/** The address of a map of a place. */
export const mapOf = (address) => `https://www.google.com/maps/search/?api=1&query=${encodeURIComponent(address)}`;
