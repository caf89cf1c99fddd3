// Calls for help and stops of machines, as the board and the bar of the pages show them.
import { duration } from "../core/i18n.js";
import { idOf, withChange } from "../core/records.js";
import { workingDuration, workingSeconds } from "../core/working_time.js";

const MINUTE_S = 60;

/** The icon of each kind of call. */
export const CALL_ICONS = { machine: "wrench", glass: "layers", question: "circle-help", other: "bell" };

/** Calls in the order in which they need somebody: a machine that stands first, then the oldest. */
export const inOrder = (calls) =>
  [...calls].sort((a, b) => b.machineStands - a.machineStands || (a.calledAt < b.calledAt ? -1 : 1));

/**
 * For how long a call is open at a moment, in words: as long as somebody waits, or for a maintenance, which
 * lasts over nights, in working time of its station; then no less than a minute. `options` as of `duration`.
 */
export function openFor({ calledAt, refusesScanIn, station: place }, now, options = {}) {
  const at = Date.parse(calledAt);
  if (!refusesScanIn) return duration((now - at) / 1000, options);
  const station = idOf(place);
  return workingDuration(Math.max(MINUTE_S, workingSeconds(at, now, station)), { ...options, station });
}

/** Calls after an event: without those that have ended. */
export const withCall = (calls, payload) => withChange(calls, payload).filter(({ status }) => status !== "ended");

/**
 * The calls that concern a worker who may answer: first those that they answer, then those that
 * nobody has taken. A station in maintenance waits for nobody.
 */
export function callsFor(calls, worker) {
  const own = calls.filter(({ status, takenBy }) => status === "taken" && idOf(takenBy) === worker);
  const open = calls.filter(({ status, refusesScanIn }) => status === "open" && !refusesScanIn);
  return [...inOrder(own), ...inOrder(open)];
}
