// What each event changes on a board.
import { serviceTime } from "../../core/api.js";
import { date } from "../../core/i18n.js";
import { LEAVING, OPEN, PRESENT } from "../../core/pane_flow.js";
import { OPEN_ORDERS } from "../../core/record_terms.js";
import { byPosition } from "../../core/station_names.js";

const MAX_FEED = 6;
const MAX_ALERTS = 12;

/** A deadline in epoch milliseconds, Infinity without one. */
export const momentOf = (deadline) => (deadline ? Date.parse(deadline) : Infinity);

const idOf = (reference) => reference?._id ?? reference ?? null;

/** Apply an event to a board. */
export function change(board, name, payload) {
  if (payload.truncated) return void (board.incomplete.value += 1);
  CHANGES[name]?.(board, payload.data ?? payload, payload.action);
}

const CHANGES = {
  "pane:updated": changePane,
  "log:updated": countLog,
  "order:updated": changeOrder,
  "delivery:updated": (board) => (board.incomplete.value += 1), // what it lacks
  "request:updated": (board, { _id, deadline }) => setDeadline(board, _id, momentOf(deadline)),
  "station:updated": changeStation,
  "call:updated": changeCall,
  "material:updated": (board, row, action) => {
    if (action === "low_stock") alert(board, { kind: "low_stock", ...row });
  },
  "inventory:updated": (board, { material }) => {
    // is it still low?
    const isIt = (one) => one.kind === "low_stock" && (one.material ?? one._id) === idOf(material);
    if (board.alerts.value.some(isIt)) board.incomplete.value += 1;
  },
  "laminate:ready": (board, { parentPaneId, parentPaneNumber }) =>
    alert(board, { kind: "laminate_ready", parentPane: parentPaneId, paneNumbers: [parentPaneNumber] }),
  "pane:laminated": (board, { survivor }) => {
    const parent = idOf(survivor.parentPane);
    endAlert(board, (one) => one.parentPane === parent);
  },
  system_alert: (board, { message }) => (board.urgent.value = { message }),
  notification: (board, { priority, title, message }) => {
    if (priority === "urgent") board.urgent.value = { title, message };
  },
};

function changePane(board, row, action) {
  if (action === "deleted") {
    endAlert(board, (one) => [one.pane, one.parentPane].includes(row._id));
    if (board.finished.value && !board.panes.has(row._id)) board.incomplete.value += 1; // was it finished today?
    return board.remove(row._id);
  }
  const { _id: pane, paneNumber, currentStatus: status, dimensions: size, arrivedAt, updatedAt } = row;
  const station = idOf(row.currentStation);
  if (board.finished.value && mayCount(board.panes.has(pane), row, action)) board.incomplete.value += 1;
  if (row.laminateRole === "sheet") changeSheet(board, row, action);
  board.put(
    {
      _id: pane,
      paneNumber,
      currentStatus: status,
      currentStation: station,
      request: idOf(row.request),
      arrivedAt: arrivedAt ?? updatedAt,
      version: row.version,
      width: size?.width,
      height: size?.height,
    },
    Date.now(),
  );
  requireDeadline(board, row);
  // is it ready now?
  if (!OPEN.includes(status) && board.deliveries.value.some(({ lacking }) => lacking.includes(pane)))
    board.incomplete.value += 1;
  // the scan of a failed pane may be undone
  if (status !== "defected") endAlert(board, (one) => one.kind === "failed" && one.pane === pane);
  if (action !== "scanned" && action !== "qc_failed") return;
  const entry = { pane, paneNumber, status, station, at: updatedAt };
  board.feed.value = [entry, ...board.feed.value.filter((one) => one.pane !== pane)].slice(0, MAX_FEED);
  if (action === "qc_failed") alert(board, { kind: "failed", pane, paneNumber, at: updatedAt });
}

