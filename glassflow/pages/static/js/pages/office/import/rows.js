// The rows of a file that is imported: what a dry run says about them, and the file that
// changed ones make.

import { inWords } from "../../../core/api.js";

const DANGEROUS = /^[=+\-@\t\r\n']/; // see docs/import-export.md

/** A CSV file of these rows of texts; an empty one is kept, so that rows keep their numbers. */
export function toCsv(rows) {
  const quoted = (text) => `"${(DANGEROUS.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
  return rows.map((cells) => `${cells.map(quoted).join(",")}\r\n`).join("");
}

/**
 * The file of a table after cells were changed: {columns, rows: [{row, cells}]}. A column
 * without a name and a row that is `left` out are not in it.
 */
export function fileOf({ columns, rows }) {
  const named = columns.flatMap((name, index) => (name ? [index] : []));
  const only = (cells) => named.map((index) => cells[index] ?? "");
  const lines = [only(columns)];
  for (const { row, cells, left } of rows) {
    while (lines.length < row - 1) lines.push([]);
    lines.push(left ? [] : only(cells));
  }
  return toCsv(lines);
}

/** The faults of a dry run: by row, then by column; "" for those of a whole row. `titleOf` names a column. */
export function faultsByCell({ errors, table }, titleOf = (name) => name) {
  const found = new Map();
  for (const { row, field, message } of errors.map(inWords)) {
    const column = columnOf(field, table.columns);
    const faults = found.get(row) ?? {};
    const text = column === field ? message : `${titleOf(field)}: ${message}`;
    found.set(row, { ...faults, [column]: [...(faults[column] ?? []), text] });
  }
  return found;
}

// The column of a faulty field: its own, or that of the number or name beside a reference.
function columnOf(field, columns) {
  if (columns.includes(field)) return field;
  return columns.find((name) => field && (name.startsWith(`${field}.`) || field.startsWith(`${name}.`))) ?? "";
}

/** The rows of a dry run with what happens to each: {row, cells, action, changes}. */
export function decidedRows({ table, rows }) {
  const decided = new Map(rows.map((one) => [one.row, one]));
  return table.rows.map(({ row, cells }) => {
    const { action = "", changes = {} } = decided.get(row) ?? {};
    return { row, cells, action, changes };
  });
}
