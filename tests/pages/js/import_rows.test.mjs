import assert from "node:assert/strict";
import { test } from "node:test";

const STATIC = "../../../glassflow/pages/static/js/pages/office/import";
await import("./load_texts.mjs");
const { setLang } = await import("../../../glassflow/pages/static/js/core/preferences.js");
const { choices, columnName } = await import(`${STATIC}/columns.js`);
const { decidedRows, faultsByCell, fileOf, toCsv } = await import(`${STATIC}/rows.js`);

test("texts are quoted, and those that a spreadsheet would run are protected", () => {
  const rows = [
    ["name", "notes"],
    ["บ้านสวน", 'a "b",\r\nc'],
    ["=1+1", "'x"],
    ["-5", ""],
  ];
  assert.equal(
    toCsv(rows),
    ['"name","notes"', '"บ้านสวน","a ""b"",\r\nc"', `"'=1+1","''x"`, `"'-5",""`, ""].join("\r\n"),
  );
});

test("rows keep their numbers, and what is left out is not in the file", () => {
  const rows = [
    { row: 2, cells: ["a", "x"] },
    { row: 4, cells: ["b", "y"], left: true },
    { row: 6, cells: ["c", "z"] },
  ];
  assert.equal(fileOf({ columns: ["name", ""], rows }), '"name"\r\n"a"\r\n\r\n\r\n\r\n"c"\r\n');
});

test("a fault is at its column, at that beside its reference, or at the whole row", () => {
  const table = { columns: ["_id", "customer.name", "details.quantity", "panes"], rows: [] };
  const errors = [
    { row: 2, field: "details.quantity", message: "Too small" },
    { row: 2, field: "customer", message: "Missing" },
    { row: 3, field: "panes.0.width", message: "Not a number" },
    { row: 3, field: "", message: "Row 2 is the same record" },
    { row: 3, field: "deadline", message: "Missing" },
  ];
  const found = faultsByCell({ errors, table });
  assert.deepEqual(found.get(2), { "details.quantity": ["Too small"], "customer.name": ["customer: Missing"] });
  assert.deepEqual(found.get(3), {
    panes: ["panes.0.width: Not a number"],
    "": ["Row 2 is the same record", "deadline: Missing"],
  });
});

test("each row of the file is shown with what a dry run says of it", () => {
  const table = {
    columns: ["name"],
    rows: [
      { row: 2, cells: ["a"] },
      { row: 4, cells: ["b"] },
    ],
  };
  const rows = [{ row: 4, action: "updated", changes: { name: { from: "x", to: "b" } } }];
  assert.deepEqual(
    decidedRows({ table, rows }).map(({ row, action, changes }) => [row, action, Object.keys(changes)]),
    [
      [2, "", []],
      [4, "updated", ["name"]],
    ],
  );
});

test("columns are named as people name them, and what programs write is not offered", () => {
  setLang("en");
  const named = (resource, ...names) => names.map((name) => columnName(resource, name));
  assert.deepEqual(
    named("quotes", "customer.name", "panes.dimensions.width", "panes.rawGlass.thickness", "panes.unitPrice"),
    ["Customer", "Pane · Width", "Pane · Raw glass · Thickness", "Pane · Agreed price"],
  );
  assert.deepEqual(named("requests", "details.type", "assignedTo.username", "requestNumber", "other"), [
    "Type",
    "Assigned to",
    "Request number",
    "other",
  ]);
  assert.deepEqual(named("deliveries", "panes.paneNumber"), ["Panes"]);
  assert.deepEqual(choices(["customer.name", "currentPrices", "panes.mark"]), ["customer.name", "panes.mark"]);
});
