// The shape of a pane in its form: what is typed into the grids of cut-outs, and chosen for edges.
import assert from "node:assert/strict";
import { test } from "node:test";

const STATIC = new URL("../../../glassflow/pages/static/js/", import.meta.url);
await import("./load_texts.mjs");
const shape = await import(new URL("pages/office/panes/shape.js", STATIC));
const { cutWords, edgeWords } = await import(new URL("pages/office/panes/shape_words.js", STATIC));
const { setLang } = await import(new URL("core/preferences.js", STATIC));
const { changes } = await import(new URL("ui/form_values.js", STATIC));
const { cutFaults } = await import(new URL("pages/office/pane_grid/pane_faults.js", STATIC));

const HOLE = {
  id: "h1",
  type: "circle",
  x: 50,
  y: 0,
  diameter: 20.5,
  width: null,
  height: null,
  length: null,
  vertices: [],
};
const CORNER = {
  ...HOLE,
  id: "c",
  type: "custom",
  diameter: null,
  vertices: [
    { x: 0, y: 0 },
    { x: 9, y: 0 },
    { x: 0, y: 9 },
  ],
};
const TASKS = [
  { side: "Top", edgeProfile: "arris", machineType: "M1", status: "done" },
  { side: "back", edgeProfile: "odd", machineType: "", status: "pending" },
];

/** The cut-outs after a text was typed into a cell. */
function typed(cuts, at, name, text) {
  const rows = shape.cutRows(cuts);
  return shape.cutsOfRows(rows.map((row, index) => (index === at ? { ...row, [name]: text } : row)));
}

test("cut-outs that only were shown are those of the record", () => {
  const cuts = [HOLE, CORNER];
  assert.deepEqual(
    shape.cutRows(cuts).map(({ x, y, diameter }) => [x, y, diameter]),
    [
      ["50", "0", "20.5"],
      ["50", "0", ""],
    ],
  );
  const back = shape.cutsOfRows(shape.cutRows(cuts));
  assert.equal(changes(["holes"], { holes: cuts }, { holes: back }), null);
});

test("a cell that is typed again as it was is no change, and a half typed number stays as it is", () => {
  const once = typed([HOLE], 0, "x", "6");
  assert.deepEqual(changes(["holes"], { holes: [HOLE] }, { holes: once }), { holes: [{ ...HOLE, x: 6 }] });
  assert.equal(changes(["holes"], { holes: [HOLE] }, { holes: typed(once, 0, "x", "50") }), null);
  assert.equal(typed([HOLE], 0, "x", "6.")[0].x, "6.");
  assert.equal(typed([HOLE], 0, "diameter", "")[0].diameter, null);
});

test("cut-outs are sent with numbers and with ids of their own, and what is no number as it was typed", () => {
  const added = { key: "k1", type: "slot", x: "1,200", y: "abc", diameter: "", width: "", height: "", length: "30." };
  const rows = [...shape.cutRows([HOLE, CORNER]), { ...shape.cutRows([HOLE])[0], key: "k2" }, added];
  const values = { holes: shape.cutsOfRows(rows), notches: [], edgeTasks: [] };
  const body = shape.toBody(values, { holes: values.holes, notes: "x" });
  assert.deepEqual(
    body.holes.map(({ id }) => id),
    ["h1", "c", "h2", "h3"],
  );
  assert.deepEqual(body.holes.slice(0, 2), [HOLE, CORNER]);
  assert.deepEqual(body.holes[3], {
    id: "h3",
    type: "slot",
    x: 1200,
    y: "abc",
    diameter: null,
    width: null,
    height: null,
    length: 30,
  });
  assert.deepEqual(Object.keys(body), ["holes", "notes"]);
  assert.deepEqual(
    shape
      .toCuts(
        [
          { ...HOLE, id: "n1" },
          { ...HOLE, id: "" },
        ],
        "n",
      )
      .map(({ id }) => id),
    ["n1", "n2"],
  );
});

test("the drawing leaves out what has no place yet", () => {
  const values = {
    dimensions: { width: 9, height: 9 },
    holes: typed([HOLE, CORNER], 0, "y", "abc"),
    notches: typed([HOLE], 0, "diameter", "-1"),
    edgeTasks: TASKS,
  };
  const pane = shape.drawable(values);
  assert.deepEqual(
    pane.holes.map(({ id }) => id),
    ["c"],
  );
  assert.deepEqual(
    pane.notches.map(({ x, diameter }) => [x, diameter]),
    [[50, null]],
  );
  assert.deepEqual([pane.edgeTasks, pane.dimensions], [TASKS, { width: 9, height: 9 }]);
});

test("work on an edge that was not chosen again keeps its machine and status", () => {
  assert.deepEqual(shape.edgesOf(TASKS), { top: "arris" });
  assert.deepEqual(shape.withEdges(TASKS, { top: "arris", left: "" }), TASKS);
  assert.deepEqual(shape.withEdges(TASKS, { top: "arris", left: "polished" }), [
    ...TASKS,
    { side: "left", edgeProfile: "polished", machineType: "" },
  ]);
  assert.deepEqual(shape.withEdges(TASKS, { top: "polished" }), [
    TASKS[1],
    { side: "top", edgeProfile: "polished", machineType: "M1" },
  ]);
  assert.deepEqual(shape.withEdges(TASKS, { top: "" }), [TASKS[1]]);
});

test("a fault of a cut-out is at its cell, or below the grid where no cell is shown for it", () => {
  const faults = [
    { field: "holes.0.x", message: "a" },
    { field: "holes.10.x", message: "b" },
    { field: "holes.1.length", message: "c" },
    { field: "holesX.0.x", message: "d" },
    { field: "notches.0.x", message: "e" },
    { message: "f" },
  ];
  assert.deepEqual(cutFaults(faults, "holes", ["type", "x", "y"]), { cells: { "0.x": "a", "10.x": "b" }, own: "c" });
  assert.deepEqual(cutFaults([{ field: "panes.1.holes", message: "g" }], "panes.1.holes", ["x"]), {
    cells: {},
    own: "g",
  });
});

test("what somebody else has changed is shown in words", () => {
  setLang("en");
  assert.equal(cutWords([HOLE, CORNER]), "Circle 20.5 (50, 0), custom (50, 0)");
  assert.equal(edgeWords([...TASKS, { side: "left", edgeProfile: "flat_polish" }]), "Top: Arris, Left: Flat polish");
  assert.deepEqual([cutWords([]), edgeWords(null)], ["–", "–"]);
});
