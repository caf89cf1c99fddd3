import assert from "node:assert/strict";
import { test } from "node:test";

const STATIC = "../../../glassflow/pages/static/js/core";
const { idOf, lacksPopulated, updated, withChange } = await import(`${STATIC}/records.js`);

const NOK = { _id: "c1", name: "Nok" };

test("a reference is an id, a record or nothing", () => {
  assert.deepEqual([idOf(NOK), idOf("c1"), idOf(null), idOf(undefined)], ["c1", "c1", null, null]);
});

test("the newer state of a record replaces the older one, in whichever order they come", () => {
  const old = { _id: "o1", version: 4, status: "pending" };
  assert.equal(updated(old, { _id: "o1", version: 5, status: "completed" }).status, "completed");
  assert.equal(updated(old, { _id: "o1", version: 3, status: "completed" }), old);
});

test("a reference stays populated as long as it names the same record", () => {
  const old = { _id: "o1", version: 1, customer: NOK, stations: [{ _id: "s1", name: "Cut" }] };
  const same = updated(old, { version: 2, customer: "c1", stations: ["s1"] });
  assert.deepEqual([same.customer, same.stations], [old.customer, old.stations]);
  const other = updated(old, { version: 2, customer: "c2", stations: ["s1", "s2"] });
  assert.deepEqual([other.customer, other.stations], ["c2", ["s1", "s2"]]);
  assert.equal(updated(old, { version: 2, customer: null }).customer, null);
});

test("rows follow what was created, changed and deleted", () => {
  const rows = [
    { _id: "a", version: 1 },
    { _id: "b", version: 1 },
  ];
  const change = (action, data) => withChange(rows, { action, data }).map(({ _id, version }) => _id + version);
  assert.deepEqual(change("updated", { _id: "b", version: 2 }), ["a1", "b2"]);
  assert.deepEqual(change("created", { _id: "c", version: 1 }), ["a1", "b1", "c1"]);
  assert.deepEqual(change("deleted", { _id: "a", version: 2 }), ["b1"]);
});

test("a record is read again where a reference names another record, also for the first time", () => {
  const names = "customer,assignedTo";
  const before = { version: 1, customer: NOK, assignedTo: null, material: "m1" };
  const after = (data) => lacksPopulated(before, updated(before, { version: 2, ...data }), names);
  assert.equal(after({ customer: "c1", assignedTo: null }), false);
  assert.equal(after({ customer: "c1", assignedTo: "w1" }), true);
  assert.equal(after({ customer: "c2" }), true);
  assert.equal(after({ material: "m2" }), false); // which is not populated
  const unseen = { version: 1, assignedTo: "w1" }; // by who may not read workers: it stays an id
  assert.equal(lacksPopulated(unseen, updated(unseen, { version: 2, assignedTo: "w1" }), names), false);
  assert.ok(!lacksPopulated(before, { ...before, customer: "c2" }, undefined));
});
