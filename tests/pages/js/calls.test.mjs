// Calls for help as the pages show them: their order, and the bar with "I go".
import assert from "node:assert/strict";
import { test } from "node:test";
import "./document.mjs";
import { callsFor, inOrder, withCall } from "../../../glassflow/pages/static/js/ui/calls.js";

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
