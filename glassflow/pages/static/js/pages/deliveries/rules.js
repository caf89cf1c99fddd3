// What the page shows of deliveries, and what a scan of a pane is there. A delivery and its
// panes are as `GET /api/deliveries/open` has them.
import { idOf } from "../../core/records.js";
import { toLocal } from "../../ui/moments.js";

/** Whether nothing was handed over yet, and nobody came back with all panes. */
export const isPlanned = ({ status }) => status === "planned";

/** The panes of a delivery that wait: they can be loaded, and handed over once they are ready. */
export const waitingOf = (delivery) => (isPlanned(delivery) ? delivery.panes : delivery.missingPanes);

/** Whether panes have come back that can be handed over now. */
export const hasRest = (delivery) => !isPlanned(delivery) && delivery.missingPanes.some(isReady);

/** The hand-overs that count, oldest first; none where the caller is not shown them. */
export const handOversOf = ({ handOvers }) => (handOvers ?? []).filter(({ undone }) => !undone);

/** Whether a hand-over of a moment is one of the delivery, also one that was undone. */
export const isRecorded = ({ handOvers }, occurredAt) =>
  (handOvers ?? []).some(({ at }) => Date.parse(at) === Date.parse(occurredAt));

/** Whether a worker may undo a hand-over at a moment; `manages`: also that of somebody else. */
export const isUndoable = ({ number, worker, undoableUntil, undone }, workerId, manages, now) =>
  Boolean(number && !undone && (manages || worker === workerId) && Date.parse(undoableUntil) > now);

// Reasons after which a pane is still on the vehicle, as the service has them.
const ON_VEHICLE = [null, "absent", "later"];
const isReady = ({ state }) => state === "ready";
const has = (panes, number) => panes.some(({ paneNumber }) => paneNumber === number);

/**
 * The deliveries as they are after requests that the service has not answered, oldest first:
 * {delivery (id), action, body, isKept}. What such a request changed has its `isKept`.
 */
export function withRequests(deliveries, requests) {
  return deliveries.map((one) => requests.filter(({ delivery }) => delivery === one._id).reduce(after, one));
}

function after(delivery, { action, body, isKept }) {
  const waiting = waitingOf(delivery);
  const isNamed = ({ paneNumber }) => body.paneNumbers.includes(paneNumber);
  if (action !== "hand-over") {
    const change = { isLoaded: action === "load", isKept };
    const changed = waiting.map((pane) => (isNamed(pane) ? { ...pane, ...change } : pane));
    return { ...delivery, [isPlanned(delivery) ? "panes" : "missingPanes"]: changed };
  }
  const given = waiting.filter(isNamed).map((pane) => ({ ...pane, state: "delivered" }));
  // the record has it already, or another phone has handed all of these panes over
  if (isRecorded(delivery, body.occurredAt) || (body.paneNumbers.length && !given.length))
    return { ...delivery, isKept };
  const reasons = new Map(body.left?.map(({ paneNumber, reason }) => [paneNumber, reason]));
  const panes = [...(isPlanned(delivery) ? [] : delivery.panes), ...given];
  const { receivedBy = "", occurredAt: at } = body;
  const handOver = { number: null, at, receivedBy, panes: given.map(idOf), undone: null, isKept };
  return {
    ...delivery,
    status: panes.length ? "delivered" : "returned",
    panes,
    missingPanes: waiting
      .filter((pane) => !isNamed(pane))
      .map((pane) => stayed(pane, reasons.get(pane.paneNumber) ?? null)),
    handOvers: [...(delivery.handOvers ?? []), handOver],
    deliveredAt: given.length ? at : delivery.deliveredAt,
    undoableUntil: null,
    isKept,
  };
}

// A pane that stayed, with null for no reason. A broken one gets a claim; with most reasons it
// is taken off the vehicle.
function stayed(pane, reason) {
  const isClaimed = reason === "broken" && isReady(pane);
  return {
    ...pane,
    reason,
    isLoaded: pane.isLoaded && ON_VEHICLE.includes(reason),
    ...(isClaimed && { state: "claimed" }),
  };
}

/**
 * The deliveries after one has changed to `record`, as the API answers it; undefined where it
 * takes more than that to know them.
 */
export function withRecord(deliveries, record) {
  const before = deliveries.find(({ _id }) => _id === record._id);
  if (!before) return undefined;
  if (record.version <= before.version) return deliveries;
  const known = new Map([...before.panes, ...before.missingPanes].map((pane) => [pane._id, pane]));
  const given = isPlanned(record) ? [] : record.panes.map(idOf);
  const waiting = (isPlanned(record) ? record.panes : record.missingPanes).map(idOf);
  if (before.plannedFor !== record.plannedFor || ![...given, ...waiting].every((id) => known.has(id))) return undefined;
  if (isUndone(before, record) || waiting.some((id) => known.get(id).state === "delivered")) return undefined;
  const loaded = record.loadedPanes.map(idOf);
  const added = handOversOf({ handOvers: record.handOvers?.slice(before.handOvers?.length ?? 0) });
  const left = added.flatMap((one) => one.left ?? []);
  const paneOf = (id) => ({ ...known.get(id), isLoaded: loaded.includes(id) });
  const handed = given.map((id) => ({ ...paneOf(id), state: "delivered" }));
  const rest = waiting.map((id) => {
    const why = left.findLast(({ pane }) => pane === id);
    return why ? stayed(paneOf(id), why.reason) : paneOf(id);
  });
  const lists = isPlanned(record) ? { panes: rest, missingPanes: [] } : { panes: handed, missingPanes: rest };
  const values = Object.keys(before).map((name) => [name, name in record ? record[name] : before[name]]);
  const next = { ...Object.fromEntries(values), driver: idOf(record.driver), ...lists };
  return deliveries.map((one) => (one === before ? next : one));
}

