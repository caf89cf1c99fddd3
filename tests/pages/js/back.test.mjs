// The way back from the page of a record.
import assert from "node:assert/strict";
import { test } from "node:test";
import { draw } from "./document.mjs";
import "./load_texts.mjs";

const JS = new URL("../../../glassflow/pages/static/js/", import.meta.url);
const { query } = await import(new URL("core/router.js", JS));
const { Back } = await import(new URL("pages/office/back.js", JS));

const ORDER = { _id: "o1", orderNumber: "ORD-1" };
const REQUEST = { _id: "r1", requestNumber: "REQ-1" };
const MATERIAL = { _id: "m1", name: "Float 6" };

/** Where the way back leads: [address, name]. */
function wayBack(properties, from) {
  query.value = new URLSearchParams(from && { from });
  const page = draw(Back, properties);
  const [link] = page.all("a");
  const found = [link.getAttribute("href"), page.text()];
  page.end();
  return found;
}

test("a record opened by its address leads back to its first owner, else to its list", () => {
  const pane = (record) => wayBack({ section: "panes", owners: ["order", "request"], record });
  assert.deepEqual(pane({ order: ORDER, request: REQUEST }), ["/floor/office/orders/o1", "ORD-1"]);
  assert.deepEqual(pane({ request: REQUEST }), ["/floor/office/requests/r1", "REQ-1"]);
  assert.deepEqual(pane({}), ["/floor/office/panes", "Panes"]);
  assert.deepEqual(pane({ order: "o1" }), ["/floor/office/panes", "Panes"]); // which the worker may not see
  assert.deepEqual(pane(undefined), ["/floor/office/panes", "Panes"]); // before it is read
});

test("a record leads back to the record or page that it was opened from", () => {
  const pane = { section: "panes", owners: ["order"], record: { order: ORDER, request: REQUEST } };
  assert.deepEqual(wayBack(pane, "request"), ["/floor/office/requests/r1", "REQ-1"]);
  assert.deepEqual(wayBack(pane, "unknown"), ["/floor/office/orders/o1", "ORD-1"]);
  const lot = { section: "stock", record: { material: MATERIAL } };
  assert.deepEqual(wayBack(lot), ["/floor/office/stock", "Stock"]);
  assert.deepEqual(wayBack(lot, "material"), ["/floor/office/materials/m1", "Float 6"]);
  assert.deepEqual(wayBack(lot, "book"), ["/floor/office/materials/m1/book", "Float 6"]);
});
