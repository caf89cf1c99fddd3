// CSV that spreadsheets open as it is meant, as services/tables/csv_format.py writes it.

const BYTE_ORDER_MARK = "\ufeff"; // else Excel shows no Thai letters
const ENCODED = /^[=+\-@\t\r\n']/; // a text that begins so would be run as a formula

/** The text of a file with rows of texts and numbers. */
export const csvOf = (rows) =>
  BYTE_ORDER_MARK + rows.map((row) => `${row.map((cell) => quoted(cellOf(cell))).join(",")}\r\n`).join("");

const cellOf = (cell) => (typeof cell === "string" && ENCODED.test(cell) ? `'${cell}` : String(cell));

const quoted = (text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
