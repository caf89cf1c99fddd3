import assert from "node:assert/strict";
import { test } from "node:test";

const STATIC = new URL("../../../glassflow/pages/static/js/", import.meta.url);
await import("./load_texts.mjs");
const { countOf, isBlank, newRow, readable, toPane, withJobType } = await import(
  new URL("pages/office/pane_grid/rows.js", STATIC)
);
const { faultAt, inCuts, inPanes, ofRow } = await import(new URL("pages/office/pane_grid/pane_faults.js", STATIC));
const { doubtOf, faultsOfRows, rowFaults } = await import(new URL("pages/office/pane_grid/row_faults.js", STATIC));
const { session } = await import(new URL("core/session.js", STATIC));
const { rowsOf } = await import(new URL("pages/office/pane_grid/copied_rows.js", STATIC));
const { setLang } = await import(new URL("core/preferences.js", STATIC));

const row = (fields) => ({ ...newRow(), ...fields });
const LAM2 = { code: "LAM2", sheetsPerPane: 2, defaultRawGlassTypes: ["Clear", "Clear"], defaultRouting: ["s1", "s2"] };

test("a job type fills in glass, sheets and route; the next row goes on with them", () => {
  const first = withJobType(row({ width: "900", notes: "x", edges: { top: "arris" } }), "LAM2", LAM2);
  assert.deepEqual([first.glassType, first.sheets, first.routing], ["Clear", "2", ["s1", "s2"]]);
  const next = newRow(first);
  assert.deepEqual([next.jobType, next.sheets, next.routing, next.glassType], ["LAM2", "2", ["s1", "s2"], "Clear"]);
  assert.deepEqual([next.width, next.notes, next.edges, next.quantity], ["", "", {}, "1"]);
  assert.notEqual(next.key, first.key);
  assert.ok(isBlank(next) && !isBlank(first));
});

test("a job type without a route or glass keeps what the row has", () => {
  const bare = { code: "X", sheetsPerPane: 1, defaultRawGlassTypes: [], defaultRouting: [] };
  const next = withJobType(row({ glassType: "Bronze", routing: ["s9"] }), "X", bare);
  assert.deepEqual([next.glassType, next.routing, next.sheets], ["Bronze", ["s9"], "1"]);
  assert.equal(withJobType(row({}), "typed", undefined).jobType, "typed");
});

test("a row is sent as a pane: numbers as numbers, and what is none as it was typed", () => {
  const pane = toPane(
    row({
      width: "1,200",
      height: "tall",
      thickness: "6",
      quantity: "3",
      glassType: "Clear",
      sheets: "2",
      routing: ["s1"],
      edges: { top: "arris", left: "" },
      holes: [{ type: "circle", x: "50", y: "", diameter: "12" }],
    }),
  );
  assert.deepEqual(pane.dimensions, { width: 1200, height: "tall", thickness: 6 });
  assert.deepEqual([pane.quantity, pane.routing, pane.glassTypeLabel], [3, ["s1"], "Clear 6 mm"]);
  assert.deepEqual(pane.rawGlass, { glassType: "Clear", color: "", thickness: 6, sheetsPerPane: 2 });
  assert.deepEqual(pane.edgeTasks, [{ side: "top", edgeProfile: "arris", machineType: "" }]);
  assert.deepEqual(pane.holes, [
    { id: "h1", type: "circle", x: 50, y: null, diameter: 12, width: null, height: null, length: null },
  ]);
  assert.equal("routing" in toPane(row({})), false); // an empty route would mean that there is no work
});

test("what is drawn and priced has no texts in the place of numbers", () => {
  const half = { type: "circle", x: "5", y: "x", diameter: "1" };
  const pane = readable(
    row({
      width: "9",
      height: "-",
      thickness: "thin",
      quantity: "many",
      sheets: "99",
      holes: [half, { ...half, y: "7", diameter: "-1" }],
    }),
  );
  assert.deepEqual(pane.dimensions, { width: 9, height: null, thickness: null });
  assert.deepEqual([pane.quantity, pane.rawGlass.sheetsPerPane, pane.rawGlass.thickness], [1, null, null]);
  assert.deepEqual(
    pane.holes.map(({ x, y, diameter }) => [x, y, diameter]),
    [[5, 7, null]],
  );
});

