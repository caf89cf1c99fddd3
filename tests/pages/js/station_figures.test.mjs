// The figures of the stations on the overview of the office.
import assert from "node:assert/strict";
import { test } from "node:test";
import { counted, shownFigure } from "../../../glassflow/pages/static/js/pages/office/dashboard/dashboard.js";

const shown = (figures) => ["arrived", "left", "passed", "failed"].map((name) => shownFigure(figures, name));

test("checks are shown of the stations that made any", () => {
  assert.deepEqual(shown({ arrived: 1200, left: 0, passed: 0, failed: 0 }), ["1,200", "0", "–", "–"]);
  assert.deepEqual(shown({ arrived: 2, left: 1, passed: 0, failed: 1 }), ["2", "1", "0", "1"]);
});

test("who may not read the figures gets no columns of them", () => {
  assert.deepEqual(counted([{ figures: null }, {}]), []);
  assert.deepEqual(counted([{ figures: null }, { figures: {} }]), ["arrived", "left", "passed", "failed"]);
  assert.deepEqual(shown(null), ["–", "–", "–", "–"]);
});
