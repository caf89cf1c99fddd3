// Calls for help as the pages show them: their order, and the bar with "I go".
import assert from "node:assert/strict";
import { test } from "node:test";
import "./document.mjs";
import "./load_texts.mjs";
import { lang } from "../../../glassflow/pages/static/js/core/preferences.js";
import { session } from "../../../glassflow/pages/static/js/core/session.js";
import { callsFor, inOrder, openFor, withCall } from "../../../glassflow/pages/static/js/ui/calls.js";

const call = (_id, minute, more = {}) => ({
  _id,
  version: 1,
  status: "open",
  kind: "machine",
  machineStands: false,
  refusesScanIn: false,
  calledAt: `2026-11-30T07:0${minute}:00.000Z`,
  calledBy: "caller",
  takenBy: null,
  ...more,
});
const ids = (calls) => calls.map(({ _id }) => _id);

test("a machine that stands comes first, then what waits longest", () => {
  const calls = [call("late", 3), call("stop", 4, { machineStands: true }), call("early", 1)];
  assert.deepEqual(ids(inOrder(calls)), ["stop", "early", "late"]);
});

test("who may answer sees what they answer, then what nobody has taken, but no maintenance", () => {
  const calls = [
    call("open", 1),
    call("other", 1, { status: "taken", takenBy: "malee" }),
    call("maintenance", 0, { machineStands: true, refusesScanIn: true }),
    call("own", 3, { status: "taken", takenBy: { _id: "nok" } }),
    call("own maintenance", 2, { refusesScanIn: true, status: "taken", takenBy: "nok" }),
  ];
  assert.deepEqual(ids(callsFor(calls, "nok")), ["own maintenance", "own", "open"]);
});

test("an event changes a call, and one that has ended goes", () => {
  const calls = [call("1", 1), call("2", 2, { version: 3 })];
  const after = (data, action = "updated") => withCall(calls, { action, data });
  assert.deepEqual(ids(after(call("3", 3), "created")), ["1", "2", "3"]);
  assert.deepEqual(ids(after(call("1", 1, { version: 2, status: "ended" }), "ended")), ["2"]);
  assert.deepEqual(ids(after(call("2", 2, { version: 2, status: "ended" }), "ended")), ["1", "2"]); // older
  assert.deepEqual(ids(after({ _id: "2" }, "deleted")), ["1"]);
});

test("who waits does so by the clock, and a maintenance lasts in working time of its station", () => {
  lang.value = "en";
  const runs = [0, 60, 900, 60]; // an hour in the evening, and one in the morning after it
  const stations = { oven: { runs: [0, 3000], dayMinutes: 1440 } };
  session.value = { state: "open", workingHours: { since: call("1", 0).calledAt, runs, dayMinutes: 60, stations } };
  const said = (hours, more, options) => {
    const one = call("1", 0, more);
    return openFor(one, Date.parse(one.calledAt) + hours * 3_600_000, options);
  };
  assert.equal(said(16.5, { machineStands: true }), "16 hours");
  assert.equal(said(0.7, { refusesScanIn: true, station: "saw" }), "42 minutes");
  assert.equal(said(16.5, { refusesScanIn: true, station: { _id: "saw" } }), "1 working day");
  assert.equal(said(16.5, { refusesScanIn: true, station: "oven" }, { unitDisplay: "short" }), "16 hr");
  const atNight = call("2", 0, { calledAt: "2026-11-30T12:00:00Z", refusesScanIn: true });
  assert.equal(openFor(atNight, Date.parse("2026-11-30T15:00:00Z")), "1 minute");
  session.value = { state: "asking" };
});
