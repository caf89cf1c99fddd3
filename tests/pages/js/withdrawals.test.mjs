import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.document ??= {
  documentElement: { dataset: {}, lang: "en" },
  addEventListener() {},
  querySelector: () => null,
};
globalThis.location ??= { pathname: "/floor/", search: "", origin: "http://localhost" };
globalThis.addEventListener ??= () => {};

const STATIC = new URL("../../../glassflow/pages/static/js/", import.meta.url);
const { afterEvent } = await import(new URL("pages/office/withdrawals/list.js", STATIC));

const one = (_id, status = "pending", version = 1) => ({ _id, status, version });

/** {rows, total} after an event, and whether they are read again. */
function after(rows, total, data, action = "updated") {
  let isRead = false;
  const next = afterEvent({ rows, total }, { action, data }, () => (isRead = true));
  return [next.rows.map(({ _id, version }) => `${_id}${version}`).join(" "), next.total, isRead];
}

test("a decided withdrawal leaves those that wait, and their count", () => {
  const rows = [one("a"), one("b")];
  assert.deepEqual(after(rows, 2, one("a", "approved", 2)), ["b1", 1, false]);
  assert.deepEqual(after(rows, 2, one("b"), "deleted"), ["a1", 1, false]);
  assert.deepEqual(after(rows, 2, one("z", "approved", 2)), ["a1 b1", 2, false]);
});

test("a new or changed one that waits is read, for what it refers to", () => {
  assert.deepEqual(after([one("a")], 1, one("a", "pending", 2)), ["a2", 1, true]);
  assert.deepEqual(after([one("a")], 1, one("b")), ["a1", 1, true]);
});

test("where more wait than are shown, the next ones are read as others are decided", () => {
  const rows = [one("a"), one("b")];
  assert.deepEqual(after(rows, 51, one("a", "rejected", 2)), ["b1", 50, true]);
  assert.deepEqual(after(rows, 51, one("z", "rejected", 2)), ["a1 b1", 51, true]); // one that was not shown
});
