// The panes at a station: late ones first, then by priority, then the oldest.
import { signal } from "../../../vendor/ui.js";
import { api } from "../../core/api.js";
import { outbox } from "../../core/outbox.js";
import { OPEN } from "../../core/pane_flow.js";
import { idOf, updated } from "../../core/records.js";
import { rackOf, scansOf } from "../scan_page/requests.js";
import { assume } from "./assumed.js";
import { DoneHere } from "./done_here.js";
import { isLate, POPULATE } from "./pane.js";

/** The fields of a pane that are read for a list of panes. */
export const FIELDS =
  "paneNumber,mark,currentStatus,currentStation,dimensions,dimensionTolerance,glassTypeLabel,holes,notches," +
  "edgeTasks,notes,makeability,laminateRole,parentPane,material,order,request,rack,routing,routeIndex,arrivedAt,createdAt,updatedAt,version";
const PAGE = 100; // the service's largest
const MAX_PANES = 1000; // beyond, no list helps anybody
const AWAY = ["outside", "left"];
const CORRECTIONS = ["undo", "updated"]; // of this page, and of events
const RELOAD_MS = 1500; // events of many new panes cause one reload

/** What is shown of the queue: `text` that was typed, and panes that are `due` ("late", "today"). */
export const NO_FILTER = { text: "", due: null };

/** Whether a pane is no work of this station, as far as this device knows: it is not counted. */
export const isAway = ({ currentStatus }) => AWAY.includes(currentStatus);

/** Panes in the order in which they are to be worked on; those that are away are last. */
export function inOrder(panes, now) {
  const facts = panes.map((pane) => ({
    pane,
    away: AWAY.indexOf(pane.currentStatus),
    late: Number(isLate(pane, now)),
    priority: pane.order?.priority ?? 0,
    since: Date.parse(pane.arrivedAt ?? pane.createdAt) || 0,
  }));
  facts.sort(
    (a, b) =>
      a.away - b.away ||
      b.late - a.late ||
      b.priority - a.priority ||
      a.since - b.since ||
      (a.pane.paneNumber < b.pane.paneNumber ? -1 : 1),
  );
  return facts.map(({ pane }) => pane);
}

/** The panes at the station of a desk, after the scans that this device keeps; null before they are known. */
export function hereOf({ id, queue, place }) {
  const panes = queue.panes.value;
  const scans = keptScans(id);
  const laminates = place.value?.station?.isLaminateStation;
  return (
    panes &&
    withRacks(
      withKept(panes, scans, laminates, (one) => queue.isOutside(one)),
      outbox.value.kept,
    )
  );
}

/** The panes with the racks that they were put on by requests which the device keeps. */
function withRacks(panes, rows) {
  const racks = new Map();
  for (const row of rows) {
    const { rack, act } = rackOf(row) ?? {};
    if (rack && act !== "scan")
      for (const one of row.body.paneNumbers) racks.set(one, act === "put" ? { rackNumber: rack } : null);
  }
  if (!racks.size) return panes;
  return panes.map((pane) => (racks.has(pane.paneNumber) ? { ...pane, rack: racks.get(pane.paneNumber) } : pane));
}

/** The scans at a station that this device keeps: [{number, action, at (epoch milliseconds)}]. */
export const keptScans = (station) =>
  outbox.value.kept
    .filter(({ body }) => body.station === station)
    .flatMap((row) => scansOf(row).map((scan) => ({ ...scan, at: row.keptAt })));

/**
 * The panes as they are after scans that the device keeps, [{number, action}]: each such pane has
 * the last action as `kept`, and the status "left" once it has left. One that is not in the queue,
 * `isOutside(number)`, has the status "outside", unless somebody has said that it is here. The
 * service knows of none of this yet. `laminates`: see assumed.js.
 */
export function withKept(panes, scans, laminates, isOutside) {
  const kept = new Map(scans.map(({ number, action }) => [number, action]));
  const known = new Map(panes.map((pane) => [pane.paneNumber, pane]));
  const changed = [...kept].map(([number, action]) => ({
    _id: number,
    ...assume(number, known.get(number), scans, laminates).pane,
    ...(isOutside(number) && !isSaidHere(number, scans) && { currentStatus: "outside" }),
    kept: action,
  }));
  return [...panes.filter(({ paneNumber }) => !kept.has(paneNumber)), ...changed];
}

const isSaidHere = (number, scans) => scans.some((one) => one.number === number && one.action === "move_here");

/** How many panes are in each open status, in the order of the work. */
export function counts(panes) {
  const found = Object.fromEntries(OPEN.map((status) => [status, 0]));
  for (const pane of panes) if (pane.currentStatus in found) found[pane.currentStatus] += 1;
  return found;
}

export class Queue {
  /** The panes in no order, or null before they are known. */
  panes = signal(null);
  /** The error of the last attempt to read them, or null. */
  error = signal(null);
  /** Whether `panes` are all of them. */
  isWhole = true;
  /** What is shown of them; see NO_FILTER. */
  filter = signal(NO_FILTER);
  /** What was scanned here on this device. */
  done;
  #station;
  #known = new Map(); // ids of orders, requests and racks -> what is shown of them
  #timer;
  #reading = null;

