// Forms: which values changed, whose fault is whose field, and moments of the workshop.
import assert from "node:assert/strict";
import { test } from "node:test";

const STATIC = new URL("../../../glassflow/pages/static/js", import.meta.url);
const form = await import(`${STATIC}/ui/form_values.js`);
const { fromLocal, toLocal } = await import(`${STATIC}/ui/moments.js`);
const { timeZone } = await import(`${STATIC}/core/preferences.js`);
const { RetryKey } = await import(`${STATIC}/core/retry_key.js`);
const { match } = await import(`${STATIC}/core/router.js`);

test("a value inside an object is read and changed without touching the record", () => {
  const record = { name: "a", details: { type: "door", quantity: 2 } };
  const next = form.withValue(record, "details.quantity", 3);
  assert.equal(form.valueAt(next, "details.quantity"), 3);
  assert.equal(form.valueAt(record, "details.quantity"), 2);
  assert.equal(form.valueAt({}, "details.quantity"), undefined);
});

test("only changed fields are sent, an object as a whole, and an emptied one as null", () => {
  const record = { name: "a", phone: "1", details: { type: "door", quantity: 2 } };
  const names = ["name", "phone", "details.quantity"];
  assert.equal(form.changes(names, record, { ...record }), null);
  const next = { ...form.withValue(record, "details.quantity", 3), phone: undefined };
  assert.deepEqual(form.changes(names, record, next), { phone: null, details: { type: "door", quantity: 3 } });
  assert.equal(form.changes(["phone"], {}, { phone: "" }), null);
});

test("what is not there is not sent with a new record", () => {
  const values = { name: "a", phone: "", discount: null, none: undefined, on: false, zero: 0, in: { x: "" } };
  assert.deepEqual(form.withoutEmpty(values), { name: "a", on: false, zero: 0, in: {} });
});

test("a field collides only where somebody else has changed it", () => {
  const base = { name: "a", phone: "1", version: 1 };
  const theirs = { name: "b", phone: "1", version: 2 };
  assert.deepEqual(form.changedBySomebody(["name", "phone"], base, theirs), ["name"]);
});

test("a draft keeps what was typed though the record has changed, and is compared with its base", () => {
  const names = ["name", "phone", "details.quantity"];
  const base = { version: 1, name: "a", phone: "1", details: { quantity: 2 } };
  const draft = { base, values: form.withValue({ ...base, name: "mine" }, "details.quantity", 3) };
  const record = { _id: "x", version: 4, name: "theirs", phone: "2", details: { quantity: 2, type: "door" } };
  const start = form.begun(names, record, draft);
  const theirs = form.changedBySomebody(names, start.base, record);
  assert.equal(start.base.version, 1);
  assert.deepEqual(theirs, ["name", "phone"]);
  assert.deepEqual(form.changedBySomebody(theirs, start.base, start.values), ["name"]); // both
  assert.deepEqual(form.changes(["details.quantity"], start.base, start.values), {
    details: { quantity: 3, type: "door" },
  });
  assert.equal(start.values._id, "x"); // what is no field is that of the record
  assert.deepEqual(form.begun(names, record, null), { base: record, values: record });
  const values = { name: "new", panes: [1] };
  assert.deepEqual(form.begun(names, { name: "" }, { values }), { base: { name: "" }, values });
  assert.deepEqual(form.begun(names, { name: "", order: "o1" }, { values }).values, { ...values, order: "o1" });
});

test("faults belong to their fields, and to the form where no field has that name", () => {
  const faults = [
    { field: "details.quantity", message: "Too small" },
    { field: "panes.0.holes", message: "Bad" },
    { field: "secret", message: "Unknown" },
    { message: "No" },
  ];
  assert.deepEqual(form.faultsByField(faults, ["details.quantity", "panes"]), {
    "details.quantity": ["Too small"],
    panes: ["Bad"],
    "": ["secret: Unknown", "No"],
  });
});

test("a moment is shown and read in the workshop's time zone", () => {
  timeZone.value = "Asia/Bangkok";
  assert.equal(toLocal("2026-11-22T17:30:00Z"), "2026-11-23T00:30");
  assert.equal(fromLocal("2026-11-23T00:30"), "2026-11-22T17:30:00.000Z");
  timeZone.value = "Europe/Berlin";
  for (const local of ["2026-03-29T03:00", "2026-03-29T01:59", "2026-10-25T04:00", "2026-07-01T12:00"])
    assert.equal(toLocal(fromLocal(local)), local);
  assert.equal(toLocal(null), "");
  assert.equal(fromLocal(""), null);
});

test("a star at the end of a path fits all that follows, and nothing", () => {
  const table = [["office/*", "office"]];
  for (const path of ["office", "office/orders", "office/orders/1"])
    assert.deepEqual(match(table, path), { page: "office", params: {} });
  assert.equal(match(table, "officer"), null);
});

test("what is sent again without an answer has the same key, anything else another one", () => {
  const key = new RetryKey();
  const first = key.of({ name: "a" });
  assert.match(first, /^[0-9a-f-]{36}$/);
  assert.equal(key.of({ name: "a" }), first);
  const other = key.of({ name: "b" });
  assert.notEqual(other, first);
  key.answered();
  assert.notEqual(key.of({ name: "b" }), other);
});

test("who keeps their values over a newer record brings back nothing that they did not type", () => {
  const names = ["notes", "details.quantity", "details.type"];
  const base = { version: 1, notes: "", details: { quantity: 2, type: "door", site: "A" } };
  const values = form.withValue({ ...base, notes: "mine" }, "details.quantity", 3);
  const theirs = { version: 2, notes: "theirs", details: { quantity: 5, type: "window", site: "B" } };
  const next = form.rebased(names, base, values, theirs);
  assert.deepEqual(form.changes(names, theirs, next), {
    notes: "mine",
    details: { quantity: 3, type: "window", site: "B" },
  });
  assert.equal(next.version, 2);
  assert.deepEqual(form.rebased(names, base, base, theirs), theirs);
});
