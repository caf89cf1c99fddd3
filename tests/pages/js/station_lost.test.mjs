import assert from "node:assert/strict";
import { test } from "node:test";

const PAGES = "../../../glassflow/pages/static/js/pages";
const { lastBatch, withLastChange } = await import(`${PAGES}/station/last_batch.js`);
const { LOSS, listed, scanBody, scansOf, withFollowers } = await import(`${PAGES}/scan_page/requests.js`);

const MINUTE = 60_000;
const minutes = (...all) => all.map((one) => ({ at: one * MINUTE }));
const batch = (...all) => lastBatch(minutes(...all)).map(({ at }) => at / MINUTE);

test("the last batch is the newest series without a pause of more than two minutes", () => {
  assert.deepEqual(batch(10, 30, 32, 28), [32, 30, 28]);
  assert.deepEqual(batch(30, 32.001), [32.001]);
  assert.deepEqual(batch(5, 5, 5), [5, 5, 5]); // in one request
  assert.deepEqual(batch(7), [7]);
  assert.deepEqual(batch(), []);
  assert.deepEqual(batch(1, NaN, 2), [2, 1]); // of which nobody knows when
});

test("a pane with a kept scan was last changed when it was scanned", () => {
  const panes = [
    { paneNumber: "PNE-0001", updatedAt: "2026-11-22T03:00:00Z" },
    { paneNumber: "PNE-0002", updatedAt: "2026-11-22T03:00:00Z" },
    { paneNumber: "PNE-0003" },
  ];
  const scans = [
    { number: "PNE-0002", at: "2026-11-22T03:05:00Z" },
    { number: "PNE-0002", at: "2026-11-22T03:06:00Z" },
  ];
  const found = withLastChange(panes, scans).map(({ at }) => at);
  assert.deepEqual(found, [Date.parse("2026-11-22T03:00:00Z"), Date.parse("2026-11-22T03:06:00Z"), NaN]);
});

test("a kept request says which panes it scans, with what and when", () => {
  const body = { occurredAt: "2026-11-22T03:00:00Z" };
  const scan = (action) => scansOf({ path: "/panes/PNE-0001/scan", body: { ...body, ...scanBody(action) } });
  for (const action of ["scan_in", "complete", "scan_out", "pass_on", "qc_fail", "move_here"])
    assert.deepEqual(scan(action), [{ number: "PNE-0001", action, at: body.occurredAt }]);
  const numbers = ["PNE-0001", "PNE-0002"];
  assert.deepEqual(
    scansOf({ path: LOSS, body: { ...body, paneNumbers: numbers } }),
    numbers.map((number) => ({ number, action: "qc_fail", at: body.occurredAt })),
  );
  for (const path of ["/claims/from-pane", "/attachments", "/deliveries/1/load"])
    assert.deepEqual(scansOf({ path, body: { paneNumber: "PNE-0001", paneNumbers: numbers } }), []);
});

test("what follows from a kept loss of many panes goes with it, as do its photos", () => {
  const row = (n, path, body) => ({ n, path, body, tried: false });
  const rows = [
    row(1, "/panes/PNE-0001/scan", { action: "scan_in" }),
    row(2, "/attachments", { id: "photo" }),
    row(3, LOSS, { paneNumbers: ["PNE-0001", "PNE-0002"], photos: ["photo"] }),
    row(4, "/panes/PNE-0002/scan", { action: "scan_in" }),
    row(5, "/panes/PNE-0003/scan", { action: "scan_in" }),
  ];
  assert.deepEqual(
    withFollowers(rows, 3).map(({ n }) => n),
    [2, 3, 4],
  );
});

test("of many numbers the first and the last one are listed", () => {
  const numbers = (count) => Array.from({ length: count }, (_, i) => `PNE-${i + 1}`);
  assert.equal(listed(numbers(4)), "PNE-1, PNE-2, PNE-3, PNE-4");
  assert.equal(listed(numbers(5)), "PNE-1 … PNE-5");
});
