import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { AREAS, LANGUAGES } from "./load_texts.mjs";

const STATIC = new URL("../../../glassflow/pages/static/", import.meta.url);
const { changeLanguage, date, dateTime, duration, number, t, timeOfDay } = await import(
  new URL("js/core/i18n.js", STATIC)
);
const { lang, setLang, setTheme, theme, timeZone } = await import(new URL("js/core/preferences.js", STATIC));

const placeholders = (text) => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).sort();
const sources = Object.fromEntries(
  readdirSync(new URL("js/", STATIC), { recursive: true })
    .filter((name) => name.endsWith(".js"))
    .map((name) => [name, readFileSync(new URL(`js/${name}`, STATIC), "utf8")]),
);

const catalogues = { th: {}, en: {} };
const areaOf = {}; // of each key
for (const area of AREAS)
  for (const language of LANGUAGES) {
    const { default: texts } = await import(new URL(`texts/${area}.${language}.js`, STATIC));
    for (const [key, text] of Object.entries(texts)) {
      assert.ok(!(key in catalogues[language]), `two texts ${key}`);
      catalogues[language][key] = text;
      areaOf[key] = area;
    }
  }
const groups = {}; // the keys by their first part
for (const key of Object.keys(areaOf)) (groups[key.split(".")[0]] ??= []).push(key);

/** The keys that a source names: whole, or as the beginning of one that is made of data. */
function keysIn(source) {
  const whole = [...source.matchAll(/["'`]((?:[a-z]+)\.[a-zA-Z._-]+)["'`]/g)].map((m) => m[1]);
  const begun = [...source.matchAll(/(?:\bt|\bsay|textOr|hasText)\(\s*`(\w+\.\w*)\$\{/g)].map((m) => m[1]);
  return {
    whole: whole.filter((key) => key.split(".")[0] in groups),
    begun: begun.flatMap((start) => {
      const keys = Object.keys(areaOf).filter((key) => key.startsWith(start));
      return keys.length ? keys : [start];
    }),
  };
}

/** The modules that are loaded by a module, at once or later, itself included. */
function loadedBy(entry) {
  const found = new Set([entry]);
  for (const name of found)
    for (const [, at, later] of sources[name].matchAll(
      /(?:^(?:import|export)\b[^'"();]*"(\.[^"]+)")|import\("(\.[^"]+)"\)/gm,
    )) {
      const path = join(dirname(name), at ?? later);
      if (path in sources) found.add(path);
    }
  return [...found];
}

test("both languages have the same areas, keys and placeholders, and no text is empty", () => {
  const { th, en } = catalogues;
  assert.deepEqual(Object.keys(th), Object.keys(en));
  for (const key of Object.keys(en)) {
    assert.ok(th[key] && en[key], key);
    assert.deepEqual(placeholders(th[key]), placeholders(en[key]), key);
  }
});

test("Thai texts are Thai, and English ones are not", () => {
  for (const [key, text] of Object.entries(catalogues.th)) assert.match(text, /[ก-๙]/, key);
  for (const [key, text] of Object.entries(catalogues.en)) assert.doesNotMatch(text, /[ก-๙]/, key);
});

test("every key in the code has a text, and every text is used", () => {
  const found = Object.values(sources).map(keysIn);
  const used = new Set(found.flatMap(({ whole, begun }) => [...whole, ...begun]));
  assert.deepEqual(
    [[...used].filter((key) => !(key in areaOf)), Object.keys(areaOf).filter((key) => !used.has(key))],
    [[], []],
  );
});

test("every page loads the areas of all texts that it or a part of it shows", () => {
  const pages = [...sources["main.js"].matchAll(/import\("\.\/(pages\/[\w/]+\.js)"\)((?:, "\w+")*)/g)];
  assert.ok(pages.length >= 8);
  for (const [, entry, areas] of pages) {
    const loaded = ["start", ...[...areas.matchAll(/\w+/g)].map(([area]) => area)];
    const keys = loadedBy(entry).flatMap((name) => Object.values(keysIn(sources[name])).flat());
    assert.deepEqual(
      [...new Set(keys.map((key) => areaOf[key]))].filter((area) => !loaded.includes(area)),
      [],
      entry,
    );
    for (const area of loaded.slice(1))
      assert.ok(
        keys.some((key) => areaOf[key] === area),
        `${entry}: ${area}`,
      );
  }
});

test("texts follow the language", () => {
  setLang("en");
  assert.equal(t("home.greeting", { name: "Nok" }), "Hello, Nok");
  const printed = ["1", "2", "1,000"].map((count) => t("labels.done", { count }));
  assert.deepEqual(printed, ["1 label printed", "2 labels printed", "1,000 labels printed"]);
  setLang("th");
  assert.equal(t("home.greeting", { name: "Nok" }), "สวัสดี Nok");
});

test("a text that is missing is logged once, and the last part of its key is shown", (context) => {
  const { mock } = context.mock.method(console, "error", () => {});
  assert.deepEqual([t("no.such"), t("no.such"), t(undefined)], ["such", "such", "undefined"]);
  const logged = mock.calls.map((call) => call.arguments[0]);
  assert.deepEqual(logged, ["There is no text no.such", "There is no text undefined"]);
  context.mock.restoreAll();
  assert.throws(() => t("no.other"), /There is no text no.other/); // as load_texts.mjs has it in tests
});

test("the language that was chosen last is shown, once its texts are loaded", async () => {
  setLang("th");
  await Promise.all([changeLanguage("en"), changeLanguage("th"), changeLanguage("en")]);
  assert.equal(lang.value, "en");
  await assert.rejects(changeLanguage("xx"));
  assert.equal(lang.value, "en");
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
