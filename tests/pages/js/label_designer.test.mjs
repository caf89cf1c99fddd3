import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const PAGE = "../../../glassflow/pages/static/js/pages/office/labels";
const { frameOf, handlesOf, hitAt, isOutside, MM_PER_PT, moved, placed, quarterTurned, resized, rotated, snapped } =
  await import(`${PAGE}/geometry.js`);
const { EMPTY, ended, recorded, redone, undone } = await import(`${PAGE}/history.js`);
const { filled, inWords, newElement, restacked, stored, troublesOf, valuesOf, withCopy } = await import(
  `${PAGE}/elements.js`
);
const { keyOf } = await import(`${PAGE}/keys.js`);

const LABEL = { width: 60, height: 40 };
const BOX = { id: "b", type: "rect", x: 10, y: 5, width: 20, height: 10, color: "#000000" };
const [RIGHT, LEFT_TOP, BOTTOM] = [
  [1, 0],
  [-1, -1],
  [0, 1],
];
const box = (element, label = LABEL) => {
  const { x, y, width, height } = frameOf(element, label);
  return [x, y, width, height];
};
/** Where a corner of an element is on the label: 0, 0 is its own corner, 1, 1 the opposite one. */
const corner = (element, right, down) => {
  const { x, y, width, height, rotation } = frameOf(element, LABEL);
  const [dx, dy] = rotated(width * right, height * down, rotation);
  return [snapped(x + dx), snapped(y + dy)];
};

test("lengths snap to the grid, and have no noise without one", () => {
  assert.deepEqual([snapped(2.74, 0.5), snapped(2.76, 0.5), snapped(7, 5)], [2.5, 3, 5]);
  assert.equal(snapped(0.1 + 0.2), 0.3);
  assert.ok(Object.is(snapped(-0.1, 1), 0));
});

test("an element takes what the service gives it where it has no size", () => {
  assert.deepEqual(box({ type: "text", x: 26, y: 3, fontSize: 10 }), [26, 3, 34, 10 * MM_PER_PT * 1.3]);
  assert.deepEqual(box({ type: "text", x: 26, y: 3, wrap: true }), [26, 3, 34, 37]);
  assert.deepEqual(box({ type: "qr", x: 2, y: 2 }), [2, 2, 40, 40]);
  assert.deepEqual(box({ type: "qr", x: 2, y: 2, width: 20, height: 12 }), [2, 2, 12, 12]);
  assert.deepEqual(box({ type: "line", x: 2, y: 26, width: 56 }), [2, 26, 56, 0.3]);
  assert.deepEqual(
    box({
      type: "line",
      points: [
        [30, 8],
        [10, 20],
      ],
    }),
    [10, 8, 20, 12],
  );
  assert.deepEqual(box({ type: "rect", x: "left" }), [0, 0, 0, 0]);
});

test("a moved element is on the grid, keeps its other values, and does not get lost", () => {
  assert.deepEqual(moved(BOX, LABEL, 1.3, -0.4, 1), { ...BOX, x: 11, y: 5 });
  assert.deepEqual(box(moved({ ...BOX, x: 10.3 }, LABEL, 1, 1, 0)), [11.3, 6, 20, 10]);
  assert.deepEqual(box(moved(BOX, LABEL, 500, -500, 1)), [59, -9, 20, 10]);
  const line = {
    type: "line",
    x: 0,
    y: 0,
    points: [
      [1, 2],
      [5, 2],
    ],
  };
  assert.deepEqual(moved(line, LABEL, 2.2, 0, 1), {
    ...line,
    x: 2,
    points: [
      [3, 2],
      [7, 2],
    ],
  });
  assert.deepEqual(box(placed(BOX, frameOf(BOX, LABEL), 3.25, 4)), [3.25, 4, 20, 10]);
});

test("a resized element keeps the opposite side, and its moving side is on the grid", () => {
  assert.deepEqual(box(resized(BOX, LABEL, RIGHT, 3.3, 9, 1)), [10, 5, 23, 10]);
  assert.deepEqual(box(resized(BOX, LABEL, LEFT_TOP, 2.2, 1.2, 1)), [12, 6, 18, 9]);
  assert.deepEqual(box(resized(BOX, LABEL, LEFT_TOP, 90, 90, 1)), [29, 14, 1, 1]); // not turned over
  const code = { ...BOX, type: "qr", height: 20 };
  assert.deepEqual(box(resized(code, LABEL, BOTTOM, 0, 4, 1)), [10, 5, 24, 24]);
  assert.deepEqual(box(resized(code, LABEL, LEFT_TOP, -2, 5, 1)), [8, 3, 22, 22]);
  const line = {
    type: "line",
    x: 0,
    y: 0,
    points: [
      [10, 10],
      [20, 15],
      [30, 10],
    ],
  };
  assert.deepEqual(resized(line, LABEL, RIGHT, 20, 0, 1).points, [
    [10, 10],
    [30, 15],
    [50, 10],
  ]);
  assert.equal(resized({ type: "text", x: 0, y: 0, fontSize: 9 }, LABEL, RIGHT, -10, 0).height, undefined);
});

