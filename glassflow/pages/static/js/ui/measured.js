// What was measured of a pane, compared with its ordered size and with its tolerance, a free text
// of the contract. The service keeps both and judges neither.
import { number, t } from "../core/i18n.js";

const SIZE = String.raw`(\d+(?:[.,]\d+)?|[.,]\d+)`;
const BOTH_WAYS = new RegExp(`^±?\\s*${SIZE}$`);
const ONE_WAY = new RegExp(`^([+-])\\s*${SIZE}$`);
const EACH_WAY = new RegExp(`^([+-])\\s*${SIZE}\\s*[/,;]?\\s*([+-])\\s*${SIZE}$`);
const UNIT = /(\d)\s*(?:mm|มม|มิลลิเมตร)\.?/gi;
const ROUNDING = 1e-9; // 0.1 + 0.2 is a little more than 0.3

/** A tolerance as it was typed -> {minus, plus} in mm, both from 0 up; null where it cannot be read. */
export function toleranceOf(text) {
  const typed = String(text ?? "")
    .trim()
    .replace(/[−–]/g, "-")
    .replace(/^\+\s*\/?\s*-/, "±")
    .replace(UNIT, "$1");
  const both = BOTH_WAYS.exec(typed);
  if (both) return { minus: sizeOf(both[1]), plus: sizeOf(both[1]) };
  const [, sign, size, otherSign, otherSize] = EACH_WAY.exec(typed) ?? ONE_WAY.exec(typed) ?? [];
  if (!sign || sign === otherSign) return null;
  const [one, other] = [sizeOf(size), otherSign ? sizeOf(otherSize) : 0];
  return sign === "+" ? { minus: other, plus: one } : { minus: one, plus: other };
}

const sizeOf = (text) => Number(text.replace(",", "."));

/**
 * The measured values that can be compared: [{name, off, outside}].
 *
 * `name` is "width", "height" or "diagonals". `off` is how many mm a side is longer than ordered,
 * and by how much the diagonals differ, to 0.1 mm. `outside`: it is beyond the tolerance; null where
 * that cannot be read. `measured` is {width, height, diagonals}, `ordered` {width, height}, each with
 * what there is of it; `tolerance` is the text, or what `toleranceOf` has made of it.
 */
export function findings(measured, ordered, tolerance) {
  const limits = tolerance && typeof tolerance === "object" ? tolerance : toleranceOf(tolerance);
  const found = ["width", "height"]
    .filter((name) => measured[name] > 0 && ordered?.[name] > 0)
    .map((name) => {
      const off = toTenths(measured[name] - ordered[name]);
      return { name, off, outside: limits && (isOver(off, limits.plus) || isOver(-off, limits.minus)) };
    });
  if (measured.diagonals?.length !== 2) return found;
  const off = toTenths(Math.abs(measured.diagonals[0] - measured.diagonals[1]));
  // EN 12150-1 lets the diagonals differ by twice the tolerance of the sides
  return [...found, { name: "diagonals", off, outside: limits && isOver(off, limits.minus + limits.plus) }];
}

const toTenths = (value) => Math.round(value * 10) / 10 || 0; // no -0
const isOver = (value, limit) => value - limit > ROUNDING;

/** Whether anything measured is beyond the tolerance; takes what `findings` takes. */
export const isOutside = (measured, ordered, tolerance) =>
  findings(measured, ordered, tolerance).some(({ outside }) => outside);

/** A finding in words: "Width 3 mm too large". */
export function inWords({ name, off }) {
  const how = off === 0 ? "exact" : off > 0 ? "more" : "less";
  return t(`measured.${name}_${how}`, { size: number(Math.abs(off)) });
}
