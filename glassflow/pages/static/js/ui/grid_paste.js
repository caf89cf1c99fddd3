// What is pasted into a grid from a spreadsheet: cells separated by tabs and line ends.
import { lengthOf, numberText } from "./numbers.js";

/** The cells of a copied range: a list of rows, each a list of texts. */
export function cellsOf(text) {
  const rows = [[]];
  // a cell with line ends or quotes is quoted, and quotes in it are doubled
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^\t\r\n]*))(\t|\r\n|\n|\r|$)/g)) {
    rows.at(-1).push((quoted?.replaceAll('""', '"') ?? plain).trim());
    if (end === "") break;
    if (end !== "\t") rows.push([]);
  }
  while (rows.length && rows.at(-1).every((cell) => cell === "")) rows.pop();
  return rows;
}

const plain = (text) =>
  text
    .toLowerCase()
    .replace(/\(.*?\)|[.\s:_/-]/g, "")
    .replace(/(มม|mm|ซม|cm)$/, "");

/** The column that each of the cells names, if any. */
const named = (cells, columns) =>
  cells.map((cell) =>
    columns.find(
      ({ title, names = [] }) => cell !== "" && [title, ...names].some((name) => plain(name) === plain(cell)),
    ),
  );

/** The columns that the cells of a header name; null where the row is no header. */
export function headerOf(cells, columns) {
  const found = named(cells, columns);
  const count = found.filter(Boolean).length;
  return count >= 2 || (count && 2 * count >= cells.filter((cell) => cell !== "").length) ? found : null;
}

const HEADER_LINES = 30; // among which the header is looked for
const SUM = /^(รวม|ยอดรวม|ทั้งหมด|(grand |sub)?total|sum)(?![a-z])/i;
const UNIT_OF_ALL = /(?:หน่วย|units?)[\s:(=]*(\S+?)[)\s]*$/i;

/**
 * The table in cells: null without a header, which is below the titles of a sheet or at its beginning. `heads`
 * are {column, factor} for each cell, `lines` the rows {line, cells} below, by their number in the
 * file, and `left` those {line, text} that are no rows: sums, and what says nothing of a cell that is `needed`.
 */
export function tableOf(cells, columns) {
  const found = cells
    .slice(0, HEADER_LINES)
    .map((line, at) => (at ? headerBelow(line, columns) : headerOf(line, columns)));
  const counts = found.map((one) => one?.filter(Boolean).length ?? 0);
  const first = counts.indexOf(Math.max(0, ...counts));
  if (!counts[first]) return null;
  const { heads, last } = headsOf(cells, first, columns);
  const lines = [];
  const left = [];
  cells.forEach((given, index) => {
    if (index <= last || given.every((cell) => cell === "")) return;
    const typed = heads.filter(({ column }, at) => column && given[at]);
    const isRow =
      typed.some(({ column }) => column.needed) || (typed.length > 1 && !given.some((one) => SUM.test(one)));
    const isOne = columns.some(({ needed }) => needed) ? isRow : typed.length > 0;
    if (isOne && !isHeader(given, heads)) lines.push({ line: index + 1, cells: given });
    else left.push({ line: index + 1, text: given.filter(Boolean).join(" ") });
  });
  return { heads, lines, left };
}

const headerBelow = (line, columns) => (named(line, columns).filter(Boolean).length >= 2 ? named(line, columns) : null);

// repeated on each page of a long list
const isHeader = (given, heads) => {
  const same = heads.filter(({ column, text }, at) => column && plain(given[at] ?? "") === plain(text));
  return same.length >= 2 && same.length === heads.filter(({ column }) => column).length;
};

/** The heads of a table: of the line `at`, and where it has two, of the line beside it. */
function headsOf(cells, at, columns) {
  const [above, own, below] = [at - 1, at, at + 1].map((line) => cells[line] ?? []);
  const columnsOf = named(own, columns);
  const further = (line) => named(line, columns).map((one, place) => (columnsOf[place] ? undefined : one));
  const isSecond = further(below).some(Boolean) && !below.some((cell) => /\d/.test(cell));
  const other = isSecond ? below : further(above).some(Boolean) ? above : [];
  const upper = isSecond ? own : other;
  const more = further(other);
  const ofAll = cells
    .slice(0, at)
    .flat()
    .map((cell) => lengthOf(UNIT_OF_ALL.exec(cell)?.[1] ?? ""))
    .find(Boolean);
  const heads = Array.from({ length: Math.max(own.length, other.length) }, (_, place) => {
    const column = columnsOf[place] ?? more[place];
    const texts = [own[place], other[place], column?.needed && upper.slice(0, place + 1).findLast(Boolean)];
    const unit = texts.map((one) => unitOf(one ?? "")).find(Boolean) ?? (column?.needed ? ofAll : undefined);
    return { column, text: (columnsOf[place] ? own : other)[place] ?? "", factor: unit?.mm ?? 1 };
  });
  return { heads, last: isSecond ? at + 1 : at };
}

/** The unit of length that a head says: "Width (cm)". */
function unitOf(head) {
  const unit = /\(([^)]*)\)/.exec(head)?.[1] ?? head;
  return /^\s*(m|ม)\s*$/i.test(unit) ? lengthOf("metre") : lengthOf(unit);
}

/**
 * The rows after `cells` were pasted at {row, column}. With a header, in either language, the
 * columns are those that it names, and the rows follow the last one that has content.
 * `newRow(previous)` makes the rows that are missing.
 */
export function pasted({ rows, columns, cells, row, column, newRow, isBlank }) {
  const table = tableOf(cells, columns);
  if (table) return withTable({ rows, table, newRow, isBlank });
  const targets = columns.slice(column).map((one) => ({ column: one, factor: 1 }));
  return filled({ rows, first: row, targets, lines: cells, newRow });
}

/** The rows with those of a table after the last one that has content; `marks` are put into them as well. */
export function withTable({ rows, table: { heads, lines }, newRow, isBlank, marks = {} }) {
  const first = rows.findLastIndex((one) => !isBlank(one)) + 1;
  const whole = lines.map(({ cells }) => heads.map((_, place) => cells[place] ?? ""));
  return filled({ rows, first, targets: heads, lines: whole, newRow, marks });
}

function filled({ rows, first, targets, lines, newRow, marks = {} }) {
  const next = [...rows];
  lines.forEach((given, index) => {
    const at = first + index;
    next[at] ??= newRow(next[at - 1]);
    const cells = targets.map(({ column, factor }, place) => [column, given[place], factor]);
    next[at] = {
      ...withCells(
        next[at],
        cells.filter(([column, text]) => column && text !== undefined),
      ),
      ...marks,
    };
  });
  return next;
}

// A column that sets others as well does not replace what was pasted into those, but fills
// in where an empty cell was pasted.
function withCells(row, cells) {
  const [setting, others] = [true, false].map((sets) => cells.filter(([column]) => Boolean(column.set) === sets));
  return [...others, ...setting, ...others.filter(([, text]) => text !== "")].reduce(
    (next, [column, text, factor]) => withCell(next, column, text, factor),
    row,
  );
}

/** A row with the text of a cell, as its column reads it; a length in units of `factor` mm. */
export function withCell(row, column, text, factor = 1) {
  const value = valueOf(column, text, factor);
  return column.set ? column.set(row, value) : { ...row, [column.name]: value };
}

function valueOf({ kind, unit, options = [] }, text, factor) {
  if (kind === "number") return numberText(text, unit, factor);
  if (kind !== "select") return text;
  const fits = options.find(({ value, label }) => [value, label].some((one) => plain(String(one)) === plain(text)));
  return fits?.value ?? text;
}
