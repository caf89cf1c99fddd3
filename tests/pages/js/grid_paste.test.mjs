import assert from "node:assert/strict";
import { test } from "node:test";

const STATIC = new URL("../../../glassflow/pages/static/js/", import.meta.url);
const { cellsOf, headerOf, numberOf, numberText, pasted, withCell } = await import(new URL("ui/grid_paste.js", STATIC));

const COLUMNS = [
  { name: "width", title: "Width mm", kind: "number", names: ["กว้าง", "w"] },
  { name: "height", title: "Height mm", kind: "number", names: ["สูง"] },
  {
    name: "job",
    title: "Job type",
    kind: "select",
    names: ["ชนิดงาน"],
    options: [{ value: "LAM2", label: "กระจกลามิเนต 2 ชั้น" }],
    set: (row, job) => ({ ...row, job, sheets: job === "LAM2" ? "2" : "" }),
  },
  { name: "notes", title: "Notes", names: ["หมายเหตุ"] },
];
let made = 0;
const newRow = (previous) => ({ key: (made += 1), width: "", height: "", job: previous?.job ?? "", notes: "" });
const isBlank = ({ width, height }) => !width && !height;
const paste = (rows, text, row = 0, column = 0) =>
  pasted({ rows, columns: COLUMNS, cells: cellsOf(text), row, column, newRow, isBlank });
const shown = (rows) => rows.map(({ width, height, job, notes }) => [width, height, job, notes]);

test("a copied range is read as cells, also quoted ones", () => {
  assert.deepEqual(cellsOf("1\t2\r\n3\t4\r\n"), [
    ["1", "2"],
    ["3", "4"],
  ]);
  assert.deepEqual(cellsOf('a\t"two\nlines, ""quoted"""\nb\tc'), [
    ["a", 'two\nlines, "quoted"'],
    ["b", "c"],
  ]);
  assert.deepEqual(cellsOf(" 1 \t\n\t2"), [
    ["1", ""],
    ["", "2"],
  ]);
  assert.deepEqual(cellsOf(""), []);
});

test("numbers are read as people write them, and what is none stays", () => {
  const cases = [
    ["1,200", "1200"],
    ["1 200", "1200"],
    ["๑๒๐๐", "1200"],
    ["1200 มม.", "1200"],
    ["800mm", "800"],
    ["12.5", "12.5"],
    [" 7 ", "7"],
    ["abc", "abc"],
    ["1,20", "1,20"],
    ["", ""],
    ["2x", "2x"],
    ["1,234,567.5", "1234567.5"],
  ];
  for (const [typed, meant] of cases) assert.equal(numberText(typed), meant, typed);
  const pieces = { name: "quantity", kind: "number", unit: /\s*(แผ่น|pcs)$/ };
  for (const [typed, meant] of [
    ["2 แผ่น", "2"],
    ["๑๒แผ่น", "12"],
    ["3 pcs", "3"],
    ["4 mm", "4 mm"],
  ])
    assert.equal(withCell({}, pieces, typed).quantity, meant, typed);
  assert.deepEqual(["", undefined, "12.5", "x"].map(numberOf), [null, null, 12.5, "x"]);
});

test("a header is known in Thai and English, with units, and is no row of numbers", () => {
  const names = (cells) => headerOf(cells, COLUMNS)?.map((one) => one?.name);
  assert.deepEqual(names(["กว้าง (มม.)", "สูง", "อื่น"]), ["width", "height", undefined]);
  assert.deepEqual(names(["W", "HEIGHT MM", "Job-type"]), ["width", "height", "job"]);
  assert.equal(names(["1200", "800"]), undefined);
  assert.equal(names(["", ""]), undefined);
});

test("without a header cells go where the focus is, and rows that are missing are made", () => {
  const rows = [newRow(), { ...newRow(), job: "X", width: "5" }];
  const next = paste(rows, "1,200\t800\n900\t๗๐๐\n600\t500", 1);
  assert.deepEqual(shown(next), [
    ["", "", "", ""],
    ["1200", "800", "X", ""],
    ["900", "700", "X", ""],
    ["600", "500", "X", ""],
  ]);
  assert.deepEqual(shown(paste(rows, "300\t400", 0, 1))[0], ["", "300", "400", ""]);
  assert.equal(new Set(next.map(({ key }) => key)).size, 4);
});

test("with a header cells go to the columns that it names, behind the rows that are there", () => {
  const rows = [{ ...newRow(), width: "1", height: "1" }, newRow()];
  const next = paste(rows, "หมายเหตุ\tสูง\tกว้าง\tราคา\nริมซ้าย\t800\t1200\t99", 0, 2);
  assert.deepEqual(shown(next), [
    ["1", "1", "", ""],
    ["1200", "800", "", "ริมซ้าย"],
  ]);
});

test("a choice is found by its value or its words, and brings along what belongs to it", () => {
  const next = paste([newRow()], "กระจกลามิเนต 2 ชั้น\nlam2\nother", 0, 2);
  assert.deepEqual(
    next.map(({ job, sheets }) => [job, sheets]),
    [
      ["LAM2", "2"],
      ["LAM2", "2"],
      ["other", ""],
    ],
  );
});

test("what is pasted into a column is not replaced by what a later choice brings along", () => {
  const columns = [...COLUMNS.slice(0, 2), { name: "sheets", title: "Sheets", kind: "number" }, COLUMNS[2], COLUMNS[3]];
  const pasteInto = (text) =>
    pasted({ rows: [newRow()], columns, cells: cellsOf(text), row: 0, column: 0, newRow, isBlank });
  const text = "Width mm\tHeight mm\tSheets\tJob type\n100\t200\t3\tlam2\n100\t200\t\tlam2\n300\t400\t4\t";
  assert.deepEqual(
    pasteInto(text).map(({ job, sheets }) => [job, sheets]),
    [
      ["LAM2", "3"],
      ["LAM2", "2"],
      ["", "4"],
    ],
  );
  assert.deepEqual(
    pasteInto("100\t200\t3\tlam2").map(({ job, sheets }) => [job, sheets]),
    [["LAM2", "3"]],
  );
});
