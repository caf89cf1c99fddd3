// The rules of cutting as domain/cutting/rules.py has them.
import { numberOf } from "../../../ui/numbers.js";

/** The names of the rules, in the order of the page. */
export const RULES = [
  "edgeTrim",
  "leastDistance",
  "kerf",
  "allowance",
  "remnantShort",
  "remnantLong",
  "scrapAfterDays",
  "leastUsePercent",
];
const LEAST_DISTANCE = 15; // mm
const DISTANCE_FACTOR = 2; // of the thickness

/**
 * What the common rules say of glass of a thickness, a number or as it is typed, where its own row says nothing; null
 * for none.
 */
export function inForce(name, thickness, common) {
  const value = common[name] ?? null;
  const mm = numberOf(thickness);
  if (name !== "leastDistance" || value !== null || !(mm > 0)) return value;
  return Math.max(LEAST_DISTANCE, DISTANCE_FACTOR * mm);
}
