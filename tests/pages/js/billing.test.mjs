// Billing: what the entries of an invoice add up to.
import assert from "node:assert/strict";
import { test } from "node:test";

const STATIC = new URL("../../../glassflow/pages/static/js/", import.meta.url);
const { sumOf } = await import(new URL("pages/office/billing/sums.js", STATIC));

const entry = (net, vatPercent = 7) => ({ net, vatPercent });

test("entries add up to the satang, and the VAT is that of their sum", () => {
  for (const [entries, sums] of [
    [[], [0, 0, 0]],
    [
      [entry(833.33), entry(833.34)],
      [1666.67, 116.67, 1783.34],
    ],
    [
      [entry(0.1), entry(0.2)],
      [0.3, 0.02, 0.32],
    ],
    [
      [entry(0.5), entry(0.5)],
      [1, 0.07, 1.07],
    ], // 0.04 each would be 0.08
    [
      [entry(100), entry(50, 0)],
      [150, 7, 157],
    ],
    [[entry(-0.5)], [-0.5, -0.04, -0.54]],
  ]) {
    const { net, vat, gross } = sumOf(entries);
    assert.deepEqual([net, vat, gross], sums);
  }
});
