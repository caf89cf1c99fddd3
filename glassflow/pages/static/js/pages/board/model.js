// What the board shows: a snapshot, and the events after it. Nothing else changes it.
import { signal } from "../../../vendor/ui.js";
import { hourMinute } from "../../core/i18n.js";
import { OPEN } from "../../core/pane_flow.js";
import { workingDay, workingSeconds } from "../../core/working_time.js";
import { change, momentOf } from "./changes.js";

// What is kept of a pane.
const FIELDS = [
  "_id",
  "paneNumber",
  "currentStation",
  "currentStatus",
  "request",
  "arrivedAt",
  "version",
  "width",
  "height",
];

export class Board {
  stations = signal(null); // in the order of their positions; null without their key
  finished = signal(null); // {today, usual} of panes, as GET /api/board has it; null without its key
  orders = signal(new Map());
  deliveries = signal([]); // of today, as GET /api/board has them
  deadlines = signal(new Map()); // request id: epoch milliseconds, Infinity without one
  alerts = signal([]);
  calls = signal([]); // those that have not ended
  feed = signal([]); // what was scanned last, newest first
  urgent = signal(null); // {title, message}
  incomplete = signal(0); // raised where an event names what only a snapshot tells
  takenAt = signal(0); // when the snapshot was taken (epoch milliseconds); 0: there is none
  panes = new Map();
  seq = 0; // of the last event that is shown
  #lanes = new Map(); // station id: {panes: Map, version: signal}
  #early = null; // the events since a snapshot was asked for; null while none is awaited

  /** The panes at a station; whoever reads them is drawn again when they change. */
  at(station) {
    const lane = this.#lane(station);
    lane.version.value;
    return lane.panes;
  }

  #lane(station) {
    if (!this.#lanes.has(station)) this.#lanes.set(station, { panes: new Map(), version: signal(0) });
    return this.#lanes.get(station);
  }

  /** When a pane or an order is due: with its request, in epoch milliseconds. */
  dueOf = ({ request }) => this.deadlines.value.get(request);

  /** Whether an open pane or order is late. */
  isLate = (one, moment) => this.dueOf(one) < moment;

  /** Remember the events from now on, for the snapshot that is asked for now. */
  await() {
    this.#early = [];
  }

  /** Show a snapshot, `data` of GET /api/board or of `dump()`, and the events after it. */
  load(data, takenAt) {
    this.panes.clear();
    for (const lane of this.#lanes.values()) lane.panes.clear();
    for (const row of data.panes?.rows ?? [])
      this.put(Object.fromEntries(data.panes.fields.map((name, i) => [name, row[i]])));
    for (const lane of this.#lanes.values()) lane.version.value += 1;
    this.stations.value = data.stations;
    this.finished.value = data.finished ?? null; // an earlier release has none
    this.orders.value = new Map((data.orders ?? []).map((order) => [order._id, order]));
    this.deliveries.value = data.deliveries ?? [];
    this.deadlines.value = new Map(
      Object.entries(data.deadlines ?? {}).map(([id, deadline]) => [id, momentOf(deadline)]),
    );
    this.alerts.value = data.alerts;
    this.calls.value = data.calls ?? []; // null without their key
    this.takenAt.value = takenAt;
    this.seq = data.seq;
    const early = this.#early ?? [];
    this.#early = null;
    for (const event of early) this.receive(...event);
  }

  /** What is shown now, as a snapshot. */
  dump() {
    const rows = [...this.panes.values()].map((pane) => FIELDS.map((name) => pane[name]));
    return {
      seq: this.seq,
      stations: this.stations.value,
      finished: this.finished.value,
      panes: { fields: FIELDS, rows },
      orders: [...this.orders.value.values()],
      deliveries: this.deliveries.value,
      deadlines: Object.fromEntries(
        [...this.deadlines.value].map(([id, moment]) => [
          id,
          moment < Infinity ? new Date(moment).toISOString() : null,
        ]),
      ),
      alerts: this.alerts.value,
      calls: this.calls.value,
    };
  }

  /** Apply an event, unless the snapshot contains it. */
  receive(name, payload, meta) {
    this.#early?.push([name, payload, meta]);
    if (meta?.seq <= this.seq) return;
    this.seq = meta?.seq ?? this.seq;
    change(this, name, payload);
  }

  /** Put a pane where its record says that it is; an older record changes nothing. */
  put(pane, heardAt = 0) {
    const before = this.panes.get(pane._id);
    if (before?.version > pane.version) return;
    this.remove(pane._id);
    if (!pane.currentStation || !OPEN.includes(pane.currentStatus)) return;
    const moved = before?.currentStation !== pane.currentStation;
    pane.since = Date.parse(pane.arrivedAt);
    pane.movedAt = moved ? heardAt : before.movedAt;
    this.panes.set(pane._id, pane);
    const lane = this.#lane(pane.currentStation);
    lane.panes.set(pane._id, pane);
    lane.version.value += 1;
  }

  remove(pane) {
    const before = this.panes.get(pane);
    if (!before) return;
    this.panes.delete(pane);
    const lane = this.#lane(before.currentStation);
    lane.panes.delete(pane);
    lane.version.value += 1;
  }
}

/**
 * Whether a pane is at its station longer than usual at a moment: than 85 % of the stays there, in
 * working time; than a working day where those are not known.
 */
export const isOver = ({ since, currentStation: station }, stay, moment) =>
  workingSeconds(since, moment, station) > (stay?.p85 ?? workingDay(station));

/** How many panes are usually finished by a moment; `usual` has those by the end of each hour, or is null. */
export function usualBy(usual, moment) {
  if (!usual) return null;
  const [hours, minutes] = hourMinute(moment).split(":").map(Number);
  const hour = hours % 24; // midnight may be written 24:00
  const before = usual[hour - 1] ?? 0;
  return Math.round(before + ((usual[hour] - before) * minutes) / 60);
}

/** The stations that "id,name" chooses: ids, or parts of names. All by default. */
export function chosen(stations, text) {
  const wanted = (text ?? "")
    .toLowerCase()
    .split(",")
    .map((one) => one.trim())
    .filter(Boolean);
  return stations.filter(
    ({ _id, name }) => wanted.length === 0 || wanted.some((one) => _id === one || name.toLowerCase().includes(one)),
  );
}
