import assert from "node:assert/strict";
import { test } from "node:test";

const STATIC = "../../../glassflow/pages/static/js";
const { cellsOf, firstChosen, labelBody, MOST_NAMED, selectionBody, wanted, withoutLabel } = await import(
  `${STATIC}/pages/labels/rules.js`
);
const { bounded } = await import(`${STATIC}/ui/label_paper.js`);

const asks = (text) => wanted(new URLSearchParams(text));
const PAPER = { layout: "single", dpi: 300, copies: 2, template: "t1", skip: 3, nudgeX: 1, nudgeY: 0 };
const LABELS = [
  { id: "a", name: "PNE-0001", labelledAt: "2026-11-22T00:00:00Z" },
  { id: "b", name: "PNE-0002", labelledAt: null },
];

test("the address names what labels are of", () => {
  assert.deepEqual(asks("order=ORD-0001"), { kind: "panes", field: "order", value: "ORD-0001" });
  assert.deepEqual(asks("request=x"), { kind: "panes", field: "request", value: "x" });
  assert.deepEqual(asks("stations=s1"), { kind: "stations", field: "stations", value: "s1" });
  assert.deepEqual(asks(""), { kind: "panes", field: "panes", value: "" });
  assert.deepEqual(asks("kind=workers"), { kind: "workers", field: "workers", value: "all" });
  assert.deepEqual(asks("lots=i1"), { kind: "lots", field: "lots", value: "i1" });
  assert.equal(asks("kind=constructor").kind, "panes");
});

test("lists of names are sent as lists", () => {
  assert.deepEqual(selectionBody(asks("panes=PNE-0001, PNE-0002,")), { panes: ["PNE-0001", "PNE-0002"] });
  assert.deepEqual(selectionBody(asks("order=ORD-0001")), { orders: ["ORD-0001"] });
  assert.deepEqual(selectionBody(asks("request=REQ-1,REQ-2")), { requests: ["REQ-1", "REQ-2"] });
});

test("labels that were printed are not chosen again, unless all were", () => {
  assert.deepEqual([...firstChosen(LABELS)], ["b"]);
  assert.deepEqual([...firstChosen(LABELS.slice(0, 1))], ["a"]);
  assert.deepEqual([...firstChosen([{ id: null, name: "NEXT" }])], ["NEXT"]);
});

test("all labels of an order are asked for by the order, some by their ids", () => {
  const order = asks("order=o1");
  const single = { copies: 2, template: "t1", layout: "single", dpi: 300 };
  assert.deepEqual(labelBody(order, LABELS, new Set(["a", "b"]), PAPER), { orders: ["o1"], ...single });
  assert.deepEqual(labelBody(order, LABELS, new Set(["b"]), PAPER), { panes: ["b"], ...single });
});

test("a part of the labels is asked for by their ids, or not at all where they are too many", () => {
  const labels = Array.from({ length: MOST_NAMED + 100 }, (_, n) => ({
    id: `p${n}`,
    labelledAt: n < 50 ? "2026-11-22" : null,
  }));
  const order = asks("order=o1");
  const chosen = firstChosen(labels);
  assert.deepEqual(
    [...chosen],
    labels.slice(50, 50 + MOST_NAMED).map(({ id }) => id),
  );
  assert.deepEqual(labelBody(order, labels, chosen, PAPER).panes, [...chosen]);
  chosen.add("p0");
  assert.equal(labelBody(order, labels, chosen, PAPER), null);
  const all = new Set(labels.map(({ id }) => id));
  assert.deepEqual(labelBody(order, labels, all, PAPER).orders, ["o1"]);
  const fresh = labels.map((one) => ({ ...one, labelledAt: null }));
  assert.deepEqual(withoutLabel(fresh), all);
});

test("a sheet has skipped cells, and only panes have a template", () => {
  const body = labelBody(asks("stations=all"), [{ id: "s", name: "x" }], new Set(["s"]), { ...PAPER, layout: "L7160" });
  assert.deepEqual(body, { stations: ["all"], copies: 2, layout: "L7160", skip: 3, nudgeX: 1, nudgeY: 0 });
});

test("cells are shares of the page", () => {
  const layout = {
    columns: 2,
    rows: 2,
    page: { width: 200, height: 100 },
    cell: { width: 80, height: 40 },
    margin: { left: 10, top: 5 },
    pitch: { x: 100, y: 50 },
  };
  assert.deepEqual(cellsOf(layout)[3], { index: 3, left: 0.55, top: 0.55, width: 0.4, height: 0.4 });
  assert.deepEqual(cellsOf({ name: "single" }), []);
});

test("numbers of fields stay within their limits", () => {
  assert.deepEqual(
    [
      bounded("7", 1, 50, 1),
      bounded("99", 1, 50, 1),
      bounded("", 1, 50, 4),
      bounded("x", 1, 50, 4),
      bounded("-3", 1, 50, 4),
    ],
    [7, 50, 4, 4, 1],
  );
});
