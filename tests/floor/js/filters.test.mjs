import assert from "node:assert/strict";
import { test } from "node:test";

const STATIC = new URL("../../../glassflow/floor/static/js/", import.meta.url);
const { timeZone } = await import(new URL("core/preferences.js", STATIC));
const { dayFilters, startOf, startOfNext } = await import(new URL("ui/filters.js", STATIC));

test("a day begins and ends in the workshop's time zone", () => {
  timeZone.value = "Asia/Bangkok";
  assert.equal(startOf("2026-11-22"), "2026-11-21T17:00:00.000Z");
  assert.equal(startOfNext("2026-12-31"), "2026-12-31T17:00:00.000Z");
});

test("the last day is shown as it was chosen", () => {
  timeZone.value = "Asia/Bangkok";
  const [from, to] = dayFilters({ name: "createdAt", from: "a", to: "b" });
  assert.deepEqual([from.name, to.name], ["createdAt_gte", "createdAt_lt"]);
  const shown = ({ draw }, value) => draw({ id: "x", value, onChange: () => {} }).props.value;
  assert.equal(shown(from, startOf("2026-11-22")), "2026-11-22");
  assert.equal(shown(to, startOfNext("2026-11-22")), "2026-11-22");
  assert.equal(shown(to, "no moment"), "");
});
