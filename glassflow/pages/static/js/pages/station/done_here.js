// What was scanned on this device at a station: the last scans, and the panes of today. Names are not kept.
import { signal } from "../../../vendor/ui.js";
import { OPEN } from "../../core/pane_flow.js";
import { dayNumber } from "../../ui/moments.js";
import { scansOf } from "../scan_page/requests.js";
import { STAYS } from "./assumed.js";
import { loadDone, saveDone } from "./kept.js";

const MOST = 50; // scans, some of which may still be undone
const NOTHING = { scans: [], day: 0, made: {} };

const begins = (action) => STAYS[action] === "in_progress";

/** Whether a pane is made here with an action: it is done, or handed on. */
export const makes = (action) => !begins(action) && action !== "qc_fail";

export class DoneHere {
  /**
   * {scans, day, made}. `scans` are the answered ones, the newest first: {key, number, action, at (epoch
   * milliseconds of the service), version, isUndone}; `made` has how many scans made each pane on
   * `day`, by its number.
   */
  facts;
  #station;

  constructor(station) {
    this.#station = station;
    this.facts = signal(loadDone(station) ?? NOTHING);
  }

  /** Take the answer of a request of the outbox, once. */
  noteAnswer(request, { data }) {
    if (request.body.station !== this.#station) return;
    scansOf(request).forEach((scan, i) => this.#note(scan, data.panes?.[i] ?? data.pane));
  }

  #note({ number, action, at: occurredAt }, { version }) {
    const at = Date.parse(occurredAt);
    const key = `${number} ${action} ${occurredAt}`;
    this.#change(({ scans, day, made }) => {
      if (scans.some((one) => one.key === key)) return null; // all tabs of the device are told
      const onDay = dayNumber(at);
      const count = onDay > day ? {} : { ...made };
      const before = count[number];
      if (onDay >= day) {
        if (makes(action)) count[number] = (before ?? 0) + 1;
        else if (action === "qc_fail") delete count[number];
      }
      const row = { key, number, action, at, version, before };
      const later = [row, ...scans].sort((a, b) => b.at - a.at).slice(0, MOST);
      return { scans: later, day: Math.max(day, onDay), made: count };
    });
  }

  /** Take a pane after an undo or a correction, of this device or another one. */
  noteCorrected(pane) {
    const last = this.facts.value.scans.find((one) => one.number === pane.paneNumber && !one.isUndone);
    if (!last || pane.version <= last.version || !this.#isUndone(last, pane)) return;
    this.#change(({ scans, day, made }) => {
      const count = { ...made };
      if (dayNumber(last.at) === day) {
        delete count[last.number];
        if (last.before) count[last.number] = last.before;
      }
      return { scans: scans.map((one) => (one.key === last.key ? { ...one, isUndone: true } : one)), day, made: count };
    });
  }

  #isUndone({ action }, { currentStation, currentStatus }) {
    if (currentStation !== this.#station) return false;
    if (begins(action)) return currentStatus === "pending";
    return OPEN.includes(currentStatus) && (action !== "complete" || currentStatus !== "awaiting_scan_out");
  }

  // Another tab of this device may have added to what is stored.
  #change(next) {
    const stored = loadDone(this.#station) ?? this.facts.value;
    this.facts.value = next(stored) ?? stored;
    saveDone(this.#station, this.facts.value);
  }
}
