// The faults of rows of panes before they are sent, at the fields where the API would have them.
import { number, t } from "../../../core/i18n.js";
import { session } from "../../../core/session.js";
import { CUT_SIZES, lacking } from "../../../ui/cut_sizes.js";
import { isAmbiguous, numberOf } from "../../../ui/numbers.js";
import { countOf, CUT_FIELDS } from "./rows.js";
import { typedRows } from "./setup.js";

/** The cells that are numbers, with their path in a pane: {least}, {above}, {most}, `whole`, `needed`. */
const CELLS = {
  width: { path: "dimensions.width", above: 0, needed: true, isSize: true },
  height: { path: "dimensions.height", above: 0, needed: true, isSize: true },
  quantity: { path: "quantity", least: 1, whole: true },
  thickness: { path: "dimensions.thickness", least: 0 },
  sheets: { path: "rawGlass.sheetsPerPane", least: 1, most: 26, whole: true },
  unitPrice: { path: "unitPrice", least: 0 },
};
const PLACE = ["x", "y"];
const MOST_OF_MARK = 60; // characters

/** What is wrong with the text of a cell, in words; undefined for a number that fits, and for nothing. */
function wrong(text, { above = -Infinity, least = -Infinity, most = Infinity, whole = false, isSize = false }) {
  const value = numberOf(text);
  if (value === null) return undefined;
  if (!Number.isFinite(value)) return t("rowfault.number");
  if (isSize && isAmbiguous(String(text)))
    return t("rowfault.point", { meant: number(1000 * value), value: number(value) });
  if (whole && !Number.isInteger(value)) return t("rowfault.whole");
  if (value < least) return t("rowfault.least", { limit: number(least) });
  if (value <= above) return t("rowfault.above", { limit: number(above) });
  return value > most ? t("rowfault.most", { limit: number(most) }) : undefined;
}

/**
 * The faults [{field, message}] of a row, without the place of its pane ("dimensions.width"): what is
 * typed and no number that fits; with `all` also what is still missing, as in a row of a file.
 */
export function rowFaults(row, all = Boolean(row.ofFile)) {
  const empty = all && t("rowfault.empty");
  const cells = Object.entries(CELLS).map(([cell, { path, needed, ...rule }]) => ({
    field: path,
    message:
      wrong(row[cell], rule) ??
      ((needed || (row.ofFile && cell === "quantity")) && numberOf(row[cell]) === null && empty),
  }));
  const cuts = ["holes", "notches"].flatMap((list) =>
    row[list].flatMap((cut, at) => cutFaults(cut, empty).map(below(`${list}.${at}`))),
  );
  const mark = row.mark?.length > MOST_OF_MARK && t("rowfault.long", { most: MOST_OF_MARK });
  return [{ field: "mark", message: mark }, ...cells, ...cuts].filter(({ message }) => message);
}

function cutFaults(cut, empty) {
  const read = Object.fromEntries(CUT_FIELDS.map((name) => [name, numberOf(cut[name])]));
  const typed = CUT_FIELDS.map((field) => ({ field, message: wrong(cut[field], ruleOf(cut.type, field)) }));
  const missing = [...PLACE.filter((name) => read[name] === null), ...lacking({ ...cut, ...read })];
  const known = typed.filter(({ message }) => message);
  return [
    ...known,
    ...missing.filter((name) => !known.some(({ field }) => field === name)).map((field) => ({ field, message: empty })),
  ];
}

/** Sizes in mm of which glass is rarely cut: what is beyond them may be a slip or another unit. */
const PLAUSIBLE = { least: 50, most: 6000 };

/** What is doubtful in a cell of a row, as a finding of the grid: a size of another unit, glass without a price. */
export function doubtOf(row, cell, { glassPrices }) {
  if (cell === "glassType") {
    const known = Object.keys(glassPrices).map((one) => one.toLowerCase());
    const isUnknown = row.glassType && known.length && !known.includes(row.glassType.toLowerCase());
    return isUnknown ? { level: "warning", words: t("rowfault.unknownGlass") } : undefined;
  }
  const size = CELLS[cell]?.isSize && numberOf(row[cell]);
  const isRare = Number.isFinite(size) && size > 0 && (size < PLAUSIBLE.least || size > PLAUSIBLE.most);
  return isRare ? { level: "warning", words: t("rowfault.rareSize", { size: number(size) }) } : undefined;
}

const ruleOf = (type, name) =>
  PLACE.includes(name) ? {} : CUT_SIZES[type]?.includes(name) ? { above: 0 } : { least: 0 };

/** What is wrong with the number of panes of all rows, in words: more than one request or quote takes. */
export function tooMany(rows) {
  const [count, most] = [countOf(rows), session.value.mostPanes];
  return count > most ? t("rowfault.panes", { count: number(count), most: number(most) }) : undefined;
}

/**
 * All faults of the rows that are sent, below `name`, whose elements they become: {place: [message]}. `sent`
 * refers to the keys of these rows from then on.
 */
export function faultsOfRows(all, name, sent) {
  const rows = typedRows(all);
  sent.current = rows.map(({ key }) => key);
  const many = tooMany(rows);
  const faults = rows.flatMap((row, at) => rowFaults(row, true).map(below(`${name}.${at}`)));
  return {
    ...(many && { [name]: [many] }),
    ...Object.fromEntries(faults.map(({ field, message }) => [field, [message]])),
  };
}

const below = (path) => (fault) => ({ ...fault, field: `${path}.${fault.field}` });
