// The weekly figures in words: which station, cause or material a sentence names, and where charts draw.
import assert from "node:assert/strict";
import { test } from "node:test";
import "./document.mjs";
import { LANGUAGES } from "./load_texts.mjs";

const JS = new URL("../../../glassflow/pages/static/js/", import.meta.url);
const { t } = await import(new URL("core/i18n.js", JS));
const { lang } = await import(new URL("core/preferences.js", JS));
const words = await import(new URL("pages/office/today/weekly_words.js", JS));

const [DAY_S, HOUR_S] = [86_400, 3600];
const nameOf = ({ station }) => station;
const keys = (said) => said.map(([key]) => key);

/** The sentences of one language; each fails the test if it lacks a text or a value. */
function inWords(said) {
  for (const one of LANGUAGES) {
    lang.value = one;
    for (const sentence of said) assert.doesNotMatch(t(...sentence), /undefined|null|NaN/);
  }
  lang.value = "en";
  return said.map((sentence) => t(...sentence)).join(" ");
}

const waits = (station, panes, { over85 = 0, over95 = 0, isUsual = true } = {}) => ({
  station,
  stay: { p85: isUsual ? 2 * HOUR_S : null },
  waiting: { panes, over85, over95, p85: 2 * HOUR_S, p95: 3 * HOUR_S },
});

test("the station with most panes over its 95 % line is named, else over its 85 % line, else none", () => {
  const said = (...stations) => inWords(words.ageingSaid(stations, nameOf));
  const [cut, wash] = [waits("cut", 9, { over85: 8, over95: 1 }), waits("wash", 5, { over85: 4, over95: 2 })];
  assert.match(said(cut, wash), /^wash has .* very long: 2 of 5 have been there for more than 3 hours. 95 of 100/);
  assert.match(said(waits("cut", 9, { over85: 8 }), waits("wash", 5)), /^cut has .* long: 8 of 9 .* 2 hours. 85 of/);
  assert.match(said(waits("cut", 1), waits("wash", 0)), /^1 pane waits at the stations, none/);
  assert.equal(said(waits("wash", 0)), "No pane waits at a station.");
  const assumed = waits("cut", 9, { over85: 8, isUsual: false });
  assert.deepEqual(keys(words.ageingSaid([assumed], nameOf)), ["weekly.waitLong"]); // 85 of 100 is not known
});

const loaded = (station, load, added = 0, more = {}) => ({
  station,
  load,
  added,
  arrived: 9,
  left: 9,
  failed: 0,
  ...more,
});

test("the most loaded station is named, or the one that grows where no load is known", () => {
  const said = (...stations) => inWords(words.loadSaid({ days: 30, stations }, nameOf));
  assert.equal(
    said(loaded("cut", 0.5, 4), loaded("wash", 0.83)),
    "wash is loaded the most, with 83 % of what it can do.",
  );
  assert.match(said(loaded("cut", 1.27, 4), loaded("wash", 0.83)), /^cut has more work .* 127 % of it. 4 more panes/);
  assert.match(said(loaded("cut", 1.004)), /^cut is loaded the most, with 100 %/); // as it is shown
  const missing = loaded("drill", 3, 0, { scansMissing: true });
  assert.match(said(missing, loaded("wash", 0.2)), /^wash/);
  assert.match(
    said(loaded("cut", null, 2), loaded("wash", null, 5)),
    /not known yet. The most panes pile up at wash: 5/,
  );
  assert.match(said(loaded("cut", null, -2)), /At no station more panes came than left.$/);
  const idle = loaded("cut", null, 0, { arrived: 0, left: 0 });
  assert.equal(said(idle), "No pane came to a station or left one in the last 30 days.");
});

