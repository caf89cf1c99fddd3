// How far a job is: the steps that a page shows of an answer of the service.
import assert from "node:assert/strict";
import { test } from "node:test";

const STATIC = new URL("../../../glassflow/pages/static/js/", import.meta.url);
const { concerns, stepsOf } = await import(new URL("pages/office/standing/steps.js", STATIC));

const order = (id, facts = {}) => ({
  _id: id,
  orderNumber: id.toUpperCase(),
  status: "in_progress",
  paneCount: 4,
  panesCompleted: 0,
  panesDelivered: 0,
  ...facts,
});
const entry = (id, facts = {}) => ({
  _id: id,
  entryNumber: id,
  status: "billed",
  invoiceNumber: "INV-1",
  creditOf: null,
  net: "100.00",
  ...facts,
});
const money = (facts = {}) => ({
  net: "200.00",
  gross: "214.00",
  charged: "107.00",
  billed: "107.00",
  paid: "50.00",
  open: "164.00",
  deposit: null,
  ...facts,
});
/** A job of 8 panes: 6 are finished, 4 delivered, half of it is billed. */
const job = (facts = {}) => ({
  request: { _id: "r", requestNumber: "REQ-1", status: "in_progress", referenceId: "", createdAt: "2026-11-01" },
  quotes: [
    { _id: "q1", quoteNumber: "QUO-1", revision: 0, status: "superseded", kind: "quote" },
    { _id: "q2", quoteNumber: "QUO-2", revision: 1, status: "accepted", kind: "quote" },
    { _id: "q3", quoteNumber: "QUO-3", revision: 0, status: "sent", kind: "confirmation" },
  ],
  orders: [order("o1"), order("o2")],
  deliveries: [{ _id: "d", deliveryNumber: "DLV-1", status: "delivered", plannedFor: null, deliveredAt: "2026-11-02" }],
  entries: [entry("b")],
  payments: [],
  panes: { count: 8, finished: 6, delivered: 4 },
  money: money(),
  ...facts,
});
const all = () => true;
const steps = (facts, current = "r", sees = all) => stepsOf(job(facts), current, sees);
const brief = (found) => found.map(({ name, state, figure }) => [name, state, figure]);
const step = (name, facts, current) => steps(facts, current).find((one) => one.name === name);

test("a job has its steps with their figures", () => {
  assert.deepEqual(brief(steps()), [
    ["quote", "done", { status: "accepted" }],
    ["request", "done", { count: 8 }],
    ["order", "partly", { done: 6, count: 8 }],
    ["delivery", "partly", { done: 4, count: 8 }],
    ["billed", "partly", { paid: 107, amount: 214 }],
    ["paid", "partly", { paid: 50, amount: 214 }],
  ]);
  assert.equal(step("order").share, 0.75);
});

test("what the caller may not read is left out", () => {
  const hidden = { quotes: null, entries: null, payments: null, money: null };
  assert.deepEqual(
    steps(hidden).map(({ name }) => name),
    ["request", "order", "delivery"],
  );
  const quote = { request: null, orders: null, deliveries: null, panes: null };
  assert.deepEqual(
    steps(quote, "q2", (key) => key === "pricing:view").map(({ name }) => name),
    ["quote", "billed", "paid"],
  );
});

test("an order without a request has no such step", () => {
  const found = steps({ request: null, quotes: [], orders: [order("o1")] }, "o1");
  assert.deepEqual(
    found.map(({ name }) => name),
    ["order", "delivery", "billed", "paid"],
  );
});

test("a request without a quote has no such step, and a quote that was not accepted none that is done", () => {
  assert.equal(step("quote", { quotes: [] }), undefined);
  const offered = {
    request: null,
    quotes: [{ _id: "q", quoteNumber: "QUO-1", revision: 0, status: "sent", kind: "quote" }],
    orders: [],
    deliveries: [],
    entries: [],
    panes: null,
    money: money({ charged: "0.00", billed: "0.00", paid: "0.00" }),
  };
  assert.deepEqual(brief(steps(offered, "q")), [
    ["quote", "partly", { status: "sent" }],
    ["request", "none", null],
    ["order", "none", null],
    ["delivery", "none", null],
    ["billed", "none", { paid: 0, amount: 214 }],
    ["paid", "none", { paid: 0, amount: 214 }],
  ]);
});

