import assert from "node:assert/strict";
import { test } from "node:test";

import "./document.mjs";

const { stepOfRack, weightOf } = await import("../../../glassflow/pages/static/js/pages/station/racks.js");
const { rackOf, rackPath, scansOf } = await import("../../../glassflow/pages/static/js/pages/scan_page/requests.js");

const pane = (number, currentStatus, facts = {}) => ({
  paneNumber: number,
  currentStatus,
  currentStation: "s",
  ...facts,
});
const step = (panes, place = {}) => {
  const { action, numbers } = stepOfRack(panes, { station: "s", scans: 3, ...place }) ?? {};
  return action && [action, ...numbers];
};

test("the one button of a rack takes the panes on that are least far, in as many steps as the station asks for", () => {
  const mixed = [pane("A", "pending"), pane("B", "in_progress"), pane("C", "awaiting_scan_out")];
  assert.deepEqual(step(mixed), ["scan_in", "A"]);
  assert.deepEqual(step(mixed.slice(1)), ["complete", "B"]);
  assert.deepEqual(step(mixed.slice(2)), ["scan_out", "C"]);
  assert.deepEqual(step(mixed, { scans: 2 }), ["scan_in", "A"]);
  assert.deepEqual(step(mixed.slice(1), { scans: 2 }), ["pass_on", "B", "C"]);
  assert.deepEqual(step(mixed, { scans: 1 }), ["pass_on", "A", "B", "C"]);
  assert.deepEqual(step(mixed.slice(2), { scans: 1 }), ["scan_out", "C"]);
});

test("at a check station the panes of a rack pass together, once they are taken in", () => {
  const panes = [pane("A", "pending"), pane("B", "awaiting_scan_out")];
  assert.deepEqual(step(panes, { checks: true }), ["scan_in", "A"]);
  assert.deepEqual(step(panes, { checks: true, scans: 1 }), ["qc_pass", "A", "B"]);
  assert.deepEqual(step([pane("A", "in_progress"), panes[1]], { checks: true }), ["qc_pass", "A", "B"]);
});

test("a rack does nothing with panes that are elsewhere, closed, or wait for the sheets of their set", () => {
  const elsewhere = pane("A", "pending", { currentStation: { _id: "other" } });
  const sheet = (number, status) => pane(number, status, { laminateRole: "sheet" });
  assert.equal(step([elsewhere, pane("B", "completed"), pane("C", "defected")]), undefined);
  assert.deepEqual(step([elsewhere, pane("B", "pending")]), ["scan_in", "B"]);
  const laminates = { laminates: true, scans: 1 };
  assert.equal(step([sheet("A", "awaiting_scan_out")], laminates), undefined);
  assert.deepEqual(step([sheet("A", "pending"), sheet("B", "in_progress")], laminates), ["scan_in", "A"]);
  assert.deepEqual(step([sheet("B", "in_progress")], laminates), ["complete", "B"]);
});

test("the glass of a rack weighs 2.5 kg for each square metre and mm; a pane without a size weighs nothing", () => {
  const dimensions = { width: 1000, height: 2000, thickness: 10 };
  assert.equal(weightOf([{ dimensions }, { dimensions }, {}, { dimensions: { width: 500 } }]), 100);
});

test("a rack's scan that the device keeps is a scan of each of its panes", () => {
  const row = {
    path: rackPath("RCK-0003", "scan"),
    body: { action: "scan_out", beforeComplete: true, paneNumbers: ["A", "B"] },
  };
  assert.deepEqual(
    scansOf(row).map(({ number, action }) => [number, action]),
    [
      ["A", "pass_on"],
      ["B", "pass_on"],
    ],
  );
  assert.deepEqual(rackOf(row), { rack: "RCK-0003", act: "scan" });
  assert.deepEqual(scansOf({ path: rackPath("RCK-0003", "put"), body: { paneNumbers: ["A"] } }), []);
  assert.equal(rackOf({ path: "/panes/PNE-0001/scan" }), null);
});
