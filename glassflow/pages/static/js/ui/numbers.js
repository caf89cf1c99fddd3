// Numbers as people type them: with units, separators of thousands, Thai digits.

const THAI_ZERO = 0x0e50;

/** Units that may stand behind a length, and how many mm they are; some end as others do. */
const LENGTHS = [
  { unit: /(มิลลิเมตร|มม\.?|mm\.?)$/i, mm: 1 },
  { unit: /(เซนติเมตร|ซม\.?|cm\.?)$/i, mm: 10 },
  { unit: /(เมตร|ม\.|met(er|re)s?)$/i, mm: 1000 },
  { unit: /(นิ้ว|inch(es)?|")$/i, mm: 25.4 },
];
/** The unit of length behind a text {unit, mm}; undefined without one. */
export const lengthOf = (text) => LENGTHS.find(({ unit }) => unit.test(text.trim()));

/** Whether a size could be two numbers: "1.200" may be meant as 1,200 mm. */
export const isAmbiguous = (text) => /^[1-9]\d?\.\d{3}$/.test(text);

/**
 * A number as a text of digits: without separators of thousands, with Latin digits, without
 * its unit, that of a length in mm unless another `unit` is given. A length without a unit is in units of
 * `factor` mm. What is no number stays as it was typed.
 */
export function numberText(text, unit = undefined, factor = 1) {
  const digits = text.trim().replace("−", "-"); // the minus of amounts on pages
  const latin = digits.replace(/[๐-๙]/g, (digit) => digit.charCodeAt(0) - THAI_ZERO);
  const { unit: suffix, mm: times } = unit ? { unit, mm: 1 } : (lengthOf(latin) ?? { unit: "", mm: factor });
  const bare = latin
    .replace(suffix, "")
    .trim()
    .replace(/(\d)[,\s](?=\d{3}(\D|$))/g, "$1");
  if (!/^[+-]?(\d+\.?\d*|\.\d+)$/.test(bare)) return text.trim();
  if (times === 1) return bare;
  return isAmbiguous(bare) ? text.trim() : String(Number((Number(bare) * times).toFixed(3)));
}

/** A number that was typed: null for nothing, and the text itself where it is none. */
export function numberOf(text) {
  const bare = numberText(String(text ?? ""));
  if (bare === "") return null;
  return Number.isNaN(Number(bare)) ? bare : Number(bare);
}
