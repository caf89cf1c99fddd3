// The pages of a list, by number.
import assert from "node:assert/strict";
import test from "node:test";
import "./document.mjs";

const { pageNumbers } = await import("../../../glassflow/pages/static/js/ui/list_pages.js");

test("few pages all have links", () => {
  assert.deepEqual(pageNumbers(1, 2), [1, 2]);
  assert.deepEqual(pageNumbers(3, 5), [1, 2, 3, 4, 5]);
  assert.deepEqual(pageNumbers(1, 5), [1, 2, 3, 4, 5]);
});

test("of many pages the first, the last and those beside the current one have links", () => {
  assert.deepEqual(pageNumbers(1, 63), [1, 2, 3, null, 63]);
  assert.deepEqual(pageNumbers(30, 63), [1, null, 28, 29, 30, 31, 32, null, 63]);
  assert.deepEqual(pageNumbers(63, 63), [1, null, 61, 62, 63]);
  assert.deepEqual(pageNumbers(5, 9), [1, 2, 3, 4, 5, 6, 7, 8, 9]);
});
