import assert from "node:assert/strict";
import { test } from "node:test";

const OFFICE = new URL("../../../glassflow/pages/static/js/pages/office/", import.meta.url);
await import("./load_texts.mjs");
const { countOf, kindsOf, matching, materialsOf, stationsOf, wordsOf } = await import(new URL("kinds.js", OFFICE));
const { setLang } = await import(new URL("../../core/preferences.js", OFFICE));

setLang("en");

let last = 0;
const pane = (label, fields) => ({
  _id: `p${(last += 1)}`,
  glassTypeLabel: label,
  dimensions: { thickness: 6 },
  laminateRole: "single",
  currentStatus: "pending",
  routing: ["cut", "wash"],
  ...fields,
});
const CLEAR = { _id: "m1", name: "Clear 6 mm" };

test("panes of one glass and material are one kind, the kind of most panes first", () => {
  const rows = [
    pane("Green"),
    pane("Clear 6 mm"),
    pane("clear 6 MM"),
    pane("Clear 6 mm", { material: CLEAR }),
    pane("Clear 6 mm", { jobType: "T" }),
    pane("Clear 6 mm"),
    pane("Clear", { dimensions: { thickness: 8 } }),
  ];
  const kinds = kindsOf(rows, ({ jobType }) => (jobType === "T" ? "m2" : null));
  assert.deepEqual(
    kinds.map(({ words, panes, own, material }) => [words, panes.length, own, material]),
    [
      ["Clear 6 mm", 3, null, null],
      ["Green 6 mm", 1, null, null],
      ["Clear 6 mm", 1, CLEAR, "m1"],
      ["Clear 6 mm", 1, null, "m2"],
      ["Clear 8 mm", 1, null, null],
    ],
  );
  assert.equal(new Set(kinds.map(({ key }) => key)).size, 5);
  assert.deepEqual(kindsOf([]), []);
});

test("glass in words is the label, else what is known; the thickness is there once", () => {
  assert.equal(wordsOf(pane("ใส 6 มม.")), "ใส 6 มม.");
  assert.equal(wordsOf(pane("Low-E 16 mm")), "Low-E 16 mm 6 mm");
  assert.equal(wordsOf(pane("", { rawGlass: { glassType: "Clear", color: "Green" } })), "Clear Green 6 mm");
  assert.equal(wordsOf(pane("", { dimensions: {} })), "Glass not given");
});

test("a unit is one pane, with the steps of its sheets before its own", () => {
  const parent = pane("Clear 6 mm", { laminateRole: "parent", routing: ["qc"] });
  const sheets = ["A", "B"].map((sheetLabel) =>
    pane("Clear 6 mm", { sheetLabel, laminateRole: "sheet", parentPane: parent._id, routing: ["cut", "press"] }),
  );
  const [kind, ...others] = kindsOf([...sheets, parent]);
  assert.deepEqual([kind.panes, kind.routes, others], [[parent._id], [["cut", "press", "qc"]], []]);
  const merged = [
    { ...parent, currentStatus: "merged_into" },
    { ...sheets[0], laminateRole: "single", routing: ["qc"], laminateMergedAt: "2026-01-01" },
    { ...sheets[1], currentStatus: "merged_into" },
  ];
  assert.equal(countOf(merged), 1);
  const whole = pane("Clear 6 mm");
  assert.deepEqual(kindsOf([...merged, whole])[0].routes, [whole.routing]); // the rest of a route is no other one
  assert.deepEqual(kindsOf(merged)[0].routes, [["qc"]]);
});

test("different routes of a kind are kept, and an order has one route or all stations by position", () => {
  const plain = kindsOf([pane("A"), pane("B"), pane("A")]);
  assert.deepEqual(stationsOf(plain, ["wash", "cut"]), ["cut", "wash"]); // the route of all, as it is
  const mixed = kindsOf([pane("A"), pane("A", { routing: ["drill", "wash", "drill"] }), pane("B", { routing: [] })]);
  assert.deepEqual(mixed[0].routes, [
    ["cut", "wash"],
    ["drill", "wash", "drill"],
  ]);
  assert.deepEqual(stationsOf(mixed, ["cut", "drill", "wash"]), ["cut", "drill", "wash"]);
  assert.deepEqual(stationsOf(mixed, []), ["cut", "wash", "drill"]);
  assert.deepEqual(stationsOf([], ["cut"]), []);
});

test("a material matches the glass and thickness of a pane, if it is the only one", () => {
  const material = (_id, glassType, thickness, color) => ({ _id, specDetails: { glassType, thickness, color } });
  const glass = pane("", { glassType: "clear " });
  const one = material("m1", "Clear", "6 mm");
  assert.equal(matching(glass, [one, material("m2", "Clear", "8"), material("m3", "Grey", "6")]), "m1");
  assert.equal(matching(glass, [one, material("m2", "CLEAR", "6.0")]), null);
  const green = pane("", { rawGlass: { glassType: "Tinted", color: "Green" } });
  const tinted = [material("m4", "tinted", "6", "green"), material("m5", "tinted", "6", "bronze")];
  assert.equal(matching(green, tinted), "m4");
  assert.equal(matching(pane(""), [material("m6", "", "6"), { _id: "m7" }]), null);
});

test("an order has the material of most panes, and lists the panes of other materials in parts", () => {
  const many = (label, count, fields) => Array.from({ length: count }, () => pane(label, fields));
  const kinds = kindsOf([
    ...many("Grey", 250),
    ...many("Own", 2, { material: CLEAR }),
    ...many("Clear", 300),
    pane("Same"),
  ]);
  const [clear, grey, , same] = kinds;
  const chosen = { [clear.key]: "m1", [grey.key]: "m2", [same.key]: "m1" };
  const { material, paneMaterials } = materialsOf(kinds, chosen);
  assert.equal(material, "m1");
  assert.deepEqual(
    paneMaterials.map((one) => [one.panes.length, one.material]),
    [
      [100, "m2"],
      [100, "m2"],
      [50, "m2"],
    ],
  );
  assert.deepEqual(new Set(paneMaterials.flatMap(({ panes }) => panes)), new Set(grey.panes));
  assert.deepEqual(materialsOf([clear], { [clear.key]: "m9" }), { material: "m9" });
});
