// The activity divided into days and requests, and what of a deletion is restored.
import assert from "node:assert/strict";
import { test } from "node:test";

const BLOCKS = "../../../glassflow/pages/static/js/pages/office/activity/blocks.js";
const { daysOf, isOwner } = await import(new URL(BLOCKS, import.meta.url));

const entry = (at, request, rest) => ({ at: `2026-11-${at}.000Z`, request, by: { _id: "a" }, via: "token", ...rest });

test("what one request did stands together, below its day", () => {
  const order = entry("27T05:00:01", "r2", { kind: "orders" });
  const panes = entry("27T05:00:00", "r2", { kind: "panes" });
  const earlier = entry("27T04:00:00", "r1");
  const yesterday = entry("26T04:00:00", "r1");
  const days = daysOf([order, panes, earlier, yesterday]);
  assert.deepEqual(
    days.map(({ blocks }) => blocks.map(({ entries }) => entries)),
    [[[order, panes], [earlier]], [[yesterday]]],
  );
});

test("an entry of the day before that stands after one of the next is in its own day", () => {
  const [late, early, other] = ["27T00:00:00", "26T00:00:00", "27T00:00:01"].map((at) => entry(at, null));
  assert.deepEqual(
    daysOf([late, early, other]).map(({ blocks }) => blocks.map(({ entries }) => entries[0])),
    [[late, other], [early]],
  );
});

test("equal ids of requests of two people, and changes without a request, stand apart", () => {
  const one = entry("27T05:00:00", "r1");
  const other = entry("27T05:00:00", "r1", { by: { _id: "b" } });
  const command = entry("27T05:00:00", null);
  const [{ blocks }] = daysOf([one, other, command, command]);
  assert.equal(blocks.length, 4);
});

test("what was deleted with a request is restored with it, and what is deleted alone by itself", () => {
  const deleted = (kind) => ({ kind, action: "deleted" });
  const [request, order, customer] = ["requests", "orders", "customers"].map(deleted);
  const together = { entries: [request, order] };
  assert.deepEqual(
    [request, order].map((one) => isOwner(one, together)),
    [true, false],
  );
  assert.ok(isOwner(order, { entries: [order, { kind: "requests", action: "updated" }] }));
  assert.ok(!isOwner(request, { entries: [customer, request, order] }));
});
