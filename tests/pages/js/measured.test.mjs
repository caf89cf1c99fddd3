// Measured values of a pane against its order and the tolerance that people have typed.
import assert from "node:assert/strict";
import { test } from "node:test";
import "./load_texts.mjs";

const STATIC = new URL("../../../glassflow/pages/static/", import.meta.url);
const { findings, inWords, isOutside, toleranceOf } = await import(new URL("js/ui/measured.js", STATIC));
const { setLang } = await import(new URL("js/core/preferences.js", STATIC));

const ORDERED = { width: 800, height: 2000 };

test("a tolerance is read as people write it", () => {
  const read = {
    1: ["±1", "± 1", "±1 mm", "+/-1", "+/- 1", "+-1", "+/−1", "1", "1 mm", "1 มม.", "1มม", " ±1มิลลิเมตร "],
    1.5: ["± 1.5 mm", "±1,5", "1.5", "+/–1.5"],
    0.5: ["±.5", "±0.5"],
    0: ["0", "±0"],
  };
  for (const [size, texts] of Object.entries(read))
    for (const text of texts) assert.deepEqual(toleranceOf(text), { minus: Number(size), plus: Number(size) }, text);
  const uneven = {
    "+2/-1": [1, 2],
    "-1/+2": [1, 2],
    "+2 mm / −1 mm": [1, 2],
    "+2 –1,5": [1.5, 2],
    "+2, -1": [1, 2],
    "+0 -2": [2, 0],
    "-0/+2": [0, 2],
    "+2": [0, 2],
    "-2": [2, 0],
    "- 2 มม.": [2, 0],
  };
  for (const [text, [minus, plus]] of Object.entries(uneven))
    assert.deepEqual(toleranceOf(text), { minus, plus }, text);
});

test("what is no tolerance in mm is not guessed", () => {
  const texts = [
    "",
    " ",
    null,
    undefined,
    "ตามแบบ",
    "±",
    "1 2",
    "+2/+1",
    "±1%",
    "±0.1 cm",
    "±1/±2",
    "1-2",
    "EN 12150-1",
  ];
  for (const text of texts) assert.equal(toleranceOf(text), null, text);
});

test("each measured value is compared with what there is of it", () => {
  const measured = { width: 803, height: 1998.46, diagonals: [2155, 2153] };
  assert.deepEqual(findings(measured, ORDERED, "±1"), [
    { name: "width", off: 3, outside: true },
    { name: "height", off: -1.5, outside: true },
    { name: "diagonals", off: 2, outside: false },
  ]);
  assert.deepEqual(findings({ width: 803 }, ORDERED, "+3/-1"), [{ name: "width", off: 3, outside: false }]);
  assert.deepEqual(findings({ height: 1998 }, ORDERED, "+3/-1"), [{ name: "height", off: -2, outside: true }]);
  assert.deepEqual(findings({ width: 800 }, ORDERED, toleranceOf("±0")), [{ name: "width", off: 0, outside: false }]);
  for (const ordered of [{ width: 0, height: 0 }, {}, null, undefined])
    assert.deepEqual(findings({ width: 803, height: 9 }, ordered, "±1"), []);
});

test("diagonals may differ by the tolerance of both ways", () => {
  const differ = (by, tolerance) => isOutside({ diagonals: [2000, 2000 + by] }, null, tolerance);
  assert.deepEqual([differ(2, "±1"), differ(2.1, "±1"), differ(-2.1, "±1")], [false, true, true]);
  assert.deepEqual([differ(3, "+2/-1"), differ(3.1, "+2/-1")], [false, true]);
  assert.equal(differ(0.8, "+0.7/-0.1"), false); // whose sum is a little less than 0.8
});

test("without a tolerance that can be read nothing is outside of it", () => {
  const measured = { width: 900, diagonals: [1, 9] };
  assert.deepEqual(
    findings(measured, ORDERED, "ตามแบบ").map(({ outside }) => outside),
    [null, null],
  );
  assert.equal(isOutside(measured, ORDERED, ""), false);
  assert.equal(isOutside(measured, ORDERED, "±1"), true);
});

test("findings are said in words", () => {
  const said = (measured) => findings(measured, ORDERED, "±1").map(inWords);
  const measured = { width: 803, height: 1998.5, diagonals: [1, 5] };
  const exact = { ...ORDERED, diagonals: [5, 5] };
  setLang("en");
  assert.deepEqual(said(measured), ["Width 3 mm too large", "Height 1.5 mm too small", "Diagonals differ by 4 mm"]);
  assert.deepEqual(said(exact), ["Width as ordered", "Height as ordered", "Diagonals are equal"]);
  assert.deepEqual(said({ width: 799, height: 2001 }), ["Width 1 mm too small", "Height 1 mm too large"]);
  setLang("th");
  assert.deepEqual(said(measured), ["กว้างเกิน 3 มม.", "สูงขาด 1.5 มม.", "เส้นทแยงมุมต่างกัน 4 มม."]);
  assert.deepEqual(said(exact), ["กว้างตรงตามสั่ง", "สูงตรงตามสั่ง", "เส้นทแยงมุมเท่ากัน"]);
});
