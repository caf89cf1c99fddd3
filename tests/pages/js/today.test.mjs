// The morning page in words: how the last working day is named, and how a share has changed.
import assert from "node:assert/strict";
import { test } from "node:test";
import "./document.mjs";
import { LANGUAGES } from "./load_texts.mjs";

const JS = new URL("../../../glassflow/pages/static/js/", import.meta.url);
const { lang, timeZone } = await import(new URL("core/preferences.js", JS));
const { isEmpty, nameOfDay, trendOf, weekdayOf } = await import(new URL("pages/office/today/words.js", JS));

test("the last working day is yesterday, a weekday of this week, or a date", () => {
  lang.value = "en";
  timeZone.value = "Asia/Bangkok";
  const monday = Date.parse("2026-11-29T17:30:00Z"); // half past midnight in the workshop
  assert.deepEqual(nameOfDay("2026-11-29", monday), { kind: "yesterday" });
  assert.deepEqual(nameOfDay("2026-11-28", monday), { kind: "weekday", day: "Saturday" });
  assert.deepEqual(nameOfDay("2026-11-23", monday), { kind: "date", day: "Nov 23" });
});

test("a day has its weekday in every time zone and language", () => {
  for (const zone of ["Pacific/Auckland", "Asia/Bangkok", "America/Lima"]) {
    timeZone.value = zone;
    const names = LANGUAGES.map((one) => {
      lang.value = one;
      return weekdayOf("2026-11-27");
    });
    assert.deepEqual(names, ["วันศุกร์", "Friday"]);
  }
});

test("a share is compared as it is shown, and with none where there were no orders", () => {
  const trend = (onTime, orders, was, all) => trendOf({ onTime, orders, before: { onTime: was, orders: all } });
  assert.equal(trend(9, 10, 8, 10), "up");
  assert.equal(trend(7, 10, 8, 10), "down");
  assert.equal(trend(667, 1000, 2, 3), "level"); // 67 % both
  assert.equal(trend(1, 1, 0, 0), null);
});

test("a page is empty only while no part has anything to say", () => {
  const hidden = { finished: null, late: null, soon: null, remakes: null, jam: null, onTime: null };
  const nothing = { ...hidden, undelivered: null, unbilled: null, unpaid: null, expiring: null, lowStock: null };
  const started = { onTime: { orders: 0, onTime: 0, before: { orders: 1, onTime: 1 } } };
  assert.equal(isEmpty({ ...nothing, deliveries: [] }), true);
  assert.equal(isEmpty({ ...nothing, late: { count: 0 }, finished: { panes: 0 }, deliveries: [] }), true);
  assert.equal(isEmpty({ ...nothing, ...started, deliveries: [] }), false);
  assert.equal(isEmpty({ ...nothing, deliveries: [{}] }), false);
});