  constructor(station, kept) {
    this.#station = station;
    this.done = new DoneHere(station);
    if (kept) this.#replace(kept.panes, kept.isWhole ?? kept.panes.length < MAX_PANES);
  }

  /** Show the panes only that have a typed text; all of them for "". */
  search(text) {
    if (text !== this.filter.value.text) this.filter.value = { ...NO_FILTER, text };
  }

  find(number) {
    return this.panes.value?.find((pane) => pane.paneNumber === number);
  }

  /** What a pane is taken for without network: see assumed.js; `outside` where it is not in the queue. */
  assume(number, waiting, laminates) {
    const outside = this.isOutside(number) && !isSaidHere(number, waiting);
    return { ...assume(number, this.find(number), waiting, laminates), outside };
  }

  /** Whether this device knows the queue, and a pane is not in it: nor a sheet of the unit of this number. */
  isOutside(number) {
    const isIt = ({ paneNumber }) => paneNumber === number || paneNumber.startsWith(`${number}-`);
    return this.isWhole && Boolean(this.panes.value) && !this.panes.value.some(isIt);
  }

  /** Read all panes again; calls during a read are answered by one more. */
  async load() {
    clearTimeout(this.#timer);
    if (this.#reading) return this.#later();
    const newer = (this.#reading = new Map()); // what events say meanwhile, by id
    try {
      const { rows, isWhole } = await this.#read();
      const fresh = rows.map((row) => later(row, newer.get(row._id))).filter(Boolean);
      const arrived = [...newer.values()].filter((one) => !rows.some((row) => row._id === one._id));
      this.#replace(
        [...fresh, ...arrived].filter((pane) => pane.currentStation === this.#station),
        isWhole,
      );
      this.error.value = null;
    } catch (error) {
      this.error.value = error;
    } finally {
      this.#reading = null;
    }
    return undefined;
  }

  /** A pane with what this device knows of its order, request and rack. */
  whole(pane) {
    const { order, request, rack } = pane;
    return { ...pane, order: this.#full(order), request: this.#full(request), rack: this.#full(rack) };
  }

  /** Take what an event says of an order, a request or a rack. */
  note(data) {
    const before = this.#known.get(data._id);
    if (!before) return;
    const fresh = updated(before, data);
    const now = Object.fromEntries(Object.keys(before).map((name) => [name, fresh[name]]));
    if (JSON.stringify(now) === JSON.stringify(before)) return;
    this.#known.set(data._id, now);
    const isOf = (pane) => [pane.order, pane.request, pane.rack].some((one) => idOf(one) === data._id);
    const panes = this.panes.value ?? [];
    if (panes.some(isOf)) this.panes.value = panes.map((pane) => (isOf(pane) ? this.whole(pane) : pane));
    if (this.#reading || typeof now.customer !== typeof before.customer) this.#later(); // its name is not known
  }

  close() {
    clearTimeout(this.#timer);
  }

  /** Take an event `pane:updated`, or a pane as a scan has answered it. */
  receive({ action, data, truncated = false }) {
    if (truncated) return this.#later();
    if (CORRECTIONS.includes(action)) this.done.noteCorrected(data);
    const panes = this.panes.value ?? [];
    const before = panes.find((pane) => pane._id === data._id);
    if (before && before.version > data.version) return undefined;
    const here = action !== "deleted" && data.currentStation === this.#station;
    const pane = { ...this.whole(data), currentStation: here ? this.#station : null };
    this.#reading?.set(data._id, pane);
    if (here && [pane.order, pane.request, pane.rack].some((one) => typeof one === "string")) this.#later();
    if (!here && !before) return undefined;
    const others = panes.filter((one) => one._id !== data._id);
    this.panes.value = here ? [...others, pane] : others;
    if (!this.isWhole && others.length < MAX_PANES - PAGE) this.#later(); // others have a place in it
    return undefined;
  }

  /** Take a pane as a kept scan was answered. One that is not in the queue may have left since then. */
  answered(action, pane) {
    if (this.find(pane.paneNumber)) this.receive({ action, data: pane });
    else if (pane.currentStation === this.#station) this.#later();
  }

  #full(reference) {
    return this.#known.get(idOf(reference)) ?? reference;
  }

  #later() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.load(), RELOAD_MS);
  }

  async #read() {
    const rows = [];
    // by page numbers, a pane that leaves meanwhile would hide another one
    let cursor = "*";
    while (cursor && rows.length < MAX_PANES) {
      const query = `station=${this.#station}&limit=${PAGE}&cursor=${cursor}&sort=createdAt`;
      const { data, pagination } = await api(`/panes?${query}&populate=${POPULATE}&fields=${FIELDS}`);
      rows.push(...data);
      cursor = pagination.next;
    }
    return { rows, isWhole: !cursor };
  }

  #replace(panes, isWhole) {
    this.isWhole = isWhole;
    for (const { order, request, rack } of panes) {
      for (const one of [order, request, rack]) if (one?._id) this.#known.set(one._id, one);
    }
    this.panes.value = panes;
  }
}

function later(row, event) {
  return event && event.version > row.version ? event : row;
}
