import assert from "node:assert/strict";
import { test } from "node:test";

const STATIC = new URL("../../../glassflow/pages/static/js/", import.meta.url);
const { chosenRows, NONE, withRow, withRows } = await import(new URL("ui/selection.js", STATIC));

const rows = ["a", "b", "c", "d"].map((_id) => ({ _id, version: 1 }));
const ids = ({ chosen }) => [...chosen.keys()].sort().join("");

test("a row is checked and unchecked, and the selection before stays as it was", () => {
  const one = withRow(NONE, rows, "b", true);
  assert.equal(ids(one), "b");
  assert.equal(ids(withRow(one, rows, "b", false)), "");
  assert.equal(ids(NONE), "");
});

test("a range is checked from the last row in both directions", () => {
  const down = withRow(withRow(NONE, rows, "b", true), rows, "d", true, true);
  assert.equal(ids(down), "bcd");
  assert.equal(ids(withRow(down, rows, "a", true, true)), "abcd");
  assert.equal(ids(withRow(down, rows, "c", false, true)), "b");
});

test("a range from a row of another page is the row alone", () => {
  const elsewhere = withRow(NONE, [{ _id: "z" }], "z", true);
  assert.equal(ids(withRow(elsewhere, rows, "c", true, true)), "cz");
});

test("a page is checked in addition to other pages, and its rows are the newest", () => {
  const all = withRows(withRow(NONE, [{ _id: "z" }], "z", true), rows, true);
  assert.equal(ids(all), "abcdz");
  assert.equal(ids(withRows(all, rows, false)), "z");
  const newer = chosenRows(all, [{ _id: "a", version: 2 }]);
  assert.deepEqual(
    newer.find(({ _id }) => _id === "a"),
    { _id: "a", version: 2 },
  );
  assert.equal(newer.length, 5);
});