test("faults of the API are found at the cell that caused them", () => {
  const faults = [
    { field: "panes.3.dimensions.width", message: "a" },
    { field: "panes.3.rawGlass.thickness", message: "b" },
    { field: "panes.13.dimensions.width", message: "c" },
    { field: "panes.3.holes.0.x", message: "d" },
  ];
  assert.deepEqual(
    ["width", "thickness", "holes", "height"].map((name) => faultAt(ofRow(faults, 3), name)),
    ["a", "b", "d", undefined],
  );
  assert.equal(faultAt(ofRow(faults, 1), "width"), undefined);
});

test("what is typed and no number that fits is a fault at once, what is missing when it is saved", () => {
  setLang("en");
  const hole = { type: "circle", x: "5", y: "", diameter: "" };
  const typed = row({ width: "0", height: "1,200 mm", quantity: "2 x", sheets: "1.5", unitPrice: "-1", holes: [hole] });
  const told = (faults) => Object.fromEntries(faults.map(({ field, message }) => [field, message]));
  const atOnce = {
    "dimensions.width": "Must be greater than 0.",
    quantity: "Not a valid number",
    "rawGlass.sheetsPerPane": "Not a valid integer",
    unitPrice: "Must be greater than or equal to 0.",
  };
  assert.deepEqual(told(rowFaults(typed)), atOnce);
  const empty = "This field must not be empty.";
  assert.deepEqual(told(rowFaults(typed, true)), { ...atOnce, "holes.0.y": empty, "holes.0.diameter": empty });
  const notch = { type: "rectangle", x: "0", y: "0", width: "50", height: "0" };
  const other = row({ width: "", height: "9", notches: [notch, { ...notch, type: "custom", vertices: [] }] });
  assert.deepEqual(told(rowFaults(other, true)), {
    "dimensions.width": empty,
    "notches.0.height": "Must be greater than 0.",
    "notches.1.vertices": empty,
  });
  assert.deepEqual(rowFaults(row({ width: "9", height: "9", quantity: "" }), true), []);
});

test("a row of a file says at once what is missing, and any row what is doubtful", () => {
  const missing = rowFaults(row({ width: "1.200", height: "", quantity: "", ofFile: "f" }));
  assert.deepEqual(
    missing.map(({ field, message }) => [field, message]),
    [
      ["dimensions.width", "1,200 or 1.2?"],
      ["dimensions.height", "This field must not be empty."],
      ["quantity", "This field must not be empty."],
    ],
  );
  assert.deepEqual(rowFaults(row({ width: "1200" })), []);
  const prices = { glassPrices: { Clear: {} } };
  const doubts = (fields) =>
    ["width", "height", "glassType", "thickness"].map((cell) => doubtOf(row(fields), cell, prices)?.words);
  assert.deepEqual(doubts({ width: "12,000", height: "900", glassType: "ใส" }), [
    "12,000 mm?",
    undefined,
    "Not in the price list",
    undefined,
  ]);
  assert.deepEqual(doubts({ width: "1.2", height: "", glassType: "clear" }), [
    "1.2 mm?",
    undefined,
    undefined,
    undefined,
  ]);
  assert.equal(doubtOf(row({ glassType: "ใส" }), "glassType", { glassPrices: {} }), undefined);
});

test("all rows that are sent are judged, and no more panes are taken than the service takes", () => {
  setLang("en");
  const sent = { current: [] };
  const rows = [row({}), row({ width: "9", height: "9", quantity: "400" }), row({ width: "9", quantity: "101" })];
  session.value = { state: "open", mostPanes: 500 };
  assert.deepEqual(faultsOfRows(rows, "add", sent), {
    add: ["501 panes: at most 500 in one request or quote"],
    "add.1.dimensions.height": ["This field must not be empty."],
  });
  assert.deepEqual(sent.current, [rows[1].key, rows[2].key]);
  session.value = { state: "open" }; // of a session that was kept before
  assert.deepEqual(Object.keys(faultsOfRows(rows, "panes", sent)), ["panes.1.dimensions.height"]);
});