test("a turned element is resized along its own sides, and its opposite corner stays", () => {
  for (const rotation of [30, 90, 200]) {
    const turned = { ...BOX, rotation };
    const [dx, dy] = rotated(-4, -2, rotation); // outwards at its first corner
    const larger = resized(turned, LABEL, LEFT_TOP, dx, dy, 1);
    assert.deepEqual([larger.width, larger.height], [24, 12]);
    const [[x, y], [oldX, oldY]] = [corner(larger, 1, 1), corner(turned, 1, 1)];
    assert.ok(Math.hypot(x - oldX, y - oldY) < 0.03, `${rotation}: ${x} ${y}`);
  }
  assert.deepEqual(handlesOf({ type: "line", points: [[0, 0]], rotation: 20 }, LABEL), []);
  assert.equal(handlesOf(BOX, LABEL, 5).length, 8);
  assert.deepEqual(handlesOf(BOX, LABEL, 12), [
    [1, 0],
    [-1, 0],
  ]);
  assert.deepEqual(handlesOf(BOX, LABEL, 25), [[1, 1]]);
});

test("a quarter turn keeps the middle, and four of them everything", () => {
  const once = quarterTurned(BOX, LABEL);
  assert.equal(once.rotation, 90);
  assert.deepEqual(corner(once, 0.5, 0.5), corner(BOX, 0.5, 0.5));
  let full = BOX;
  for (let turns = 0; turns < 4; turns += 1) full = quarterTurned(full, LABEL);
  assert.deepEqual(full, { ...BOX, rotation: 0 });
  const line = quarterTurned(
    {
      type: "line",
      points: [
        [10, 10],
        [20, 10],
      ],
    },
    LABEL,
  );
  assert.deepEqual(line.points, [
    [15, 5],
    [15, 15],
  ]);
});

test("what is at a point is the topmost element, not the inside of an empty box", () => {
  const text = { type: "text", x: 12, y: 7, width: 10, height: 5, content: "a" };
  const all = [text, BOX, { type: "group" }];
  assert.equal(hitAt(all, LABEL, 15, 9), 0);
  assert.equal(hitAt(all, LABEL, 10.4, 9), 1);
  assert.equal(hitAt(all, LABEL, 50, 30), -1);
  assert.equal(hitAt([text, { ...BOX, fill: "#ffffff" }], LABEL, 15, 9), 1);
  assert.equal(hitAt([text, { ...BOX, fill: "#ffffff" }], LABEL, 15, 9, { preferred: 0 }), 0);
  assert.equal(hitAt([{ ...BOX, fill: "#000", rotation: 90 }], LABEL, 5, 20), 0);
  assert.equal(isOutside(BOX, LABEL), false);
  assert.equal(isOutside({ ...BOX, rotation: 180 }, LABEL), true);
});

test("steps are undone and redone without a limit; what is typed at once is one step", () => {
  let [history, state] = [EMPTY, 0];
  for (state = 0; state < 500; state += 1) history = recorded(history, state);
  for (let back = 499; back >= 0; back -= 1) [history, state] = undone(history, state);
  assert.deepEqual([state, undone(history, state)], [0, null]);
  [history, state] = redone(history, state);
  assert.equal(state, 1);
  history = recorded(history, state);
  assert.equal(redone(history, 7), null); // another way was taken

  const typed = recorded(recorded(EMPTY, "", "name"), "a", "name");
  assert.equal(undone(typed, "ab")[1], "");
  assert.equal(undone(recorded(ended(typed), "ab", "name"), "abc")[1], "ab");
});

