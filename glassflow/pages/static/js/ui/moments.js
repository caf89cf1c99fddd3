// Moments as fields show them: the date and the time in the workshop's time zone.
import { timeZone } from "../core/preferences.js";

/** @type {Intl.DateTimeFormatOptions} */
const PARTS = {
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
  numberingSystem: "latn",
  calendar: "gregory",
};

/** The last value of <input type="datetime-local">: without one, browsers take years of six digits. */
export const LATEST = "9999-12-31T23:59";

let zone, formatter; // to make one takes longer than all that it formats

function inZone() {
  if (!formatter || zone !== timeZone.value)
    formatter = new Intl.DateTimeFormat("en", { ...PARTS, timeZone: (zone = timeZone.value) });
  return formatter;
}

/** The number of the workshop's day at a moment (epoch milliseconds): the next day has the next one. */
export const dayNumber = (moment) => Date.parse(toLocal(moment).slice(0, 10)) / 86_400_000;

/** A moment (ISO 8601, epoch milliseconds) as the value of <input type="datetime-local">; "" for none. */
export function toLocal(iso) {
  if (!iso) return "";
  const part = Object.fromEntries(
    inZone()
      .formatToParts(new Date(iso))
      .map(({ type, value }) => [type, value]),
  );
  return `${part.year.padStart(4, "0")}-${part.month}-${part.day}T${part.hour}:${part.minute}`;
}

/** The ISO 8601 moment of such a value; null for none. */
export function fromLocal(local) {
  if (!local) return null;
  const asUtc = Date.parse(`${local}Z`);
  let moment = asUtc;
  for (let turn = 0; turn < 2; turn += 1)
    // once more where the clocks change in between
    moment = asUtc - (Date.parse(`${toLocal(new Date(moment).toISOString())}Z`) - moment);
  return new Date(moment).toISOString();
}
