// Moves the focus through the rows of a list (ui/table.js), whichever page shows it.

/** Move the focus by one row of the list on the page. */
export function moveRow(step) {
  const rows = [...document.querySelectorAll(":not([data-folded]) > .table-row")];
  const at = rows.findIndex((row) => row.closest("li").contains(document.activeElement));
  const next = at < 0 ? (step > 0 ? 0 : rows.length - 1) : at + step;
  rows[Math.max(0, Math.min(next, rows.length - 1))]?.focus();
}