// After that, what panes are is not known without a read.
function isUndone(before, record) {
  const undone = ({ handOvers }) => (handOvers ?? []).filter((one) => one.undone).length;
  return undone(record) > undone(before) || (isPlanned(record) && !isPlanned(before));
}

/** Whether a pane, by its id, is on one of the deliveries. */
export const hasPane = (deliveries, id) =>
  deliveries.some(({ panes, missingPanes }) => [...panes, ...missingPanes].some(({ _id }) => _id === id));

/** The delivery that a pane is on: one where it waits, a planned one first; else the one that it left with. */
export function deliveryOfPane(deliveries, number) {
  const waits = deliveries.filter((one) => has(waitingOf(one), number));
  return waits.find(isPlanned) ?? waits[0] ?? deliveries.find(({ panes }) => has(panes, number));
}

/**
 * What a scanned pane is to the delivery with an id: {code, delivery}. `code` is "load" where it
 * is loaded now, "loaded" where it was before, else why it is not: as the service has it, with
 * the number of the other delivery for "other_delivery". "not_planned" may be a pane that is
 * planned since the list was read.
 */
export function judge(deliveries, id, number) {
  const here = deliveries.find(({ _id }) => _id === id);
  const panes = here ? [...here.panes, ...here.missingPanes] : [];
  const pane = panes.find(({ paneNumber }) => paneNumber === number);
  if (pane) return { code: !isReady(pane) ? pane.state : pane.isLoaded ? "loaded" : "load" };
  const other = deliveryOfPane(deliveries, number);
  if (!other) return { code: "not_planned" };
  if (!has(waitingOf(other), number)) return { code: "delivered" };
  return { code: "other_delivery", delivery: other.deliveryNumber };
}

/** How many panes of a delivery wait, of these are loaded, and are in each state; and how many were handed over, of all. */
export function countsOf(delivery) {
  const waiting = waitingOf(delivery);
  const counts = { ready: 0, total: waiting.length, loaded: waiting.filter(({ isLoaded }) => isLoaded).length };
  for (const { state } of waiting) counts[state] = (counts[state] ?? 0) + 1;
  const given = isPlanned(delivery) ? 0 : delivery.panes.length;
  return { ...counts, given, all: given + waiting.length };
}

/**
 * The panes of a delivery by their order, [[orderNumber, panes], ...]: those that wait, and those
 * that were handed over; and those that cannot leave.
 */
export function groupsOf(delivery) {
  const waiting = waitingOf(delivery);
  const canLeave = ({ state }) => ["ready", "delivered"].includes(state);
  return {
    orders: byOrder(waiting.filter(canLeave)),
    missing: waiting.filter((pane) => !canLeave(pane)),
    given: byOrder(isPlanned(delivery) ? [] : delivery.panes),
  };
}

function byOrder(panes) {
  const groups = new Map();
  for (const pane of panes) groups.set(pane.orderNumber, [...(groups.get(pane.orderNumber) ?? []), pane]);
  return [...groups];
}

/**
 * The deliveries in the order of the page at a moment (epoch milliseconds): {today, tomorrow,
 * delivered}. Today's begin with those that are overdue, and end with those of which panes came
 * back that can be handed over; the last handed over is the first.
 */
export function listOf(deliveries, now) {
  const today = dayOf(now);
  const byDate = (some) => some.sort((a, b) => dateOf(a) - dateOf(b));
  const planned = byDate(deliveries.filter(isPlanned));
  const isTomorrow = (one) => dayOf(dateOf(one)) > today;
  // the service has not said yet until when one that was just handed over can be undone
  const isRecent = ({ undoableUntil }) => !undoableUntil || Date.parse(undoableUntil) > now;
  return {
    today: [...planned.filter((one) => !isTomorrow(one)), ...byDate(deliveries.filter(hasRest))],
    tomorrow: planned.filter(isTomorrow),
    delivered: deliveries
      .filter((one) => !isPlanned(one) && !hasRest(one) && isRecent(one))
      .sort((a, b) => Date.parse(endOf(b)) - Date.parse(endOf(a))),
  };
}

/** When a delivery was handed over last, or came back with all panes. */
export const endOf = (delivery) => handOversOf(delivery).at(-1)?.at ?? delivery.deliveredAt;

/** Whether a delivery was planned for an earlier day. */
export const isOverdue = (delivery, now) => dayOf(dateOf(delivery)) < dayOf(now);

const dateOf = ({ plannedFor }) => Date.parse(plannedFor);

// The day in the workshop's time zone: "2026-11-28".
const dayOf = (moment) => toLocal(moment).slice(0, 10);

/** The address of a map of a place. */
export const mapOf = (address) => `https://www.google.com/maps/search/?api=1&query=${encodeURIComponent(address)}`;
