// Whose a pane is, until when, and where it goes: what cards and rows of the station say.
import "./document.mjs";
import "./load_texts.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";

const STATIC = "../../../glassflow/pages/static/js";
const { lang, timeZone } = await import(`${STATIC}/core/preferences.js`);
const { countOf, customerOf, dueIn, nextOf } = await import(`${STATIC}/pages/station/pane.js`);

const NOW = Date.parse("2026-11-30T10:00:00Z"); // 17:00 in Bangkok
const due = (deadline, currentStatus = "pending") => dueIn({ currentStatus, request: { deadline } }, NOW);
const said = (deadline) => Object.values(due(deadline) ?? {}).join(" ");

test.beforeEach(() => {
  lang.value = "en";
  timeZone.value = "Asia/Bangkok";
});

test("a deadline is said in days of the workshop, not of the browser", () => {
  assert.equal(said("2026-11-30T16:59:00Z"), "soon today");
  assert.equal(said("2026-11-30T17:00:00Z"), "soon tomorrow"); // midnight in Bangkok
  assert.equal(said("2026-12-01T17:00:00Z"), "later in 2 days");
  assert.equal(said("2026-12-06T16:59:00Z"), "later in 6 days");
  assert.equal(said("2026-12-06T17:00:00Z"), "later Dec 7");
  assert.equal(said("2026-11-30T09:59:00Z"), "late Late");
  assert.equal(said("2026-11-29T16:59:00Z"), "late 1 day late");
  assert.equal(said("2026-11-28T10:00:00Z"), "late 2 days late");
  timeZone.value = "America/New_York";
  assert.equal(said("2026-11-30T17:00:00Z"), "soon today");
});

test("a deadline is said in Thai", () => {
  lang.value = "th";
  assert.equal(said("2026-11-30T16:59:00Z"), "soon วันนี้");
  assert.equal(said("2026-11-30T17:00:00Z"), "soon พรุ่งนี้");
  assert.equal(said("2026-12-02T17:00:00Z"), "later อีก 3 วัน");
  assert.equal(said("2026-11-28T10:00:00Z"), "late ช้า 2 วัน");
});

test("where clocks are changed, a day has not 24 hours", () => {
  timeZone.value = "Europe/Berlin";
  const at = (now, deadline) => dueIn({ currentStatus: "pending", request: { deadline } }, Date.parse(now)).text;
  assert.equal(at("2026-10-24T12:00:00Z", "2026-10-25T22:30:00Z"), "tomorrow"); // 23:30 in winter time
  assert.equal(at("2026-03-28T22:30:00Z", "2026-03-29T21:30:00Z"), "tomorrow"); // 23:30 of both days
});

test("without a deadline, or once it is done, nothing is said", () => {
  assert.equal(due(null), null);
  assert.equal(dueIn({ currentStatus: "pending", request: null }, NOW), null);
  assert.equal(dueIn({ currentStatus: "pending", request: "0123" }, NOW), null); // not populated
  assert.equal(due("2026-11-28T10:00:00Z", "completed"), null);
  assert.equal(due("2026-11-28T10:00:00Z", "left"), null);
});

test("the customer is the short name, where this account may see it", () => {
  assert.equal(customerOf({ order: { customer: { _id: "c1", shortName: "กระจกใส" } } }), "กระจกใส");
  for (const order of [null, undefined, "o1", {}, { customer: null }, { customer: "c1" }])
    assert.equal(customerOf({ order }), "");
});

test("the next station is the one after this step of the route, null after the last", () => {
  const pane = { currentStatus: "in_progress", currentStation: "b", routing: ["a", "b", "c", "b"], routeIndex: 1 };
  assert.equal(nextOf(pane, "b"), "c");
  assert.equal(nextOf({ ...pane, routeIndex: 3 }, "b"), null);
  assert.equal(nextOf({ ...pane, routeIndex: 3, laminateRole: "sheet" }, "b"), undefined);
  assert.equal(nextOf(pane, "a"), undefined); // it is not here
  assert.equal(nextOf({ ...pane, currentStatus: "completed" }, "b"), undefined);
  assert.equal(nextOf({ currentStatus: "pending", currentStation: "b" }, "b"), undefined); // kept by an earlier release
});

test("pieces of an order are counted, of a laminated unit once", () => {
  const sheet = (_id) => ({ _id, order: "o1", laminateRole: "sheet", parentPane: "u" });
  const panes = [
    { _id: "1", order: { _id: "o1" } },
    { _id: "2", order: "o2" },
    { _id: "3", order: null },
  ];
  assert.equal(countOf("o1", [...panes, sheet("a"), sheet("b")]), 2);
});
