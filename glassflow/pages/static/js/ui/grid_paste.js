// What is pasted into a grid from a spreadsheet: cells separated by tabs and line ends.

const THAI_ZERO = 0x0e50;

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

const LENGTH = /\s*(มิลลิเมตร|มม\.?|mm\.?)$/i;

/**
 * A number as a text of digits: without separators of thousands, with Latin digits, without
 * its unit, that of a length unless another `unit` is given. What is no number stays as it was typed.
 */
export function numberText(text, unit = LENGTH) {
  const latin = text.trim().replace(/[๐-๙]/g, (digit) => digit.charCodeAt(0) - THAI_ZERO);
  const bare = latin.replace(unit, "").replace(/(\d)[,\s](?=\d{3}(\D|$))/g, "$1");
  return /^[+-]?(\d+\.?\d*|\.\d+)$/.test(bare) ? bare : text.trim();
}

/** A number that was typed: null for nothing, and the text itself where it is none. */
export function numberOf(text) {
  const bare = numberText(String(text ?? ""));
  if (bare === "") return null;
  return Number.isNaN(Number(bare)) ? bare : Number(bare);
}

const plain = (text) =>
  text
    .toLowerCase()
    .replace(/\(.*?\)|[.\s:_/-]/g, "")
    .replace(/(มม|mm)$/, "");

/** The columns that the cells of a header name; null where the row is no header. */
export function headerOf(cells, columns) {
  const named = cells.filter((cell) => cell !== "");
  const found = cells.map((cell) =>
    columns.find(
      ({ title, names = [] }) => cell !== "" && [title, ...names].some((name) => plain(name) === plain(cell)),
    ),
  );
  return named.length && 2 * found.filter(Boolean).length >= named.length ? found : null;
}

/**
 * The rows after `cells` were pasted at {row, column}. With a header, in either language, the
 * columns are those that it names, and the rows follow the last one that has content.
 * `newRow(previous)` makes the rows that are missing.
 */
export function pasted({ rows, columns, cells, row, column, newRow, isBlank }) {
  const header = headerOf(cells[0] ?? [], columns);
  const first = header ? rows.findLastIndex((one) => !isBlank(one)) + 1 : row;
  const targets = header ?? columns.slice(column);
  const next = [...rows];
  (header ? cells.slice(1) : cells).forEach((given, index) => {
    const at = first + index;
    next[at] ??= newRow(next[at - 1]);
    const pairs = given.map((text, place) => [targets[place], text]).filter(([target]) => target);
    next[at] = withCells(next[at], pairs);
  });
  return next;
}

// A column that sets others as well does not replace what was pasted into those, but fills
// in where an empty cell was pasted.
function withCells(row, pairs) {
  const [setting, others] = [true, false].map((sets) => pairs.filter(([column]) => Boolean(column.set) === sets));
  return [...others, ...setting, ...others.filter(([, text]) => text !== "")].reduce(
    (next, [column, text]) => withCell(next, column, text),
    row,
  );
}

/** A row with the text of a cell, as its column reads it. */
export function withCell(row, column, text) {
  const value = valueOf(column, text);
  return column.set ? column.set(row, value) : { ...row, [column.name]: value };
}

function valueOf({ kind, unit, options = [] }, text) {
  if (kind === "number") return numberText(text, unit);
  if (kind !== "select") return text;
  const fits = options.find(({ value, label }) => [value, label].some((one) => plain(String(one)) === plain(text)));
  return fits?.value ?? text;
}
