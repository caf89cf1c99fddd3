import assert from "node:assert/strict";
import { test } from "node:test";

const { bare, cellsOf, changedParts, faultsIn, isTyped, merged, tablesOf, typedCells, withKeys } =
  await import("../../../glassflow/floor/static/js/pages/office/prices/model.js");

const list = {
  glassPrices: {
    Clear: { "5mm": { pricePerSqFt: 36, grindingRate: { rough: 15, polished: 40 } }, "6mm": { pricePerSqFt: 44, grindingRate: 9 } },
    "Low-E": { "6mm": { pricePerSqFt: 80 } },
  },
  holePriceEach: 50, notchPrice: 100, minimumArea: 0, edgeRates: { arris: 3, "no. 2": 5 },
};
const base = cellsOf(list);
const tables = () => tablesOf(base);
const edit = (change) => {
  const all = tables();
  change(all);
  return typedCells(all);
};
const parts = (cells) => changedParts(base, cells, list);

test("tables that nobody typed into change nothing", () => {
  assert.deepEqual([...typedCells(tables())].sort(), [...base].sort());
  assert.deepEqual(parts(typedCells(tables())), {});
  assert.deepEqual(faultsIn(tables()), {});
});

test("only the parts with changed cells are sent, and the rest of a part as it was", () => {
  assert.deepEqual(parts(edit(({ amounts }) => (amounts.holePriceEach = "60"))), { holePriceEach: 60 });
  const glassPrices = structuredClone(list.glassPrices);
  glassPrices.Clear["5mm"].pricePerSqFt = 1038.5;
  assert.deepEqual(parts(edit(({ glass }) => (glass[0].pricePerSqFt = "1,038.50"))), { glassPrices });
  glassPrices.Clear["5mm"].pricePerSqFt = 36;
  glassPrices.Clear["6mm"].grindingRate = { rough: 9, polished: 12 };
  assert.deepEqual(parts(edit(({ glass }) => (glass[1].polished = "12"))), { glassPrices });
});

test("rows are added and removed, and blank ones are no prices", () => {
  const cells = edit(({ glass, edges }) => {
    glass.push({ key: "x", type: "Grey", thickness: "8mm", pricePerSqFt: "90" }, { key: "y", type: "Grey" });
    edges.pop();
  });
  assert.deepEqual(parts(cells).glassPrices.Grey, { "8mm": { pricePerSqFt: 90 } });
  assert.deepEqual(parts(cells).edgeRates, { arris: 3 });
});

test("faults are those of their cells", () => {
  const all = tables();
  all.amounts.notchPrice = "";
  all.edges[0].rate = "-1";
  all.glass[0].rough = "";
  all.glass.push({ key: "x", type: "Clear", thickness: "6mm", pricePerSqFt: "cheap" }, { key: "y", thickness: "4mm" });
  assert.deepEqual(faultsIn(all), {
    notchPrice: { notchPrice: "missing" },
    [all.edges[0].key]: { rate: "number" },
    [all.glass[0].key]: { rough: "missing" },
    x: { thickness: "twice", pricePerSqFt: "number" },
    y: { type: "missing", pricePerSqFt: "missing" },
  });
});

test("changes of two people are joined, and a cell that both changed collides", () => {
  const mine = edit(({ glass, amounts }) => [(glass[0].pricePerSqFt = "37"), (amounts.holePriceEach = "55")]);
  const theirs = edit(({ glass, amounts, edges }) => [(glass[0].pricePerSqFt = "38"), (amounts.notchPrice = "90"), edges.pop()]);
  const { cells, collisions } = merged(base, mine, theirs);
  assert.deepEqual(collisions.map((path) => JSON.parse(path)), [["glassPrices", "Clear", "5mm", "pricePerSqFt"]]);
  const { amounts, glass, edges } = tablesOf(cells);
  assert.deepEqual([amounts.holePriceEach, amounts.notchPrice, glass[0].pricePerSqFt, edges.length], ["55", "90", "37", 1]);
  assert.deepEqual(merged(base, mine, mine).collisions, []);
});

test("a draft is what was typed, also what cannot be sent, with new keys for its rows", () => {
  const all = tables();
  assert.equal(isTyped(all, list), false);
  all.glass.push({ key: "x", type: "Clear" }); // a new row, into which nothing was typed
  assert.equal(isTyped(all, list), false);
  all.glass.at(-1).thickness = "8mm";
  assert.equal(isTyped(all, list), true);
  const draft = JSON.parse(JSON.stringify(bare(all)));
  const again = withKeys(draft);
  assert.deepEqual(bare(again), bare(all));
  assert.equal(isTyped(again, list), true);
  const keys = [...again.glass, ...again.edges, ...all.glass, ...all.edges].map(({ key }) => key);
  assert.equal(new Set(keys).size, keys.length);
});
