// Working hours: the week and the days off, as the form shows and changes them.
import { WEEKDAYS } from "../hours_words.js";

export const MOST_SPANS = 4; // of a day, as the service takes them
export const MOST_LETTERS = 200; // of the name of a day off
const DAY = 24 * 60; // minutes
const MIDNIGHT = "00:00";

const usualSpans = () => [
  { start: "08:00", end: "12:00" },
  { start: "13:00", end: "17:00" },
];

/** What the form begins with where no hours are set: Monday to Saturday, with a lunch break. */
export const proposedWeek = () =>
  Object.fromEntries(WEEKDAYS.map((day) => [day, day === "sunday" ? [] : usualSpans()]));

/** The week in which a day is worked, or not. */
export const withDay = (week, day, works) => ({ ...week, [day]: works ? usualSpans() : [] });

/** The week in which all days that are worked are as Monday. */
export const likeMonday = (week) =>
  Object.fromEntries(WEEKDAYS.map((day) => [day, week[day].length ? week.monday.map((span) => ({ ...span })) : []]));

/** Minutes from midnight on of "08:30"; NaN for what is no time. */
function minuteOf(time) {
  const [hours, minutes] = time.split(":").map(Number);
  return hours * 60 + minutes;
}

/** The minutes of a span, NaN while it is not typed whole. One that does not end after its start ends on the next day. */
function minutesOf({ start, end }) {
  const minutes = minuteOf(end) - minuteOf(start);
  return minutes <= 0 ? minutes + DAY : minutes;
}

/** Whether a span ends on the next day, later than at midnight. */
export const endsNextDay = ({ start, end }) => end !== MIDNIGHT && minuteOf(end) <= minuteOf(start);

/**
 * {minutes, dayMinutes} of a week: how long it is, and how long a usual working day is, as the service
 * counts it; null while a span is not typed whole, and without a day.
 */
export function sumOf(week) {
  const worked = WEEKDAYS.map((day) => week[day]).filter((spans) => spans.length);
  const minutes = worked.flat().reduce((sum, span) => sum + minutesOf(span), 0);
  return minutes ? { minutes, dayMinutes: Math.round(minutes / worked.length) } : null;
}

/** Days off by date. */
const byDate = (days) => [...days].sort((one, other) => (one.date < other.date ? -1 : 1));

/** The days off with one more. */
export const withDayOff = (daysOff, day) => byDate([...daysOff, day]);

/**
 * The days off with the holidays from `today` to the end of next year that are missing:
 * {daysOff, count, until}. `known` is {holidays, until} of the service, which knows none later
 * than its `until`; `language` is that of the names.
 */
export function withHolidays(daysOff, known, today, language) {
  const nextYear = `${Number(today.slice(0, 4)) + 1}-12-31`;
  const until = known.until < nextYear ? known.until : nextYear;
  const there = daysOff.map(({ date }) => date);
  const missing = known.holidays
    .filter(({ date }) => date >= today && date <= until && !there.includes(date))
    .map(({ date, name }) => ({ date, name: name[language] }));
  return { daysOff: byDate([...daysOff, ...missing]), count: missing.length, until };
}

/**
 * The messages of the faults at or in an object, such as a day of the week, of the `values` in which they
 * were found. It may stand at another place by now; one that has been changed has none.
 */
export function faultsIn(object, faults, values) {
  const leadsTo = ({ field = "" }) => {
    let value = values;
    return field.split(".").some((name) => (value = value?.[name]) === object);
  };
  return [...new Set(faults.filter(leadsTo).map(({ message }) => message))];
}