test("a fault is told with its row, its cut-out and its field", () => {
  setLang("en");
  const rows = [row({}), row({ width: "9" }), row({ width: "8" })];
  const tell = inPanes({ current: [rows[1].key, rows[2].key] }); // the first row is blank and was not sent
  const told = [
    "panes.0.dimensions.width",
    "panes.0.rawGlass.thickness",
    "panes.1.notches.0.x",
    "panes.1.holes.2",
    "panes.0",
  ].map((field) => tell({ field }, { panes: rows }).label);
  assert.deepEqual(told, [
    "Row 2 · Width mm",
    "Row 2 · Thick mm",
    "Row 3 · Notch 1 · x from left",
    "Row 3 · Hole 3",
    "Row 2",
  ]);
  for (const field of ["panes", "add"]) assert.equal(tell({ field }, { panes: rows }).id, "field-panes"); // of all rows
  assert.equal(tell({ field: "panes.1.holes.0.x" }, { panes: rows.slice(0, 2) }), undefined); // its row was removed
  assert.equal(inCuts("holes")({ field: "holes.1.diameter" }).label, "Hole 2 · Diameter");
});

test("a job type fills in the glass of its material", () => {
  const material = (specDetails) => ({ ...LAM2, defaultMaterial: { _id: "m1", specDetails } });
  const typed = row({ glassType: "Bronze", thickness: "5", color: "Brown" });
  const glass = (jobType) =>
    (({ glassType, thickness, color }) => [glassType, thickness, color])(withJobType(typed, "LAM2", jobType));
  assert.deepEqual(glass(material({ glassType: "Ultra Clear", thickness: "8 มม.", color: "" })), [
    "Ultra Clear",
    "8",
    "Brown",
  ]);
  assert.deepEqual(glass(material({ glassType: "", thickness: "", color: "" })), ["Clear", "5", "Brown"]);
  assert.deepEqual(glass({ ...LAM2, defaultMaterial: "m1" }), ["Clear", "5", "Brown"]); // not readable for the worker
});

test("rows are counted by their quantities", () => {
  assert.equal(countOf([row({ quantity: "3" }), row({ quantity: "" }), row({ quantity: "x" })]), 4);
});

test("panes of an earlier request are copied as rows: alike ones in one, units by their parents", () => {
  const base = {
    dimensions: { width: 900, height: 1200, thickness: 6, area: 1 },
    jobType: "SINGLE",
    glassType: "Clear",
    rawGlass: { glassType: "Clear", color: "", thickness: 6, sheetsPerPane: 1 },
    routing: ["s1", "s2"],
    customRouting: false,
    holes: [],
    notches: [],
    edgeTasks: [{ side: "top", edgeProfile: "arris", machineType: "M1", status: "done" }],
    notes: "",
    laminateRole: "single",
    laminateMergedAt: null,
    parentPane: null,
    remakeOf: null,
  };
  const lam = { ...base.rawGlass, sheetsPerPane: 2 };
  const rows = rowsOf([
    { ...base, _id: "1" },
    { ...base, _id: "2" },
    { ...base, _id: "3", remakeOf: "1" },
    { ...base, _id: "4", laminateRole: "parent", rawGlass: lam, routing: ["s4"] },
    { ...base, _id: "5", laminateRole: "sheet", rawGlass: lam, parentPane: "4", routing: ["s1", "s3"] },
    { ...base, _id: "6", laminateRole: "single", laminateMergedAt: "2026", rawGlass: lam, parentPane: "4" },
  ]);
  assert.deepEqual(
    rows.map(({ quantity, sheets, routing }) => [quantity, sheets, routing]),
    [
      ["2", "", ["s1", "s2"]],
      ["1", "2", ["s1", "s3", "s4"]],
    ],
  );
  assert.deepEqual(toPane(rows[0]).edgeTasks, [{ side: "top", edgeProfile: "arris", machineType: "M1" }]);
  assert.equal(toPane(rows[0]).dimensions.width, 900);
});