// Whether a change that is no scan may have finished a pane, or taken that back. An undone scan is
// among them: the board does not know which panes it had that are not open any more.
function mayCount(wasOpen, { currentStatus: status, currentStation }, action) {
  if (action === "scanned" || action === "qc_failed") return false;
  if (wasOpen || action !== "updated") return status === "completed";
  return OPEN.includes(status) ? Boolean(currentStation) : status === "defected" || status === "cancelled";
}

// Whether its unit is complete: the board hears of units that are, not of those that are no
// longer, and of neither where no scan brought the sheet.
function changeSheet(board, row, action) {
  const isHere = idOf(row.currentStation) === idOf(row.laminateStation);
  const wasPresent = PRESENT.includes(board.panes.get(row._id)?.currentStatus);
  if (!isHere || !PRESENT.includes(row.currentStatus))
    endAlert(board, (one) => one.parentPane === idOf(row.parentPane));
  else if (!wasPresent && action !== "scanned") board.incomplete.value += 1;
}

// A pane that left a station today, for another one or finished, or came back because that scan was undone.
function countLog(board, { paneLog: log }) {
  const scan = log?.undone?.at(-1) ?? log; // those before it are what it implied
  if (!LEAVING.includes(scan?.action)) return;
  if (date(Date.parse(scan.occurredAt ?? scan.createdAt)) !== date(serviceTime())) return;
  const station = idOf(scan.station);
  const by = scan === log ? 1 : -1;
  const { value: finished } = board.finished;
  if (finished && !scan.movedTo) board.finished.value = { ...finished, today: Math.max(0, finished.today + by) };
  board.stations.value =
    board.stations.value?.map((one) =>
      one._id === station ? { ...one, outToday: one.outToday === null ? null : Math.max(0, one.outToday + by) } : one,
    ) ?? null;
}

function changeOrder(board, row, action) {
  const before = board.orders.value.get(row._id);
  if (before?.version > row.version) return;
  const orders = new Map(board.orders.value);
  if (action === "deleted" || !OPEN_ORDERS.includes(row.status)) orders.delete(row._id);
  else {
    if (!before) board.incomplete.value += 1; // its customer
    orders.set(row._id, { ...row, request: idOf(row.request), customerShortName: before?.customerShortName ?? null });
    requireDeadline(board, row);
  }
  board.orders.value = orders;
}

const setDeadline = (board, request, moment) =>
  (board.deadlines.value = new Map(board.deadlines.value).set(request, moment));

// Only a snapshot tells the deadline of a request that no event told of.
function requireDeadline(board, { request }) {
  const id = idOf(request);
  if (!id || board.deadlines.value.has(id)) return;
  setDeadline(board, id, Infinity);
  board.incomplete.value += 1;
}

function changeStation(board, row, action) {
  const others = (board.stations.value ?? []).filter((one) => one._id !== row._id);
  const before = board.stations.value?.find((one) => one._id === row._id);
  if (before?.version > row.version) return;
  if (!before && action !== "deleted") board.incomplete.value += 1; // its figures
  const { outToday = 0, stay } = before ?? {};
  const shown = { ...row, outToday, stay, maintenance: row.status === "maintenance" };
  board.stations.value = action === "deleted" ? others : [...others, shown].sort(byPosition);
}

function changeCall(board, row, action) {
  const { value } = board.calls;
  const before = value.find(({ _id }) => _id === row._id);
  if (before?.version > row.version) return;
  const others = value.filter((one) => one !== before);
  const isOver = action === "deleted" || row.status === "ended";
  board.calls.value = isOver ? others : [...others, { ...row, station: idOf(row.station) }];
}

function alert(board, one) {
  board.alerts.value = [one, ...board.alerts.value.filter((other) => about(other) !== about(one))].slice(0, MAX_ALERTS);
}

function endAlert(board, isOver) {
  const others = board.alerts.value.filter((one) => !isOver(one));
  if (others.length < board.alerts.value.length) board.alerts.value = others;
}

const about = ({ kind, pane, parentPane, material, _id }) => [kind, pane ?? parentPane ?? material ?? _id].join();