test("new elements and copies have their own ids and places, on the label", () => {
  const text = newElement("text", [], LABEL, { content: "{{paneNumber}}" });
  assert.deepEqual([text.id, text.x, text.y, text.content], ["text-1", 15, 17, "{{paneNumber}}"]);
  const next = newElement("text", [text], LABEL);
  assert.deepEqual([next.id, next.x, next.y], ["text-2", 17, 19]);
  const code = newElement("qr", [], { width: 30, height: 10 });
  assert.deepEqual([code.width, code.height, code.content], [6, 6, "{{qrCode}}"]);
  const [, copy] = withCopy([text], 0, LABEL);
  assert.deepEqual(copy, { ...text, id: "text-2", x: 17, y: 19 });
  const all = ["a", "b", "c"];
  assert.deepEqual(
    [restacked(all, 0, 1), restacked(all, 2, -1)],
    [
      ["b", "a", "c"],
      ["a", "c", "b"],
    ],
  );
  assert.equal(restacked(all, 2, 1), all);
});

test("stored elements have a content, and what designers of other programs read", () => {
  const across = { type: "line", x: 2, y: 3, width: 9, height: 0.3 };
  const down = { type: "line", width: 0.3, height: 9 };
  const free = { type: "line", x: 5, y: 5, points: [[5, 5], [10, 4]] }; // prettier-ignore
  const odd = { type: "line", points: [1, 2] };
  const text = { type: "text", content: "a" };
  assert.deepEqual(stored([text, { type: "qr", content: 3 }, "odd", { type: "rect", content: null }]), [
    { ...text, text: "a" },
    { type: "qr", content: 3, value: "3" },
    "odd",
    { type: "rect", content: null },
  ]);
  assert.deepEqual(
    stored([across, down, free, odd]).map(({ content, points }) => [content, ...points]),
    [
      ["", 0, 0.15, 9, 0.15],
      ["", 0.15, 0, 0.15, 9],
      ["", 0, 0, 5, -1],
      ["", 1, 2],
    ],
  );
  // as the ready-made templates are, which the service completes
  for (const name of ["new_store", "demo"])
    for (const { elements } of readSeeds(name)) {
      const plain = elements.map(({ text, value, points, ...one }) => one);
      assert.deepEqual(stored(plain), elements);
    }
});

function readSeeds(name) {
  const file = new URL(`../../../seeds/${name}/sticker_templates.json`, import.meta.url);
  return JSON.parse(readFileSync(file, "utf8"));
}

test("variables are shown by their values, or by names, in both dialects", () => {
  const fields = [
    { name: "orderNumber", value: "ORD-1", aliases: ["orderCode"] },
    { name: "notes", value: "", aliases: [] },
  ];
  const values = valuesOf(fields);
  assert.equal(filled("งาน {{ orderCode }} {{orderNumber}}", values), "งาน ORD-1 ORD-1");
  assert.equal(filled("{{nothing}}!", values), "{{nothing}}!");
  assert.equal(filled("{{notes}}", values), "{{notes}}"); // else nothing would be left to choose
  assert.equal(
    inWords("{{orderCode}} x {{nothing}}", fields, (name) => name.toUpperCase()),
    "‹ORDERNUMBER› x {{nothing}}",
  );
  const answer = {
    faults: [{ field: "elements.1.width" }, { field: "elements.10.x" }],
    warnings: [{ element: "b" }, { element: "1" }],
  };
  assert.deepEqual(troublesOf(answer, { id: "b", type: "text" }, 1), {
    faults: [answer.faults[0]],
    warnings: [answer.warnings[0]],
  });
  assert.deepEqual(troublesOf(answer, { type: "text" }, 1).warnings, [answer.warnings[1]]);
});

test("keys act on the label, but only undo and redo where somebody types", () => {
  const key = (event, isTyping = false) => keyOf({ key: "", code: "", ...event }, isTyping);
  assert.deepEqual(key({ key: "ArrowLeft" }), ["move", -0.5, 0, null]);
  assert.deepEqual(key({ key: "ArrowDown", shiftKey: true, repeat: true }), ["move", 0, 5, "held"]);
  assert.deepEqual(key({ key: "ผ", code: "KeyZ", ctrlKey: true }, true), ["undo"]); // a Thai layout
  assert.deepEqual(key({ code: "KeyZ", metaKey: true, shiftKey: true }), ["redo"]);
  assert.deepEqual(key({ code: "KeyD", ctrlKey: true }), ["copy"]);
  assert.equal(key({ key: "Delete" }, true), null);
  assert.deepEqual(key({ key: "Delete" }), ["remove"]);
  assert.equal(key({ key: "s", code: "KeyS", ctrlKey: true }), null);
});
