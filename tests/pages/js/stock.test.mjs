import assert from "node:assert/strict";
import { test } from "node:test";

const OFFICE = "../../../glassflow/pages/static/js/pages/office";
const { counted, isOneSheet, isRemnant, sum, withEvent, withMaterial } = await import(`${OFFICE}/lots/model.js`);
const { inForce } = await import(`${OFFICE}/cutting_rules/model.js`);
const { listOf } = await import(`${OFFICE}/number_list.js`);

const lot = (_id, material, quantity, more = {}) => ({ _id, material, quantity, isActive: true, version: 1, ...more });
const material = (_id, lots, reorderPoint = 10) => counted({ _id, isActive: true, version: 1, reorderPoint, lots });
const rows = () => [
  material("clear", [lot("a", "clear", 8), lot("b", "clear", 4)]),
  material("film", [lot("c", "film", 0.7)], 0.8),
];
const figures = (all) => all.map(({ quantity, isLow, lots }) => [quantity, isLow, lots.map(({ _id }) => _id).join()]);
const adjusted = (data) => ({ action: "adjusted", data });

test("the sum is that of the active lots, without the drift of floats", () => {
  assert.equal(sum([0.1, 0.2]), 0.3);
  const one = material("m", [lot("a", "m", 0.7), lot("b", "m", 0.1), lot("c", "m", 5, { isActive: false })], 0.8);
  assert.deepEqual([one.quantity, one.isLow], [0.8, false]);
});

test("a lot that changes changes the sum, and one below the reorder point is low at once", () => {
  const next = withEvent(rows(), adjusted(lot("a", "clear", 5, { version: 2 })));
  assert.deepEqual(figures(next), [
    [9, true, "a,b"],
    [0.7, true, "c"],
  ]);
});

test("an older state of a lot, and a lot of a material that is not shown, change nothing", () => {
  const before = withEvent(rows(), adjusted(lot("a", "clear", 5, { version: 3 })));
  assert.equal(withEvent(before, adjusted(lot("a", "clear", 8, { version: 2 }))), before);
  assert.equal(withEvent(before, adjusted(lot("z", "mirror", 8))), before);
});

test("new lots are added, empty and deleted ones leave", () => {
  let next = withEvent(rows(), { action: "created", data: lot("d", "film", 2) });
  assert.deepEqual(figures(next)[1], [2.7, false, "c,d"]);
  next = withEvent(next, adjusted(lot("d", "film", 0, { version: 2 })));
  assert.deepEqual(figures(next)[1], [0.7, true, "c"]);
  next = withEvent(next, { action: "deleted", data: lot("c", "film", 0.7) });
  assert.deepEqual(figures(next)[1], [0, true, ""]);
});

test("a move changes both lots and no sum", () => {
  const moved = { source: lot("a", "clear", 3, { version: 2 }), target: lot("e", "clear", 5) };
  const next = withEvent(rows(), { action: "moved", data: moved });
  assert.deepEqual(figures(next)[0], [12, false, "a,b,e"]);
});

test("a lot whose material was corrected goes to the other material", () => {
  const next = withEvent(rows(), adjusted(lot("b", "film", 4, { version: 2 })));
  assert.deepEqual(figures(next), [
    [8, true, "a"],
    [4.7, false, "c,b"],
  ]);
});

test("a raised reorder point makes a material low at once, and a deleted one is asked for", () => {
  const data = { _id: "clear", version: 2, isActive: true, reorderPoint: 13 };
  assert.equal(withMaterial(rows(), { action: "updated", data })[0].isLow, true);
  assert.equal(withMaterial(rows(), { action: "deleted", data }), undefined);
  assert.equal(withMaterial(rows(), { action: "created", data: { ...data, _id: "new" } }), undefined);
});

test("a leftover with a size is a remnant, and it or a sheet with defects is one sheet", () => {
  const [none, dimensions] = [
    { width: 0, height: 0 },
    { width: 812, height: 1450 },
  ];
  const reuse = lot("r", "clear", 1, { stockType: "Reuse", dimensions, defects: [] });
  const raw = { ...reuse, stockType: "Raw" };
  assert.deepEqual([reuse, raw, { ...reuse, dimensions: none }].map(isRemnant), [true, false, false]);
  assert.deepEqual([reuse, raw, { ...raw, defects: [{}] }, lot("old", "clear", 1)].map(isOneSheet), [
    true,
    false,
    true,
    false,
  ]);
});

test("cells of a list are numbers as people type them, empty ones null, and blank rows are none", () => {
  const rows = [
    { key: 1, width: "2,134", height: "330 cm" },
    { key: 2, width: " " },
    { key: 3, width: "wide", height: "" },
  ];
  assert.deepEqual(listOf(rows, ["width", "height"]), [
    { width: 2134, height: 3300 },
    { width: "wide", height: null },
  ]);
});

test("what is in force for a thickness is the common rule; the least distance depends on the thickness", () => {
  const common = { edgeTrim: 10, leastDistance: null, scrapAfterDays: null };
  assert.deepEqual(
    ["5", 8, "12", ""].map((thickness) => inForce("leastDistance", thickness, common)),
    [15, 16, 24, null],
  );
  assert.equal(inForce("leastDistance", 12, { ...common, leastDistance: 18 }), 18);
  assert.deepEqual([inForce("edgeTrim", 6, common), inForce("scrapAfterDays", 6, common)], [10, null]);
});
