// What customers were sold, as the service answers it: rows by customer and month. Without a page.

const SATANG = 100; // of a baht

/** What the rows have: counts, and amounts in baht. */
export const FIGURES = ["deliveries", "panes", "net", "remakes", "remakeCost"];

/** The sums of rows, as numbers. */
export function sumOf(rows) {
  const sum = (name) => rows.reduce((before, row) => before + Math.round(row[name] * SATANG), 0) / SATANG;
  return {
    deliveries: sum("deliveries"),
    panes: sum("panes"),
    net: sum("net"),
    remakes: sum("remakes"),
    remakeCost: sum("remakeCost"),
  };
}

/**
 * The customers of rows, that of the largest amount first: {customer, name, months} and the sums
 * of their months, the newest of which is the first.
 */
export function byCustomer(rows) {
  const found = new Map();
  for (const row of rows) found.set(row.customer, [row, ...(found.get(row.customer) ?? [])]);
  return [...found.values()]
    .map((months) => ({ customer: months[0].customer, name: months[0].customerName, months, ...sumOf(months) }))
    .sort((one, other) => other.net - one.net || (one.name ?? "").localeCompare(other.name ?? ""));
}
