import assert from "node:assert/strict";
import { test } from "node:test";

const STATIC = new URL("../../../glassflow/pages/static/js/", import.meta.url);
const { dayFilters } = await import(new URL("ui/filters.js", STATIC));

test("the first and the last day are sent as they were chosen, for the service to take as days of the workshop", () => {
  const [from, to] = dayFilters({ name: "createdAt", from: "a", to: "b" });
  assert.deepEqual([from.name, to.name], ["createdAt_gte", "createdAt_lte"]);
  const sent = [];
  const input = to.draw({ id: "x", value: "2026-11-22", onChange: (day) => sent.push(day) });
  assert.deepEqual([input.props.id, input.props.value], ["x", "2026-11-22"]);
  for (const value of ["2026-12-31", ""]) input.props.onChange({ target: { value } });
  assert.deepEqual(sent, ["2026-12-31", ""]);
});
