// The layout of a station template, and what a new station begins with.
import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.document ??= {
  documentElement: { dataset: {}, lang: "en" },
  addEventListener() {},
  querySelector: () => null,
};
globalThis.location ??= { pathname: "/floor/", search: "", origin: "http://localhost" };

const OFFICE = new URL("../../../glassflow/pages/static/js/pages/office/", import.meta.url);
const schema = await import(new URL("templates/schema.js", OFFICE));
const { nextStation } = await import(new URL("stations/station.js", OFFICE));
const { STARTS_FROM } = await import(new URL("../../core/pane_flow.js", OFFICE));

const { ACTIONS } = schema;

test("a template can offer every action of a scan", () => {
  assert.deepEqual([...ACTIONS].sort(), Object.keys(STARTS_FROM).sort());
});

test("a step is ticked at its place in the order of the work, and unknown steps keep theirs", () => {
  assert.deepEqual(schema.ticked(["scan_in", "polish", "scan_out"], "complete", true, ACTIONS), [
    "scan_in",
    "polish",
    "complete",
    "scan_out",
  ]);
  assert.deepEqual(schema.ticked(["polish"], "start", true, ACTIONS), ["polish", "start"]);
  assert.deepEqual(schema.ticked(["start", "polish"], "start", false, ACTIONS), ["polish"]);
  assert.equal(schema.ticked(["start"], "start", false, ACTIONS), undefined);
});

test("what is typed for a layout stays until it is an object, beside the last one", () => {
  const typing = schema.withText({ title: "Oven" }, '{"title": ');
  assert.equal(schema.isLayout(typing), false);
  assert.equal(schema.textOf(typing), '{"title": ');
  assert.equal(typing.title, "Oven");
  for (const text of ["[1]", "null", "1", '"a"']) assert.equal(schema.isLayout(schema.withText({}, text)), false, text);
  assert.deepEqual(schema.withText(typing, '{"title": "Saw"}'), { title: "Saw" });
  assert.deepEqual(schema.withText(typing, " "), {});
  for (const value of [undefined, null, {}]) assert.equal(schema.isLayout(value), true);
});

test("the items of a checklist change nothing else of the panels", () => {
  const panels = [{ type: "sticker" }, { type: "checklist", unit: "mm", items: ["a"] }];
  const layout = { layout: "checklist", panels };
  assert.deepEqual(schema.itemsOf(layout), ["a"]);
  assert.deepEqual(schema.withItems(layout, ["a", "b"]).panels, [panels[0], { ...panels[1], items: ["a", "b"] }]);
  assert.deepEqual(schema.withItems(layout, []).panels, [panels[0], { ...panels[1], items: [] }]);
  const made = schema.withItems({ layout: "checklist" }, ["a"]);
  assert.deepEqual(made, { layout: "checklist", panels: [{ type: "checklist", items: ["a"] }] });
  assert.equal(schema.withItems(made, []).panels, undefined);
});

test("a layout without a checklist of texts offers no items", () => {
  assert.equal(schema.itemsOf({ layout: "list" }), undefined);
  assert.equal(schema.itemsOf({ layout: "checklist", panels: { own: 1 } }), undefined);
  assert.equal(schema.itemsOf({ panels: [{ type: "checklist", items: [{ th: "ขอบ" }] }] }), undefined);
  assert.deepEqual(schema.itemsOf({ layout: "checklist" }), []);
});

test("a new station has the first of the colours used least, and the last position", () => {
  const { colorId, position } = nextStation([]);
  assert.deepEqual([colorId, position], ["sky", 1]);
  const stations = ["sky", "blue", "pink", "none"].map((colorId, at) => ({ colorId, position: at * 2 }));
  assert.equal(nextStation([...stations, { position: null }]).colorId, "violet");
  assert.equal(nextStation([...stations, { position: null }]).position, 7);
});

test("a new station is a check or a cutting station as its template says", () => {
  const taken = (template) => {
    const { templateId, isCheckStation, isCuttingStation } = nextStation([], template);
    return [templateId, isCheckStation, isCuttingStation];
  };
  const cuts = { _id: "t1", isCheckStation: false, isCuttingStation: true };
  assert.deepEqual(taken(cuts), ["t1", false, true]);
  assert.deepEqual(taken({ ...cuts, isCheckStation: true, isCuttingStation: false }), ["t1", true, false]);
  assert.deepEqual(taken({ _id: "t1" }), ["t1", undefined, undefined]); // which is left to the service
});
