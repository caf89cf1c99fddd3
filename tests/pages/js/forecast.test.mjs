// A forecast in words: its days, how a plan moves them, how many held, and which promises would not.
import assert from "node:assert/strict";
import { test } from "node:test";
import "./document.mjs";
import { LANGUAGES } from "./load_texts.mjs";

const JS = new URL("../../../glassflow/pages/static/js/", import.meta.url);
const { t } = await import(new URL("core/i18n.js", JS));
const { lang, timeZone } = await import(new URL("core/preferences.js", JS));
const words = await import(new URL("pages/office/forecast/words.js", JS));

timeZone.value = "Asia/Bangkok";

/** A sentence in English; the test fails if it lacks a text or a value in any language. */
function inWords(sentence) {
  for (const one of LANGUAGES) {
    lang.value = one;
    assert.doesNotMatch(t(...sentence), /undefined|null|NaN/);
  }
  lang.value = "en";
  return t(...sentence);
}

test("work that ends at midnight ends on the day before", () => {
  lang.value = "en";
  assert.equal(words.dayOf("2026-12-04T10:00:00Z"), "Friday, Dec 4, 2026");
  assert.equal(words.dayOf("2026-12-04T17:00:00Z"), "Friday, Dec 4, 2026"); // 00:00 in the workshop
  assert.equal(words.dayOf("2026-12-04T10:00:00Z", words.SHORT), "Fri, Dec 4");
  lang.value = "th";
  assert.match(words.dayOf("2026-12-04T17:00:00Z"), /ศุกร์.* 4 ธ.ค. 2569$/);
});

test("a plan moves a date by days of the workshop, whatever the hour", () => {
  lang.value = "en";
  const said = (after) => inWords(words.changeSaid("2026-12-04T10:00:00Z", after));
  assert.equal(said("2026-12-03T17:00:00Z"), "1 day earlier than Fri, Dec 4");
  assert.equal(said("2026-12-07T10:00:00Z"), "3 days later than Fri, Dec 4");
  assert.equal(said("2026-12-04T17:00:00Z"), "the same day");
});

test("the share that held is told, all of them if they are off, and that none is judged", () => {
  const held = { p50: 40, p85: 61, p95: 80 };
  const said = (more) => inWords(words.heldSaid({ judged: 120, held, isOff: false, ...more }));
  assert.equal(said({ held: { ...held, p85: 88 } }), "Of the last 120 forecasts 88 of 100 held at 85.");
  assert.match(said({ isOff: true }), /^These dates are off: .* 40, 61 and 80 of 100 held, instead of 50, 85 and 95.$/);
  assert.match(said({ judged: 0, held: null }), /^Not judged yet/);
});

test("orders that are late in any case are not those that a plan makes late", () => {
  const said = (...late) => inWords(words.lateSaid(late.map((wasLate) => ({ wasLate }))));
  assert.equal(said(), "No promised order would be late.");
  assert.match(said(true, true), /^No more promised orders would be late/);
  assert.equal(said(false, true), "1 more promised order would be late.");
  assert.equal(said(false, false), "2 more promised orders would be late.");
});

test("what a form leaves as it is is no part of a plan", () => {
  assert.equal(words.planOf({ extraShifts: null, station: null, first: false }), null);
  assert.deepEqual(words.planOf({ extraShifts: 5, station: null, first: true }), { extraShifts: 5, first: true });
  const parts = (plan) => words.planSaid(plan, (id) => `station ${id}`).map(inWords);
  assert.deepEqual(parts({ extraShifts: 1 }), ["One more shift on 1 working day"]);
  assert.deepEqual(parts({ station: "x", first: true }), [
    "One machine more at station x",
    "This work before all other",
  ]);
});
