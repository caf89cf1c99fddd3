// What is kept, in words: time spans and sizes.
import { duration, hasText, t } from "../../../core/i18n.js";
import { lang } from "../../../core/preferences.js";

/** @type {[string, number][]} */
const SIZES = [
  ["gigabyte", 1e9],
  ["megabyte", 1e6],
  ["kilobyte", 1e3],
];
/** @type {[string, number][]} */
const SPANS = [
  ["day", 86400],
  ["hour", 3600],
  ["minute", 60],
];
const DAY_S = 86400;

/** A backup that is older is no good one any more. */
const OLD_S = 7 * DAY_S;

const units = (value, unit, unitDisplay) =>
  new Intl.NumberFormat(lang.value, { style: "unit", unit, unitDisplay, maximumFractionDigits: 1 }).format(value);

/** A size in bytes in its largest unit: "12.3 MB". */
export function size(bytes) {
  const [unit, one] = SIZES.find(([, one]) => bytes >= one) ?? SIZES.at(-1);
  return units(bytes / one, unit, "short");
}

/** Whole years, however many of them are leap years; 0 for another span. */
function years(seconds) {
  const days = seconds / DAY_S;
  const found = Math.round(days / 365.25);
  return days >= 365 * found && days <= 366 * found ? found : 0;
}

/** A time span as people say it, exactly: "5 years", "7 days", "24 hours". */
export function span(seconds) {
  const found = years(seconds);
  if (found) return units(found, "year", "long");
  const [unit, one] = SPANS.find(([, one]) => seconds % one === 0 && seconds >= 2 * one) ?? ["second", 1];
  return units(seconds / one, unit, "long");
}

/** For how long a kind of data is kept. */
export function howLong({ name, keptForS, keptCount }) {
  const time = keptForS === null ? "" : span(keptForS);
  return hasText(`keptlong.${name}`) ? t(`keptlong.${name}`, { time, count: keptCount }) : time;
}

/** How long ago a moment was, and whether a backup of that moment is too old; `now` in epoch milliseconds. */
export function age(moment, now) {
  const seconds = (now - new Date(moment).getTime()) / 1000;
  return { words: t("keeping.ago", { age: duration(seconds) }), isOld: seconds > OLD_S };
}
