// What customers were sold: the sums of their months, and the file of them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { byCustomer, sumOf } from "../../../glassflow/pages/static/js/pages/office/sales_table.js";
import { csvOf } from "../../../glassflow/pages/static/js/pages/office/csv.js";

const row = (customer, month, net, remakes = 0) => ({
  customer,
  customerName: customer.toUpperCase(),
  month,
  deliveries: 1,
  panes: 2,
  net,
  remakes,
  remakeCost: `${remakes}.10`,
});

test("customers are in the order of their amounts, their months the newest first", () => {
  const found = byCustomer([row("a", "2026-10", "0.10"), row("a", "2026-11", "0.20", 1), row("b", "2026-10", "0.40")]);
  assert.deepEqual(
    found.map(({ name, months, net, panes, remakes }) => [name, months.map(({ month }) => month), net, panes, remakes]),
    [
      ["B", ["2026-10"], 0.4, 2, 0],
      ["A", ["2026-11", "2026-10"], 0.3, 4, 1],
    ],
  );
});

test("nothing adds up to nothing", () => {
  assert.deepEqual(Object.values(sumOf([])), [0, 0, 0, 0, 0]);
});

test("a spreadsheet reads the file as Thai and runs none of its texts", () => {
  assert.equal(
    csvOf([
      ["กระจก, จำกัด", '6" "A"', "=1+1", "'a"],
      [1200.5, -3],
    ]),
    '\ufeff"กระจก, จำกัด","6"" ""A""",\'=1+1,\'\'a\r\n1200.5,-3\r\n',
  );
});
