// Working hours in the language of the page.
import { format, number, t } from "../../core/i18n.js";

/** The days of a week, as the API names them. */
export const WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
const MONDAY = Date.UTC(2026, 0, 5);
const A_DAY_MS = 86_400_000;
const UTC = { timeZone: "UTC" };

/** The name of a weekday of the API ("monday"). */
export const weekday = (name) => format(MONDAY + WEEKDAYS.indexOf(name) * A_DAY_MS, { ...UTC, weekday: "long" });

/** A day of the API ("2026-12-05") with its weekday, as people write it. */
export const dayWord = (day) =>
  format(new Date(day), { ...UTC, weekday: "short", day: "numeric", month: "short", year: "numeric" });

/** A span: "08:00–12:00". */
export const spanWord = ({ start, end }) => `${start}–${end}`;

/** The spans of a day. */
export const spansWord = (spans) => spans.map(spanWord).join(", ") || t("hours.notWorked");

/** A week in one line. */
export const weekWord = (week) =>
  week ? WEEKDAYS.map((name) => `${weekday(name)} ${spansWord(week[name])}`).join("; ") : t("hours.allCount");

/** A day off in one line. */
export const dayOffWord = (day) => [dayWord(day.date), day.name].filter(Boolean).join(" ");

/** A length: "8 hours", "7 hours 30 minutes". */
export function lengthWord(minutes) {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  const words = [
    (hours || !rest) && t("hours.hours", { count: number(hours) }),
    rest && t("hours.minutes", { count: number(rest) }),
  ];
  return words.filter(Boolean).join(" ");
}
