import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

const { lacking } = await import("../../../glassflow/pages/static/js/ui/cut_sizes.js");
const { cutsOf, layOut, MARGIN, MAX_CUTS, RIM } =
  await import("../../../glassflow/pages/static/js/ui/pane_geometry.js");

const pane = (width, height, more = {}) => ({ dimensions: { width, height }, ...more });
const cut = (values) => ({
  id: "c",
  type: "circle",
  x: 0,
  y: 0,
  diameter: null,
  width: null,
  height: null,
  length: null,
  vertices: [],
  ...values,
});
// 0.2 units a mm
const hole = (values, size = [1100, 550]) => layOut(pane(...size, { holes: [cut(values)] })).cuts[0];

test("the outline has the proportions of the pane", () => {
  for (const [width, height] of [
    [1655, 2165],
    [2165, 1655],
    [300.5, 300.5],
    [3000, 500],
  ]) {
    const { outline, toScale, ...whole } = layOut(pane(width, height));
    assert.ok(toScale);
    assert.ok(Math.abs(outline.width / outline.height - width / height) < 1e-9);
    assert.equal(Math.max(outline.width, outline.height), 220);
    assert.equal(whole.width, outline.width + MARGIN + RIM);
    assert.equal(whole.height, outline.height + MARGIN + RIM);
  }
});

test("a strip that would be too thin to see is drawn wider, and says so", () => {
  const { outline, toScale, cuts } = layOut(pane(6000, 30, { holes: [cut({ x: 3000, y: 15 })] }));
  assert.equal(toScale, false);
  assert.deepEqual([outline.width, outline.height], [220, 24]);
  assert.deepEqual(cuts[0].centre, [MARGIN + 110, MARGIN + 12]);
});

test("a pane that is not measured has no drawing", () => {
  for (const dimensions of [
    undefined,
    null,
    {},
    { width: 0, height: 0 },
    { width: 9, height: 0 },
    { width: -1, height: 5 },
    { width: NaN, height: 5 },
  ]) {
    assert.equal(layOut({ dimensions }), null);
  }
});

test("x counts from the left edge, y from the bottom edge", () => {
  const { centre, box } = hole({ x: 100, y: 50, diameter: 100 });
  assert.deepEqual(centre, [MARGIN + 20, MARGIN + 110 - 10]);
  assert.deepEqual(box, { x: MARGIN + 10, y: MARGIN + 90, width: 20, height: 20 });
});

test("a rectangle is placed by its lower left corner", () => {
  const { box, radius } = hole({ type: "rectangle", x: 0, y: 0, width: 100, height: 200 });
  assert.deepEqual(box, { x: MARGIN, y: MARGIN + 70, width: 20, height: 40 });
  assert.equal(radius, 0);
});

test("a slot is as long as its length, or its width, with round ends", () => {
  const slots = [
    { length: 100, diameter: 50 },
    { length: 100, width: 50 },
    { width: 100, height: 50 },
  ];
  for (const sizes of slots) {
    const { box, radius } = hole({ type: "slot", x: 500, y: 250, ...sizes });
    assert.deepEqual([box.width, box.height, radius], [20, 10, 5], JSON.stringify(sizes));
    assert.deepEqual([box.x, box.y], [MARGIN + 90, MARGIN + 55]);
  }
});

test("a custom cut-out has its corners; one with too few is a small mark at its place", () => {
  const vertices = [
    { x: 0, y: 0 },
    { x: 100, y: 0 },
    { x: 50, y: 100 },
  ];
  const made = hole({ type: "custom", vertices });
  assert.deepEqual(made.corners[1], [MARGIN + 20, MARGIN + 110]);
  assert.deepEqual([made.x, made.y, made.wide, made.high], [0, 0, 100, 100]);
  const { box } = hole({ type: "custom", x: 100, y: 100, vertices: vertices.slice(0, 2) });
  assert.deepEqual([box.width, box.height], [5, 5]);
});

test("a notch is open at the edges that it touches, a hole never is", () => {
  const corner = { type: "rectangle", x: 0, y: 0, width: 100, height: 200 };
  const layout = layOut(pane(1100, 550, { notches: [cut(corner), cut({ ...corner, x: 500, y: 350 })] }));
  const [low, high] = layout.cuts.map(({ box }) => box);
  assert.deepEqual([low.x < MARGIN, low.y, low.y + low.height > MARGIN + 110], [true, MARGIN + 70, true]);
  assert.deepEqual([high.x, high.width, high.y < MARGIN], [MARGIN + 100, 20, true]);
  assert.deepEqual(
    layout.cuts.map(({ centre }) => centre),
    [
      [MARGIN + 10, MARGIN + 90],
      [MARGIN + 110, MARGIN + 20],
    ],
  );
});

test("a hole without sizes, or a tiny one, can be seen", () => {
  for (const values of [{}, { diameter: 0 }, { diameter: 1 }, { type: "slot" }, { type: "rectangle" }])
    assert.deepEqual([hole(values).box.width, hole(values).box.height], [5, 5]);
});

test("holes and notches are numbered together, and a huge number of them is not drawn", () => {
  const holes = Array.from({ length: 500 }, (_, i) => cut({ x: i, y: i }));
  const many = pane(1000, 500, { holes, notches: [cut({ type: "rectangle" })] });
  const numbered = cutsOf(many);
  assert.deepEqual([numbered.length, numbered[0].number, numbered[500].number], [501, 1, 501]);
  assert.deepEqual([numbered[499].kind, numbered[500].kind], ["hole", "notch"]);
  assert.equal(layOut(many).cuts.length, MAX_CUTS);
});

test("everything drawn is a finite number, whatever the sizes", () => {
  const kinds = ["circle", "rectangle", "slot", "custom", undefined];
  const sizes = [null, undefined, 0, 0.1, 7, 1e6];
  for (const type of kinds)
    for (const [i, value] of sizes.entries()) {
      const other = sizes.at(i - 2);
      const one = hole({ type, x: -50, y: 1e5, diameter: value, width: other, height: value, length: other });
      for (const n of [...one.centre, ...Object.values(one.box)]) assert.ok(Number.isFinite(n));
    }
});

test("the sides with edge tasks are lines along the outline, others are none", () => {
  const edgeTasks = [{ side: "Left" }, { side: "top" }, { side: "top" }, { side: "corner" }, {}];
  const { edges, outline } = layOut(pane(1000, 500, { edgeTasks }));
  assert.deepEqual(
    edges.map(({ side }) => side),
    ["top", "left"],
  );
  assert.deepEqual(edges[0].ends, [MARGIN, MARGIN, MARGIN + outline.width, MARGIN]);
});

test("a cut-out that cannot be made is judged as the service judges it", async () => {
  const cases = JSON.parse(await readFile(new URL("../../domain/cut_outs.json", import.meta.url)));
  for (const { says, hole: round, notch, fault, lacks = [] } of cases) {
    const shape = round ? { holes: [cut(round)] } : { notches: [cut(notch)] };
    assert.equal(cutsOf(pane(1200, 850, shape))[0].fault, fault?.[0], says);
    assert.equal(layOut(pane(1200, 850, shape)).cuts[0].fault, fault?.[0], says);
    assert.equal(cutsOf(pane(0, 850, shape))[0].fault, undefined, "not measured");
    assert.deepEqual(lacking(cut(round ?? notch)), lacks, says);
  }
});
