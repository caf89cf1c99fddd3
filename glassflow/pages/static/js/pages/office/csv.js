// Tables that a page shows, as CSV files that the browser stores.
import { download } from "../../ui/files.js";
import { toLocal } from "../../ui/moments.js";

/** Let the browser store rows of texts and numbers; `name` is that of the file, without the day. */
export function saveCsv(name, rows) {
  const today = toLocal(new Date().toISOString()).slice(0, 10);
  download(new Blob([csvOf(rows)], { type: "text/csv" }), `${name}-${today}.csv`);
}

const BYTE_ORDER_MARK = "\ufeff"; // else Excel shows no Thai letters
const ENCODED = /^[=+\-@\t\r\n']/; // a text that begins so would be run as a formula

/**
 * The text of a CSV file with rows of texts and numbers: spreadsheets open it as it is meant, like
 * those of services/tables/csv_format.py.
 */
export const csvOf = (rows) =>
  BYTE_ORDER_MARK + rows.map((row) => `${row.map((cell) => quoted(cellOf(cell))).join(",")}\r\n`).join("");

const cellOf = (cell) => (typeof cell === "string" && ENCODED.test(cell) ? `'${cell}` : String(cell));

const quoted = (text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
