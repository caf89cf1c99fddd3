import assert from "node:assert/strict";
import { test } from "node:test";
import "./load_texts.mjs";

const STATIC = new URL("../../../glassflow/pages/static/", import.meta.url);
const { inWords } = await import(new URL("js/ui/findings.js", STATIC));
const { cutsOf } = await import(new URL("js/ui/pane_geometry.js", STATIC));
const { setLang } = await import(new URL("js/core/preferences.js", STATIC));

const NEAR_EDGE = { code: "HOLE_EDGE", level: "warning", at: "holes.0.x", least: 20, most: null, actual: 8 };
const UNKNOWN = { ...NEAR_EDGE, code: "NOTCH_RADIUS", at: "notches.1", least: 12.7, actual: null };
const WIDE = { ...NEAR_EDGE, code: "SHEET_FIT", at: "dimensions.width", least: null, most: 2440, actual: 2441 };
const HEAVY = { ...WIDE, code: "WEIGHT", at: "dimensions", most: 50, actual: 50.1 };

test("findings are said in the words of the service", () => {
  setLang("en");
  assert.deepEqual([NEAR_EDGE, UNKNOWN, WIDE, HEAVY].map(inWords), [
    "Hole 1 to the edge: 8 mm, at least 20 mm",
    "Notch 2, corner radius: not given; tell the shop, at least 12.7 mm",
    "Width on the largest sheet: 2441 mm, at most 2440 mm",
    "Weight: 50.1 kg, at most 50 kg",
  ]);
  setLang("th");
  assert.equal(inWords(NEAR_EDGE), "รูที่ 1 ห่างจากขอบ 8 มม. ต้องไม่น้อยกว่า 20 มม.");
});

test("finding of a later release is told by its code", () => {
  setLang("en");
  assert.equal(inWords({ ...WIDE, code: "BENT" }), "BENT: 2441 mm, at most 2440 mm");
});

test("drawing marks the cut-outs that findings are about, by the worst of them", () => {
  const hole = { type: "circle", x: 50, y: 50, diameter: 20 };
  const makeability = [NEAR_EDGE, { ...NEAR_EDGE, at: "holes.1" }, { ...NEAR_EDGE, at: "holes.1.y", level: "refusal" }];
  const pane = { holes: [hole, hole, hole], notches: [hole], makeability };
  assert.deepEqual(
    cutsOf(pane).map(({ level }) => level),
    ["warning", "refusal", undefined, undefined],
  );
});
