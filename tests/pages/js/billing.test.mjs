// Billing: what the entries of an invoice add up to.
import assert from "node:assert/strict";
import { test } from "node:test";

const STATIC = new URL("../../../glassflow/pages/static/js/", import.meta.url);
const { sumOf } = await import(new URL("pages/office/billing/sums.js", STATIC));

const { bodyOf, leftOf, placed, sumOfCredit, ticked } = await import(
  new URL("pages/office/billing/credit_rows.js", STATIC)
);

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

const line = (pane, net) => ({ pane, net });
const charging = (net, panes, facts = {}) => ({
  net,
  status: "billed",
  parts: [{ request: "r", net, panes }],
  ...facts,
});

test("of each pane of an entry what no credit has taken is left; a void credit has taken nothing", () => {
  const billed = charging(300.3, [line("a", 100.1), line("b", 200.2), line("free", 0), line("unpriced", null)]);
  const credits = [
    charging(-50.05, [line("a", -50.05)]),
    charging(-10, []),
    charging(0, [], { status: "void", parts: [] }),
  ];
  assert.deepEqual(leftOf(billed, credits), {
    left: 240.25,
    panes: [
      { pane: "a", net: 100.1, left: 50.05 },
      { pane: "b", net: 200.2, left: 200.2 },
    ],
  });
});

test("a ticked pane is credited what is left of it, and only what is ticked or typed is sent", () => {
  const panes = [
    { pane: "a", net: 100, left: 60 },
    { pane: "b", net: 100, left: 100 },
  ];
  const rows = ticked({}, panes[0], true);
  const values = { amount: null, reason: "scratched" };
  const body = bodyOf(panes, rows, values);
  assert.deepEqual(body, { reason: "scratched", panes: [{ pane: "a", net: 60 }], amount: undefined });
  const none = bodyOf(panes, ticked(rows, panes[0], false), { amount: 5, reason: "" });
  assert.deepEqual(none, { reason: undefined, panes: undefined, amount: 5 });
  assert.deepEqual(sumOfCredit({ ...body, amount: 0.5 }, 7), { net: 60.5, vat: 4.24, gross: 64.74 });
  assert.deepEqual(sumOfCredit(none, 0), { net: 5, vat: 0, gross: 5 });
});

test("the fault of a pane stands at its row", () => {
  const body = { panes: [{ pane: "b", net: 900 }] };
  const faults = [
    { field: "panes.0.net", message: "too much" },
    { field: "reason", message: "required" },
    { field: "amount", message: "nothing" },
    { field: "panes", message: "elsewhere" },
  ];
  assert.deepEqual(placed(faults, body), {
    panes: { b: ["too much"] },
    reason: ["required"],
    amount: ["nothing"],
    other: ["elsewhere"],
  });
});
