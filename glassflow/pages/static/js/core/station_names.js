// The names of stations. A name in two languages is written "ตัดกระจก (Cutting)".
import { lang } from "./preferences.js";

const THAI = /[\u0e01-\u0e5b]/;

/** The name in the language of the page, and the one in the other language or "". */
export function namesOf({ name = "" } = {}) {
  const [, first, second] = /^(.+?)\s*\(([^()]+)\)\s*$/.exec(name) ?? [];
  const isThai = THAI.test(first);
  const other = isThai ? second : first; // than the Thai one
  if (!second || THAI.test(second) === isThai || !/[A-Za-z]/.test(other)) return [name, ""];
  return isThai === (lang.value === "th") ? [first, second] : [second, first];
}

/** The order of stations everywhere: by their positions, and of equal ones by age. */
export const byPosition = (one, other) => one.position - other.position || (one._id < other._id ? -1 : 1);

/** The name in the language of the page. */
export const nameOf = (station) => namesOf(station)[0];
