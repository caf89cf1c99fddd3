// How much the workshop works between two moments: who sees how long a pane waits does not
// want to hear of the night and the Sunday in it.
//
// The session brings the hours, see `WorkingHours` in its types. Without them every second counts.
import { onEvent } from "./events.js";
import { duration, number, t } from "./i18n.js";
import { renew, session } from "./session.js";

const DAY_S = 86_400;
const MINUTE_MS = 60_000;

// What changes is in force minutes later; a page that misses this learns it with its next session.
onEvent("workingHours:updated", () => void renew().catch(() => {}));

const sums = new WeakMap(); // of each list of runs: they are added up once, not for each row

/** The hours of a station, or of the workshop for one that has none of its own; null where none are set. */
function hoursOf(station) {
  const hours = session.value.workingHours ?? null;
  return hours?.stations[station] ?? hours;
}

/** When each run begins, and how much is worked before, in milliseconds; at the end what is after all runs. */
function added(runs) {
  const known = sums.get(runs);
  if (known) return known;
  const [starts, worked] = [[0], [0]];
  for (const [index, minutes] of runs.entries()) {
    const length = minutes * MINUTE_MS;
    starts.push(starts[index] + length);
    worked.push(worked[index] + (isOn(index) ? length : 0));
  }
  sums.set(runs, { starts, worked });
  return { starts, worked };
}

const isOn = (index) => index % 2 === 1;

/** How much of a time since the beginning of the hours is worked, in milliseconds; all that is before counts. */
function workedIn(elapsed, runs) {
  if (elapsed < 0) return elapsed;
  const { starts, worked } = added(runs);
  let [run, end] = [0, starts.length];
  while (end - run > 1) {
    const middle = (run + end) >> 1;
    if (starts[middle] <= elapsed) run = middle;
    else end = middle;
  }
  return worked[run] + (isOn(run) && run < runs.length ? elapsed - starts[run] : 0);
}

/**
 * The seconds of working time from one moment to another (epoch milliseconds), at a station where
 * its id is given; negative where the second one is earlier.
 * @param {number} from
 * @param {number} to
 * @param {string} [station]
 */
export function workingSeconds(from, to, station) {
  const { workingHours } = session.value;
  if (!workingHours) return (to - from) / 1000;
  const since = Date.parse(workingHours.since);
  const { runs } = hoursOf(station);
  return (workedIn(to - since, runs) - workedIn(from - since, runs)) / 1000;
}

/** How long a usual working day of the workshop, or of a station, is in seconds; 24 hours where no hours are set. */
export function workingDay(station) {
  const hours = hoursOf(station);
  return hours ? hours.dayMinutes * 60 : DAY_S;
}

/**
 * A span of working time in its largest unit, as `duration` does it: a day is a usual working day,
 * "2 working days", "2 วันทำงาน", or in short "2 days".
 * @param {number} seconds
 * @param {{unitDisplay?: "long" | "short", station?: string}} [options]
 */
export function workingDuration(seconds, { unitDisplay = "long", station } = {}) {
  const days = Math.floor(seconds / workingDay(station));
  if (!session.value.workingHours || days < 1) return duration(seconds, { unitDisplay });
  if (unitDisplay === "short") return duration(days * DAY_S, { unitDisplay });
  return t("duration.workingDays", { days: number(days) });
}