test("what was cancelled or refused has ended", () => {
  const cancelled = order("o1", { status: "cancelled" });
  assert.equal(step("order", { orders: [cancelled], panes: { count: 0, finished: 0, delivered: 0 } }).state, "stopped");
  const refused = [{ _id: "q", quoteNumber: "QUO-1", revision: 0, status: "rejected", kind: "quote" }];
  assert.equal(step("quote", { quotes: refused }).state, "stopped");
  assert.deepEqual(step("request", { request: { ...job().request, status: "cancelled" } }).figure, {
    status: "cancelled",
  });
});

test("without its panes a job counts those of its orders", () => {
  const orders = [order("o1", { panesCompleted: 4, panesDelivered: 1 }), order("o2", { status: "cancelled" })];
  assert.deepEqual(step("order", { panes: null, orders }).figure, { done: 4, count: 4 });
  assert.equal(step("order", { panes: null, orders }).state, "done");
});

test("a deposit is shown until it is paid, and nothing is asked for a free job", () => {
  const deposit = { percent: 50, asked: "107.00", paid: "50.00", open: "57.00" };
  assert.deepEqual(step("paid", { money: money({ deposit }) }).deposit, deposit);
  assert.equal(step("paid", { money: money({ deposit: { ...deposit, open: "0.00" } }) }).deposit, null);
  const free = money({ gross: "0.00", charged: "0.00", billed: "0.00", paid: "0.00" });
  assert.deepEqual([step("billed", { money: free }).state, step("billed", { money: free }).figure], ["none", null]);
});

test("more was charged than agreed: that is what has to be paid", () => {
  const paid = money({ charged: "321.00", billed: "321.00", paid: "214.00" });
  assert.deepEqual(step("paid", { money: paid }).figure, { paid: 214, amount: 321 });
});

test("what is billed is not done while a credit waits for its invoice", () => {
  const entries = [entry("b"), entry("c", { status: "open", creditOf: "b", net: "-10.00" })];
  const found = step("billed", { entries, money: money({ gross: "203.30", billed: "214.00" }) });
  assert.deepEqual([found.state, found.figure], ["partly", { paid: 214, amount: 203.3 }]);
});

test("a step shows the record of the page and the newest others; void entries are none", () => {
  const entries = [entry("b1"), entry("b2"), entry("b3", { status: "void" }), entry("b4"), entry("b5")];
  const { shown, more } = step("billed", { entries }, "b1");
  assert.deepEqual(
    [shown, more].map((links) => links.map(({ _id, isCurrent }) => [_id, isCurrent])),
    [
      [
        ["b1", true],
        ["b5", false],
      ],
      [
        ["b4", false],
        ["b2", false],
      ],
    ],
  );
});

test("jobs are read again for what belongs to them", () => {
  const jobs = [job()];
  for (const record of [
    { _id: "o1" },
    { _id: "new", request: "r" },
    { _id: "new", request: { _id: "r" } },
    { _id: "new", order: "o2" },
    { _id: "new", places: [{ request: "r", place: "" }] },
    { _id: "new", parts: [{ request: null, order: "o1" }] },
    { _id: "new", invoiceNumber: "INV-1" },
    { _id: "new", creditOf: "b" },
    { _id: "page" },
  ])
    assert.ok(concerns(jobs, "page", record), JSON.stringify(record));
  for (const record of [
    { _id: "x" },
    { _id: "x", request: "y", parts: [{ request: "y" }] },
    { _id: "x", invoiceNumber: "" },
  ])
    assert.ok(
      !concerns([job({ entries: [entry("b", { invoiceNumber: "" })] })], "page", record),
      JSON.stringify(record),
    );
});
