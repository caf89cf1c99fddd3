// For how long data are kept, in words of both languages.
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";

const JS = new URL("../../../glassflow/pages/static/js/", import.meta.url);
await import("./load_texts.mjs");
const { setLang } = await import(new URL("core/preferences.js", JS));
const { age, howLong, size, span } = await import(new URL("pages/office/kept/model.js", JS));

const HOUR_S = 3600;
const DAY_S = 24 * HOUR_S;
const NOW = Date.parse("2026-11-30T12:00:00Z");

afterEach(() => setLang("en"));
setLang("en");

test("time spans are exact, in the unit that people use", () => {
  for (const [seconds, english, thai] of [
    [365 * DAY_S, "1 year", "1 ปี"],
    [1826 * DAY_S, "5 years", "5 ปี"],
    [3650 * DAY_S, "10 years", "10 ปี"],
    [400 * DAY_S, "400 days", "400 วัน"],
    [7 * DAY_S, "7 days", "7 วัน"],
    [DAY_S, "24 hours", "24 ชั่วโมง"],
    [36 * HOUR_S, "36 hours", "36 ชั่วโมง"],
    [HOUR_S, "60 minutes", "60 นาที"],
    [90, "90 seconds", "90 วินาที"],
  ]) {
    setLang("en");
    assert.equal(span(seconds), english);
    setLang("th");
    assert.equal(span(seconds), thai);
  }
});

test("what no time removes says what does", () => {
  const kind = (name, keptForS = null, keptCount = null) => howLong({ name, keptForS, keptCount });
  assert.equal(kind("work"), "until somebody deletes it");
  assert.equal(kind("history", 1826 * DAY_S), "5 years");
  assert.equal(kind("mails", 1826 * DAY_S), "the last of a quote as long as the quote, earlier ones 5 years");
  assert.equal(kind("backups", null, 7), "the newest 7");
  setLang("th");
  assert.equal(kind("backups", null, 7), "7 ชุดล่าสุด");
});

test("sizes are in their largest unit", () => {
  assert.deepEqual([0, 950, 12_345_678, 3.1e9].map(size), ["0 kB", "1 kB", "12.3 MB", "3.1 GB"]);
});

test("a backup of more than a week ago is old", () => {
  const before = (days) => age(new Date(NOW - days * DAY_S * 1000).toISOString(), NOW);
  assert.deepEqual(before(1), { words: "1 day ago", isOld: false });
  assert.deepEqual(before(8), { words: "8 days ago", isOld: true });
});