test("the last week is compared with the one before that has panes, as both are shown", () => {
  const week = (day, p85) => ({ week: `2026-11-${day}`, panes: p85 ? 3 : 0, p85: p85 || null });
  const change = (...weeks) => {
    const said = words.leadSaid({ days: 30, lead: { panes: 9, p50: HOUR_S, p85: DAY_S, weeks } });
    inWords(said);
    return keys(said)[1];
  };
  assert.equal(change(week("02", 4 * DAY_S), week("09", 0), week("16", 3 * DAY_S)), "weekly.faster");
  assert.equal(change(week("02", 3 * DAY_S), week("09", 4 * DAY_S)), "weekly.slower");
  assert.equal(change(week("02", 3.9 * DAY_S), week("09", 3.1 * DAY_S)), "weekly.asLong");
  assert.equal(change(week("02", 0), week("09", 3 * DAY_S)), undefined);
  const none = { panes: 0, p50: null, p85: null, weeks: [week("02", 0)] };
  assert.deepEqual(keys(words.leadSaid({ days: 7, lead: none })), ["weekly.nothingFinished"]);
});

test("causes of losses are sorted by value, or by panes where no value is known or all is free", () => {
  const rows = [
    { reason: "scratch", panes: 1, value: "300.00" },
    { reason: "broken", panes: 3, value: "100.00" },
  ];
  const shares = (totals, some = rows) =>
    words.sharesOf({ rows: some, totals }).rows.map(({ row, share, until }) => [row.reason, share, until]);
  assert.deepEqual(shares({ panes: 4, value: "400.00" }), [
    ["scratch", 0.75, 0.75],
    ["broken", 0.25, 1],
  ]);
  const byPanes = [
    ["broken", 0.75, 0.75],
    ["scratch", 0.25, 1],
  ];
  assert.deepEqual(shares({ panes: 4, value: null }), byPanes);
  assert.deepEqual(shares({ panes: 4, value: "0.00" }), byPanes);
  const said = (losses) =>
    inWords(
      words.lossesSaid(
        { days: 90, ...losses },
        ({ reason }) => reason,
        (value) => `฿${value}`,
      ),
    );
  assert.match(said({ rows, totals: { panes: 4, value: "400.00" } }), /“scratch”: ฿300.00, 75 %/);
  assert.match(said({ rows, totals: { panes: 4, value: null } }), /“broken”: 3 panes, 75 %/);
  assert.match(said({ rows: [], totals: { panes: 0, value: null } }), /^No pane was lost/);
});

test("most of one material is taken, and most of another one is lost; by area if that is known", () => {
  const row = (station, taken, lostPanes, lostArea) => ({ station, taken, unit: "m²", lostPanes, lostArea });
  const said = (...rows) =>
    inWords(words.stockSaid({ days: 7, rows }, (quantity, unit) => `${quantity} ${unit}`, nameOf));
  const [clear, green] = [row("clear", 9, 5, 1.5), row("green", 2, 1, 4)];
  assert.equal(
    said(clear, green),
    "clear was taken the most in the last 7 days: 9 m². green was lost the most: 1 pane, 4 m².",
  );
  assert.match(said(row("clear", 9, 5, 0), row("green", 2, 6, 0)), /green was lost the most: 6 panes/);
  assert.match(said(row("clear", 0, 0, 0)), /^No material was taken .* No pane was lost.$/);
  assert.deepEqual(keys(words.stockSaid({ days: 7, rows: [row("clear", 9, null, null)] }, String, nameOf)), [
    "weekly.mostTaken",
  ]);
  assert.match(said(), /^No material was taken, written off or lost/);
});

test("an axis of times has marks that a phone has room for, minutes beside weeks", () => {
  const marks = (longest, place) => words.marksOf(longest, 9 * HOUR_S, place).map((seconds) => seconds / HOUR_S);
  assert.deepEqual(marks(20 * 9 * HOUR_S, words.rootPlace), [9, 5 * 9, 10 * 9, 20 * 9]);
  for (const longest of [90, HOUR_S, DAY_S, 40 * DAY_S, 400 * DAY_S])
    for (const place of [words.rootPlace, words.evenPlace]) {
      const places = words.marksOf(longest, DAY_S, place).map((seconds) => place(seconds, longest));
      assert.ok(places.length > 0 && places.length <= 6, `${longest}: ${places}`);
      assert.ok(places.every((one, index) => one <= 1 && (index === 0 || one - places[index - 1] > 0.18)));
    }
});

test("dots at about the same place are heaped", () => {
  assert.deepEqual(words.heaped([0.5, 0.501, 0.7, 0.5]), [0, 1, 0, 2]);
});
