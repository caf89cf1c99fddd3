import assert from "node:assert/strict";
import { test } from "node:test";

const { assume } = await import("../../../glassflow/pages/static/js/pages/station/assumed.js");

const NUMBER = "PNE-0107";
const kept = (...actions) => actions.map((action) => ({ number: NUMBER, action }));
const pane = (currentStatus, facts) => ({ _id: "p1", paneNumber: NUMBER, currentStatus, ...facts });
const next = (...given) => assume(NUMBER, ...given).next;

test("without network the next step follows from what the device knows", () => {
  assert.equal(next(pane("pending"), []), "scan_in");
  assert.equal(next(pane("in_progress"), []), "complete");
  assert.equal(next(pane("awaiting_scan_out"), []), "scan_out");
  assert.equal(next(pane("claimed"), []), null);
});

test("kept scans count as done, in their order, and those of other panes do not", () => {
  assert.equal(next(pane("pending"), kept("scan_in")), "complete");
  assert.equal(next(pane("pending"), kept("scan_in", "complete")), "scan_out");
  assert.equal(next(undefined, kept("move_here")), "complete");
  assert.equal(next(pane("pending"), kept("scan_in", "complete", "scan_out")), null);
  assert.equal(next(pane("pending"), [{ number: "PNE-0108", action: "scan_in" }]), "scan_in");
});

test("a pane whose kept scan hands it on, fails it or merges it has left", () => {
  for (const action of ["scan_out", "pass_on", "qc_pass", "qc_fail", "laminate"])
    assert.equal(assume(NUMBER, pane("awaiting_scan_out"), kept(action)).pane.currentStatus, "left");
});

test("a pane that the device does not know may be at any step", () => {
  const unknown = assume(NUMBER, undefined, []);
  assert.deepEqual([unknown.next, unknown.allowed], ["scan_in", ["complete", "scan_out", "qc_fail"]]);
  assert.equal(unknown.pane.paneNumber, NUMBER);
  assert.ok(!unknown.passes); // blindly
  assert.equal(next(undefined, kept("complete")), "scan_out");
});

test("a pane that is here can fail and be handed on whatever its status, and no other", () => {
  for (const status of ["pending", "in_progress", "awaiting_scan_out"]) {
    const { allowed, passes } = assume(NUMBER, pane(status), []);
    assert.deepEqual([allowed, passes], [["qc_fail"], true]);
  }
  assert.deepEqual(assume(NUMBER, pane("claimed"), []).allowed, []);
  assert.deepEqual(assume(NUMBER, pane("pending"), kept("pass_on")).allowed, []);
});

test("a sheet does not leave the lamination station before its lamination", () => {
  const sheet = pane("awaiting_scan_out", { laminateRole: "sheet" });
  assert.equal(next(sheet, [], true), null);
  assert.equal(next(sheet, [], false), "scan_out");
  const begun = pane("in_progress", { laminateRole: "sheet" });
  assert.deepEqual(
    [true, false].map((laminates) => assume(NUMBER, begun, [], laminates).passes),
    [false, true],
  );
  assert.deepEqual(assume(NUMBER, sheet, [], true).allowed, ["qc_fail"]);
});
