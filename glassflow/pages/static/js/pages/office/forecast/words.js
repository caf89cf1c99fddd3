// A forecast in words: its days, how another plan moves them, how well earlier forecasts held, which orders
// would be late, and what another plan is.
import { format, number } from "../../../core/i18n.js";
import { dayNumber } from "../../../ui/moments.js";

/** The odds of the dates, of 100; customers are told the second one. */
export const ODDS = [50, 85, 95];

/** The end of the work of a day (ISO 8601) as a moment of that day: midnight is its end, too. */
const momentOf = (end) => Date.parse(end) - 1;

/** @type {Intl.DateTimeFormatOptions} */
const LONG = { weekday: "long", day: "numeric", month: "short", year: "numeric" };
/**
 * As tables show days.
 * @type {Intl.DateTimeFormatOptions}
 */
export const SHORT = { weekday: "short", day: "numeric", month: "short" };

/** The day on which the work ends, with its weekday; `options` are those of `Intl`. */
export const dayOf = (end, options = LONG) => format(momentOf(end), options);

/** How many days one end of the work is before another one, as [key, values] of a text. */
export function changeSaid(before, after) {
  const days = dayNumber(momentOf(after)) - dayNumber(momentOf(before));
  if (!days) return ["forecast.sameDay"];
  return [days < 0 ? "forecast.earlier" : "forecast.later", { count: Math.abs(days), day: dayOf(before, SHORT) }];
}

/** How many of the earlier forecasts held. */
export function heldSaid({ judged, held, isOff }) {
  if (!held) return ["forecast.notJudged"];
  return [isOff ? "forecast.off" : "forecast.held", { judged: number(judged), ...held }];
}

/** Which promised orders would be late. */
export function lateSaid(late) {
  const count = late.filter(({ wasLate }) => !wasLate).length;
  if (count) return ["forecast.late", { count: number(count) }];
  return [late.length ? "forecast.noMoreLate" : "forecast.noneLate"];
}

/** The plan that a form has {extraShifts, station, first}, as the API takes it; null where it changes nothing. */
export function planOf(values) {
  const asked = Object.entries(values).filter(([, value]) => value);
  return asked.length ? Object.fromEntries(asked) : null;
}

/** The parts of such a plan, each as [key, values]; `nameOf(station)` names a station by its id. */
export function planSaid({ extraShifts, station, first }, nameOf) {
  return [
    extraShifts && ["forecast.withShifts", { count: number(extraShifts) }],
    station && ["forecast.withMachine", { station: nameOf(station) }],
    first && ["forecast.withFirst"],
  ].filter(Boolean);
}
