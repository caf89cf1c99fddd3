import assert from "node:assert/strict";
import { test } from "node:test";

const OFFICE = new URL("../../../glassflow/pages/static/js/pages/office/panes/", import.meta.url);
const { agreedFor, chargesOf, planCancel, planMove, planScan, sheetsWith } = await import(
  new URL("batch_plan.js", OFFICE)
);
const { isClaimable, presence, statusesFor } = await import(new URL("../pane_rules.js", OFFICE));

const pane = (paneNumber, currentStatus, more = {}) => ({
  paneNumber,
  currentStatus,
  currentStation: "s1",
  routing: ["s1", "s2"],
  laminateRole: "single",
  ...more,
});
const taken = (plan) => plan.taken.map(({ record: { paneNumber }, to }) => [paneNumber, to]);
const left = (plan) => Object.fromEntries(plan.left.map(({ record: { paneNumber }, why }) => [paneNumber, why]));

test("a scan leaves out what it cannot change, and says why", () => {
  const panes = [
    pane("a", "pending"),
    pane("b", "awaiting_scan_out"),
    pane("c", "completed"),
    pane("d", "pending", { laminateRole: "parent", currentStation: null }),
    pane("e", "pending", { currentStation: null }),
  ];
  const scanIn = planScan(panes, "scan_in");
  assert.deepEqual(taken(scanIn), [["a", "in_progress"]]);
  assert.deepEqual(left(scanIn), { b: "done", c: "closed", d: "parent", e: "nowhere" });
  assert.deepEqual(taken(planScan(panes, "complete")), [
    ["a", "awaiting_scan_out"],
    ["b", "awaiting_scan_out"],
  ]);
});

test("open panes are cancelled, and sheets with their unit unless it has begun", () => {
  const unit = (name, more) =>
    pane(name, "pending", { _id: name, laminateRole: "parent", rawGlass: { sheetsPerPane: 2 }, ...more });
  const sheet = (name, parentPane, status = "pending", more = {}) =>
    pane(name, status, { laminateRole: "sheet", parentPane, ...more });
  const plan = planCancel([
    pane("a", "in_progress"),
    pane("b", "cancelled"),
    sheet("c", "other"),
    unit("d"),
    sheet("d-A", "d", "defected", { startedAt: "2026-11-20T08:00:00Z" }),
    sheet("d-B", { _id: "d" }),
    unit("e"),
    sheet("e-A", "e", "in_progress"),
    sheet("e-B", "e"),
    unit("f", { currentStatus: "cancelled" }),
  ]);
  assert.deepEqual(taken(plan), [
    ["a", "cancelled"],
    ["d", "cancelled"],
  ]);
  const why = {
    b: "closed",
    c: "unit",
    "d-A": "closed",
    "d-B": "withUnit",
    e: "begun",
    "e-A": "begun",
    "e-B": "begun",
  };
  assert.deepEqual(left(plan), { ...why, f: "closed" });
  assert.equal(sheetsWith(plan.taken.map(({ record }) => record)), 2);
});

test("panes are moved along their own route, also back from the end", () => {
  const plan = planMove(
    [
      pane("a", "completed", { currentStation: null }),
      pane("b", "pending", { currentStation: { _id: "s2" } }),
      pane("c", "pending", { routing: ["s1"] }),
      pane("d", "claimed"),
      pane("e", "pending", { routing: [] }),
    ],
    "s2",
    "pending",
  );
  assert.deepEqual(taken(plan), [
    ["a", "pending"],
    ["e", "pending"],
  ]);
  assert.deepEqual(left(plan), { b: "same", c: "route", d: "closed" });
});

test("a pane is claimed once, unless the claim before was rejected", () => {
  const done = pane("a", "completed", { order: "o" });
  const with_ = (claims, remakes = []) => Boolean(isClaimable(done, { claims, remakes }));
  assert.deepEqual(
    [with_([]), with_([{ status: "rejected" }]), with_([{ status: "pending" }]), with_([], [{}])],
    [true, true, false, false],
  );
  assert.equal(Boolean(isClaimable(pane("b", "pending"), { claims: [], remakes: [] })), false); // without an order
  assert.equal(isClaimable({ ...done, laminateRole: "parent" }, { claims: [], remakes: [] }), false);
});

test("a sheet is corrected to what leaves its unit whole", () => {
  assert.deepEqual(statusesFor({ currentStatus: "in_progress", laminateRole: "sheet" }), [
    "in_progress",
    "pending",
    "awaiting_scan_out",
  ]);
  assert.ok(statusesFor({ currentStatus: "pending", laminateRole: "single" }).includes("cancelled"));
  const ofUnit = (currentStatus) => statusesFor({ currentStatus, laminateRole: "parent" });
  assert.deepEqual(ofUnit("pending"), ["pending", "cancelled"]);
  assert.deepEqual(ofUnit("cancelled"), ["cancelled", "pending"]);
  assert.deepEqual(ofUnit("merged_into"), ["merged_into"]);
});

test("present are the sheets in work at their lamination station", () => {
  const sheet = (currentStatus, currentStation) => ({ currentStatus, currentStation, laminateRole: "sheet" });
  const own = { laminateRole: "sheet", laminateStation: "s2", rawGlass: { sheetsPerPane: 3 } };
  const unit = [
    sheet("in_progress", "s2"),
    sheet("awaiting_scan_out", { _id: "s2" }),
    sheet("pending", "s2"),
    sheet("defected", null),
  ];
  assert.deepEqual(presence(own, unit), { present: 2, total: 3 });
  assert.equal(presence({ laminateRole: "single" }, []), null);
});

test("cancelled panes are charged what was agreed for them, each customer by an entry", () => {
  const aek = { _id: "aek", name: "Aek" };
  const panes = [
    { _id: "p1", agreedPrice: 833.33, order: { _id: "o1", customer: aek } },
    { _id: "p2", agreedPrice: 100, order: null, request: { _id: "r2", customer: "nok" } },
    { _id: "p3", agreedPrice: 833.34, order: { _id: "o3", customer: aek }, request: { _id: "r3", customer: "aek" } },
    { _id: "free", agreedPrice: 0, order: { _id: "o1", customer: aek } },
    { _id: "unpriced", agreedPrice: null, order: { _id: "o1", customer: aek } },
    { _id: "unseen", order: { _id: "o1", customer: aek } }, // by callers who may not see prices
    { _id: "delivered", agreedPrice: 50, deliveredAt: "2026-01-05T08:00:00Z", order: { _id: "o1", customer: aek } },
    { _id: "p4", agreedPrice: 1, order: "o4", request: "r4" }, // of records that the caller may not read
    { _id: "p5", agreedPrice: 1, order: "o5", request: "r5" },
  ];
  assert.deepEqual(chargesOf(panes), [["p1", "p3"], ["p2"], ["p4"], ["p5"]]);
  assert.equal(agreedFor(panes), 1768.67);
  assert.deepEqual([agreedFor([]), chargesOf([])], [0, []]);
});
