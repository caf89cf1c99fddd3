import assert from "node:assert/strict";
import { test } from "node:test";

const {
  AMOUNTS,
  adopted,
  bare,
  cellsOf,
  changedParts,
  faultsIn,
  isTyped,
  merged,
  tablesOf,
  typedCells,
  withCells,
  withKeys,
} = await import("../../../glassflow/pages/static/js/pages/office/prices/model.js");

const list = {
  glassPrices: {
    Clear: {
      "5mm": { pricePerSqFt: 36, grindingRate: { rough: 15, polished: 40 } },
      "6mm": { pricePerSqFt: 44, grindingRate: 9 },
    },
    "Low-E": { "6mm": { pricePerSqFt: 80 } },
  },
  holePriceEach: 50,
  notchPrice: 100,
  minimumArea: 0,
  edgeRates: { arris: 3, "no. 2": 5 },
  temperingRates: { "6mm": 24 },
  laminationRates: { perSheet: 0, perFilm: 40 },
  processRates: { Painting: 45 },
  oversize: [{ fromSqFt: 40, percent: 15 }],
  quantityBreaks: [
    { fromQuantity: 10, percent: -5 },
    { fromQuantity: 50, percent: -10 },
  ],
  minimumEdge: 0,
  minimumCharge: 300,
  sideStepInch: 0,
  areaStep: 0,
  rushPercent: 20,
  vatPercent: 7,
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

test("a price list of customers may have no rate of its own", () => {
  const none = {
    glassPrices: {},
    edgeRates: {},
    temperingRates: {},
    processRates: {},
    holePriceEach: null,
    notchPrice: null,
  };
  const empty = tablesOf(cellsOf(none));
  assert.deepEqual(changedParts(cellsOf(none), typedCells(empty), none), {});
  assert.deepEqual(faultsIn(empty, []), {});
  assert.deepEqual(Object.keys(faultsIn(empty)), AMOUNTS);
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
  const cells = edit(({ glass, edgeRates: edges }) => {
    glass.push({ key: "x", type: "Grey", thickness: "8mm", pricePerSqFt: "90" }, { key: "y", type: "Grey" });
    edges.pop();
  });
  assert.deepEqual(parts(cells).glassPrices.Grey, { "8mm": { pricePerSqFt: 90 } });
  assert.deepEqual(parts(cells).edgeRates, { arris: 3 });
});

test("faults are those of their cells", () => {
  const all = tables();
  all.amounts.notchPrice = "";
  all.edgeRates[0].rate = "-1";
  all.glass[0].rough = "";
  all.glass.push({ key: "x", type: "Clear", thickness: "6mm", pricePerSqFt: "cheap" }, { key: "y", thickness: "4mm" });
  assert.deepEqual(faultsIn(all), {
    notchPrice: { notchPrice: "missing" },
    [all.edgeRates[0].key]: { rate: "number" },
    [all.glass[0].key]: { rough: "missing" },
    x: { thickness: "twice", pricePerSqFt: "number" },
    y: { type: "missing", pricePerSqFt: "missing" },
  });
});

test("rows that begin at a number are sent in its order, and the two rates of lamination together", () => {
  const cells = edit(({ amounts, quantityBreaks, oversize }) => {
    amounts.perFilm = "45";
    quantityBreaks.push({ key: "x", fromQuantity: "5", percent: "-2.5" });
    oversize[0].fromSqFt = "35";
  });
  assert.deepEqual(parts(cells), {
    laminationRates: { perSheet: 0, perFilm: 45 },
    quantityBreaks: [
      { fromQuantity: 5, percent: -2.5 },
      { fromQuantity: 10, percent: -5 },
      { fromQuantity: 50, percent: -10 },
    ],
    oversize: [{ fromSqFt: 35, percent: 15 }],
  });
});

test("a row begins at a number, once; a percentage may take off at most all", () => {
  const all = tables();
  all.quantityBreaks.push(
    { key: "x", fromQuantity: "10.0", percent: "1" },
    { key: "y", fromQuantity: "many", percent: "-101" },
    { key: "z", percent: "3" },
  );
  all.oversize[0].percent = "-1";
  assert.deepEqual(faultsIn(all), {
    x: { fromQuantity: "twice" },
    y: { fromQuantity: "number", percent: "percent" },
    z: { fromQuantity: "missing" },
    [all.oversize[0].key]: { percent: "number" },
  });
});

test("changes of two people are joined, and a cell that both changed collides", () => {
  const mine = edit(({ glass, amounts }) => [(glass[0].pricePerSqFt = "37"), (amounts.holePriceEach = "55")]);
  const theirs = edit(({ glass, amounts, edgeRates: edges }) => [
    (glass[0].pricePerSqFt = "38"),
    (amounts.notchPrice = "90"),
    edges.pop(),
  ]);
  const { cells, collisions } = merged(base, mine, theirs);
  assert.deepEqual(
    collisions.map((path) => JSON.parse(path)),
    [["glassPrices", "Clear", "5mm", "pricePerSqFt"]],
  );
  const { amounts, glass, edgeRates: edges } = tablesOf(cells);
  assert.deepEqual(
    [amounts.holePriceEach, amounts.notchPrice, glass[0].pricePerSqFt, edges.length],
    ["55", "90", "37", 1],
  );
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
  const keys = [...again.glass, ...again.edgeRates, ...all.glass, ...all.edgeRates].map(({ key }) => key);
  assert.equal(new Set(keys).size, keys.length);
});

const keysOf = ({ glass, edgeRates: edges }) => [...glass, ...edges].map(({ key }) => key);
const changed = (change) => {
  const next = structuredClone(list);
  change(next);
  return next;
};

test("the rows of a newer list keep their places and keys, and what was typed into them", () => {
  const all = tables();
  all.glass[0].pricePerSqFt = "37."; // more is to come
  all.amounts.holePriceEach = "50.";
  const theirs = changed(({ glassPrices, edgeRates }) => {
    glassPrices.Clear["6mm"].pricePerSqFt = 45;
    delete edgeRates.arris;
    edgeRates.flat = 7;
  });
  const { tables: next, collisions } = adopted(list, all, theirs);
  assert.deepEqual(collisions, []);
  assert.deepEqual(
    next.glass.map(({ key }) => key),
    all.glass.map(({ key }) => key),
  );
  assert.deepEqual(
    next.glass.map(({ pricePerSqFt }) => pricePerSqFt),
    ["37.", "45", "80"],
  );
  assert.equal(next.amounts.holePriceEach, "50.");
  assert.deepEqual(
    next.edgeRates.map(({ profile }) => profile),
    ["no. 2", "flat"],
  );
  assert.equal(next.edgeRates[0].key, all.edgeRates[1].key);
});

test("rows that are half typed stay, with their keys, when somebody else changes the list", () => {
  const all = tables();
  all.glass.push(
    { key: "a", type: "Grey", thickness: "8mm" },
    { key: "b", type: "Grey" },
    { key: "c", type: "Clear", thickness: "5mm", pricePerSqFt: "99" },
    { key: "d", thickness: "4mm", pricePerSqFt: "7" },
    { key: "e", thickness: "4mm", pricePerSqFt: "8" },
  );
  all.edgeRates.push({ key: "f", profile: "flat" });
  const { tables: next } = adopted(
    list,
    all,
    changed((one) => (one.notchPrice = 90)),
  );
  assert.deepEqual(keysOf(next), keysOf(all));
  const drafted = (one) => JSON.parse(JSON.stringify(bare(one)));
  assert.deepEqual(drafted(next), drafted({ ...all, amounts: { ...all.amounts, notchPrice: "90" } }));
  all.edgeRates[0].rate = ""; // to type another one
  assert.equal(
    adopted(
      list,
      all,
      changed((one) => (one.notchPrice = 90)),
    ).tables.edgeRates[0].rate,
    "",
  );
  const named = adopted(
    list,
    all,
    changed(({ glassPrices }) => (glassPrices.Grey = { "8mm": { pricePerSqFt: 60 } })),
  ).tables;
  assert.deepEqual(
    named.glass
      .filter(({ type, thickness }) => type === "Grey" && thickness === "8mm")
      .map(({ key, pricePerSqFt }) => [key, pricePerSqFt]),
    [["a", "60"]],
  );
  assert.equal(tablesOf(new Map([['["edgeRates","x"]', null]])).edgeRates[0].rate, "");
});

test("what is typed while a list is saved stays, and is no collision with what was sent", () => {
  const all = tables();
  all.glass[0].pricePerSqFt = "37.50";
  const sent = typedCells(all);
  all.glass[0].pricePerSqFt = "38"; // meanwhile
  all.amounts.notchPrice = "95";
  const answer = changed((one) => (one.glassPrices.Clear["5mm"].pricePerSqFt = 37.5));
  const { tables: next, collisions } = adopted(list, all, answer, sent);
  assert.deepEqual(collisions, []);
  assert.deepEqual([next.glass[0].pricePerSqFt, next.amounts.notchPrice], ["38", "95"]);
  assert.equal(isTyped(next, answer), true);
  const theirs = changed((one) => (one.glassPrices.Clear["5mm"].pricePerSqFt = 40)); // somebody else's
  assert.deepEqual(
    adopted(list, all, theirs, sent).collisions.map(({ mine, theirs: other }) => [mine, other]),
    [[38, 40]],
  );
});

test("a collision that nobody has decided stays when the list changes once more", () => {
  const all = tables();
  all.glass[0].pricePerSqFt = "38";
  const first = changed((one) => (one.glassPrices.Clear["5mm"].pricePerSqFt = 40));
  const { tables: mine, collisions } = adopted(list, all, first);
  const next = { ...first, notchPrice: 90 };
  const again = adopted(first, mine, next, undefined, collisions);
  assert.deepEqual(again.collisions, collisions);
  const agreed = changed((one) => (one.glassPrices.Clear["5mm"].pricePerSqFt = 38));
  assert.deepEqual(adopted(next, again.tables, agreed, undefined, again.collisions).collisions, []);
});

test("nothing is typed once what was typed is saved, however it was written", () => {
  const all = tables();
  all.glass.reverse();
  all.glass.push({ key: "x", type: "Grey", thickness: "8mm", pricePerSqFt: "1,090.50" });
  const answer = changed(({ glassPrices }) => (glassPrices.Grey = { "8mm": { pricePerSqFt: 1090.5 } }));
  const next = adopted(list, all, answer, typedCells(all)).tables;
  assert.equal(isTyped(next, answer), false);
  assert.deepEqual(keysOf(next), keysOf(all));
});

test("whoever takes the values of somebody else keeps the rows that are half typed", () => {
  const all = tables();
  all.edgeRates.push({ key: "f", profile: "flat" });
  const next = withCells(all, (cells) => cells.set('["edgeRates","arris"]', 4));
  assert.deepEqual(
    next.edgeRates.map(({ profile, rate }) => [profile, rate]),
    [
      ["arris", "4"],
      ["no. 2", "5"],
      ["flat", undefined],
    ],
  );
});
