import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

const STATIC = new URL("../../../glassflow/pages/static/js/", import.meta.url);
const { addTexts, CATALOGUES, date, dateTime, duration, number, t, timeOfDay } = await import(
  new URL("core/i18n/index.js", STATIC)
);
const { lang, setLang, setTheme, theme, timeZone } = await import(new URL("core/preferences.js", STATIC));

const placeholders = (text) => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).sort();
const files = readdirSync(STATIC, { recursive: true });
for (const name of files.filter((name) => name.endsWith("texts.js")))
  addTexts((await import(new URL(name, STATIC))).texts); // throws where two have one key
const sources = files
  .filter((name) => name.endsWith(".js") && !name.includes("i18n") && !name.endsWith("texts.js"))
  .map((name) => readFileSync(new URL(name, STATIC), "utf8"))
  .join("\n");

test("both catalogues have the same keys and placeholders, and no text is empty", () => {
  const { th, en } = CATALOGUES;
  assert.deepEqual(Object.keys(th).sort(), Object.keys(en).sort());
  for (const key of Object.keys(en)) {
    assert.ok(th[key] && en[key], key);
    assert.deepEqual(placeholders(th[key]), placeholders(en[key]), key);
  }
});

test("Thai texts are Thai, and English ones are not", () => {
  for (const [key, text] of Object.entries(CATALOGUES.th)) assert.match(text, /[ก-๙]/, key);
  for (const [key, text] of Object.entries(CATALOGUES.en)) assert.doesNotMatch(text, /[ก-๙]/, key);
});

test("every key in the code has a text, and every text is used", () => {
  const { en } = CATALOGUES;
  const written = [...sources.matchAll(/["'`]((?:[a-z]+)\.[a-zA-Z]+)["'`]/g)].map((m) => m[1]);
  const groups = new Set(Object.keys(en).map((key) => key.split(".")[0]));
  const used = new Set(written.filter((key) => groups.has(key.split(".")[0])));
  const computed = [...sources.matchAll(/t\(`(\w+\.)\$\{/g)].map((m) => m[1]);
  assert.deepEqual(
    [...used].filter((key) => !(key in en)),
    [],
  );
  const unused = Object.keys(en).filter((key) => !used.has(key) && !computed.some((start) => key.startsWith(start)));
  assert.deepEqual(unused, []);
});

test("texts follow the language", () => {
  setLang("en");
  assert.equal(t("home.greeting", { name: "Nok" }), "Hello, Nok");
  const printed = ["1", "2", "1,000"].map((count) => t("labels.done", { count }));
  assert.deepEqual(printed, ["1 label printed", "2 labels printed", "1,000 labels printed"]);
  setLang("th");
  assert.equal(t("home.greeting", { name: "Nok" }), "สวัสดี Nok");
  assert.throws(() => t("no.such"));
});

test("time spans and numbers are written in the language", () => {
  setLang("en");
  assert.deepEqual([0, 1, 59.9, 61, 7300, 200_000].map(duration), [
    "0 seconds",
    "1 second",
    "59 seconds",
    "1 minute",
    "2 hours",
    "2 days",
  ]);
  assert.equal(number(2119), "2,119");
  assert.match(timeOfDay(new Date(2026, 10, 22, 3, 4, 5)), /^0?3:04:05$/);
  setLang("th");
  assert.equal(duration(180), "3 นาที");
  assert.match(timeOfDay(new Date(2026, 10, 22, 15, 4, 5)), /^15:04:05$/);
});

test("a preference that is none falls back to the first one", () => {
  setLang("xx");
  assert.equal(lang.value, "th");
  setTheme("light");
  assert.equal(theme.value, "light");
  setTheme(undefined);
  assert.equal(theme.value, "dark");
});

test("times are those of the workshop's time zone", () => {
  const moment = Date.UTC(2026, 10, 21, 20, 4, 5);
  setLang("en");
  timeZone.value = "Asia/Bangkok";
  assert.match(dateTime(moment), /Nov 22, 2026.*03:04/);
  assert.equal(timeOfDay(moment), "03:04:05");
  timeZone.value = "America/New_York";
  assert.equal(date(moment), "Nov 21, 2026");
  setLang("th");
  timeZone.value = "Asia/Bangkok";
  assert.equal(date(moment), "22 พ.ย. 2569");
});
