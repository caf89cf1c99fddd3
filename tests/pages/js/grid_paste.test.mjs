import assert from "node:assert/strict";
import { test } from "node:test";

const STATIC = new URL("../../../glassflow/pages/static/js/", import.meta.url);
const { cellsOf, headerOf, pasted, tableOf, withCell, withTable } = await import(new URL("ui/grid_paste.js", STATIC));
const { isAmbiguous, numberOf, numberText } = await import(new URL("ui/numbers.js", STATIC));

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
    ["120.5 cm", "1205"],
    ["๑๒๐ ซม.", "1200"],
    ["−835.03", "-835.03"], // as amounts are shown
    ["1.85 เมตร", "1850"],
    ["6 มิลลิเมตร", "6"],
    ['48"', "1219.2"],
    ["120 m", "120 m"], // before another m is typed
    ["1.200", "1.200"],
    ["1.200 cm", "1.200 cm"],
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

const LIST = [
  { name: "mark", title: "Mark", names: ["ตำแหน่ง"] },
  { name: "width", title: "Width mm", kind: "number", names: ["กว้าง"], needed: true },
  { name: "height", title: "Height mm", kind: "number", names: ["สูง"], needed: true },
  { name: "quantity", title: "Quantity", kind: "number", unit: /\s*แผ่น$/, names: ["จำนวน"] },
  { name: "glass", title: "Glass", names: ["ชนิดกระจก"] },
  { name: "thickness", title: "Thick mm", kind: "number", names: ["หนา"] },
];
const HEADS = ["ลำดับ", "ตำแหน่ง", "กว้าง", "สูง", "จำนวน", "ชนิดกระจก", "หนา"];
const listed = (cells) => {
  const blank = { mark: "", width: "", height: "", quantity: "1", glass: "", thickness: "" };
  const table = tableOf(cells, LIST);
  const rows = withTable({
    rows: [blank],
    table,
    newRow: (previous) => ({ ...blank, glass: previous.glass }),
    isBlank: ({ width, height, mark }) => !width && !height && !mark,
    marks: { ofFile: "f" },
  });
  return { rows: rows.map((row) => LIST.map(({ name }) => row[name]).join(" ")), left: table.left, all: rows };
};

test("the list of a customer is read below its titles, without blank lines, sums and repeated heads", () => {
  const { rows, left, all } = listed([
    ["บ้านคุณสมชาย"],
    ["วันที่", "1/2/2569"],
    [],
    HEADS,
    ["1", "W01", "1,850", "900", "2 แผ่น", "Clear", "6 มม."],
    [],
    ["", "ชั้น 2"],
    ["2", "W02", "120.5 cm", "900"],
    HEADS,
    ["3", "W03", "", "", "1", "Mirror", "5"],
    ["", "รวม", "", "", "4", "แผ่น"],
    ["", "", "", "", "4"],
    ["หมายเหตุ ส่งบ่าย"],
  ]);
  assert.deepEqual(rows, ["W01 1850 900 2 Clear 6", "W02 1205 900   ", "W03   1 Mirror 5"]);
  assert.deepEqual(
    left.map(({ line, text }) => [line, text]),
    [
      [7, "ชั้น 2"],
      [9, HEADS.join(" ")],
      [11, "รวม 4 แผ่น"],
      [12, "4"],
      [13, "หมายเหตุ ส่งบ่าย"],
    ],
  );
  assert.ok(all.every(({ ofFile }) => ofFile === "f"));
});

test("sizes are in the unit of their head, of the head above or of the whole list", () => {
  const read = (...cells) => listed(cells).rows[0];
  assert.equal(read(["ตำแหน่ง", "กว้าง (ซม.)", "สูง mm"], ["W1", "120.5", "900"]), "W1 1205 900 1  ");
  const inTwoLines = [
    ["ลำดับ", "ตำแหน่ง", "ขนาด (ซม.)", "", "จำนวน", "หนา"],
    ["", "", "กว้าง", "สูง"],
  ];
  assert.equal(read(...inTwoLines, ["1", "W1", "120", "90 มม.", "2", "6"]), "W1 1200 90 2  6");
  assert.equal(read(["รายการกระจก (หน่วย: เมตร)"], HEADS, ["1", "W1", "1.2", "0.9", "1", "", "6"]), "W1 1200 900 1  6");
});

test("cells without heads are no table, and a size that may be two is told apart", () => {
  assert.equal(tableOf([["1", "W01", "1850"], []], LIST), null);
  assert.equal(tableOf([["กว้าง คูณ สูง"], ["1850", "900"]], LIST), null);
  assert.equal(tableOf([], LIST), null);
  assert.deepEqual(["1.200", "12.000", "1200", "612.775", "9.52", "0.125"].map(isAmbiguous), [
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
});
