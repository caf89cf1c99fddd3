// What the morning page says in words: which day it is of, how a share has changed, and whether
// there is anything to say.
import { format } from "../../../core/i18n.js";
import { dayNumber } from "../../../ui/moments.js";

const WEEK = 7; // days: the weekday alone would be that of another week

/** A day of the workshop (ISO 8601) by options of `Intl`. */
const ofDay = (day, options) => format(Date.parse(day), { ...options, timeZone: "UTC" });

/** The weekday of a day: "Friday", "วันศุกร์". */
export const weekdayOf = (day) => ofDay(day, { weekday: "long" });

/** A day without the year: "22 Nov". */
export const dayMonthOf = (day) => ofDay(day, { day: "numeric", month: "short" });

/** How a day before `now` (epoch milliseconds) is named: {kind: "yesterday", "weekday" or "date", day}. */
export function nameOfDay(day, now) {
  const ago = dayNumber(now) - Date.parse(day) / 86_400_000;
  if (ago < 2) return { kind: "yesterday" };
  if (ago < WEEK) return { kind: "weekday", day: weekdayOf(day) };
  return { kind: "date", day: dayMonthOf(day) };
}

/** A share in whole percent. */
export const percentOf = ({ onTime, orders }) => Math.round((100 * onTime) / orders);

/** How a share compares with the one before, as both are shown: "up", "down", "level", or null without one before. */
export function trendOf({ onTime, orders, before }) {
  if (!before.orders) return null;
  const change = percentOf({ onTime, orders }) - percentOf(before);
  return change === 0 ? "level" : change > 0 ? "up" : "down";
}

/** Whether no part has anything to say, as in a workshop that has had no order. */
export function isEmpty({ finished, late, soon, remakes, jam, onTime, deliveries, lowStock, ...money }) {
  const counts = [
    finished?.panes,
    late?.count,
    soon?.count,
    remakes?.panes,
    jam?.panes,
    onTime?.orders,
    onTime?.before.orders,
    deliveries.length,
    lowStock?.length,
    money.undelivered?.panes,
    money.unbilled?.count,
    money.unpaid?.invoices,
    money.expiring?.count,
  ];
  return !counts.some(Boolean);
}
