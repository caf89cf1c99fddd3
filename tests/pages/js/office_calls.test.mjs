// Calls for help: what their figures say in a sentence, how long something took, and what a new one sends.
import assert from "node:assert/strict";
import { test } from "node:test";
import { draw } from "./document.mjs";
import "./load_texts.mjs";

const STATIC = new URL("../../../glassflow/pages/static/js/", import.meta.url);
const page = (name) => import(new URL(`pages/office/calls/${name}.js`, STATIC));
const { sentence } = await page("figures");
const { hoursAndMinutes, Lasted } = await page("parts");
const { toBody } = await page("new");
const { lang } = await import(new URL("core/preferences.js", STATIC));
const { session } = await import(new URL("core/session.js", STATIC));

const HOUR_S = 3600;

function said(rows, totals = {}) {
  const sums = rows.map(([station, kind, stoppedSeconds]) => ({ station, kind, stoppedSeconds }));
  const stoppedSeconds = sums.reduce((sum, row) => sum + row.stoppedSeconds, 0);
  const figures = { days: 30, rows: sums, totals: { calls: 3, stops: 2, stoppedSeconds, ...totals } };
  const [key, { station, percent }] = sentence(figures, (row) => row.station, String);
  return [key, station, percent];
}

test("the sentence names the station that stood the longest, over all kinds of calls", () => {
  const wash = ["wash", "machine", 2 * HOUR_S];
  assert.deepEqual(said([wash]), ["calls.stoodAll", "wash", 100]);
  assert.deepEqual(said([wash, ["cut", "glass", HOUR_S]]), ["calls.stoodHalf", "wash", 67]);
  const cut = [
    ["cut", "machine", 1.5 * HOUR_S],
    ["cut", "glass", 1.5 * HOUR_S],
  ];
  assert.deepEqual(said([wash, ...cut, ["edge", "machine", HOUR_S]]), ["calls.stoodPart", "cut", 50]);
});

test("the sentence says where nothing stood, or where nobody knows for how long", () => {
  assert.equal(said([], { calls: 0, stops: 0 })[0], "calls.nobodyCalled");
  assert.equal(said([["cut", "question", 0]], { stops: 0 })[0], "calls.stoodNone");
  assert.equal(said([["cut", "machine", 0]], { stops: 1 })[0], "calls.stoodUnknown");
});

test("a time is in hours and minutes, also of several days", () => {
  lang.value = "en";
  const shown = [0, 12, 89, HOUR_S, 3.3 * HOUR_S, 27 * HOUR_S + 300].map(hoursAndMinutes);
  assert.deepEqual(shown, ["0 min", "1 min", "1 min", "1 h 0 min", "3 h 18 min", "27 h 5 min"]);
});

test("a stop has lasted as long as its station has worked meanwhile, another call as long as the clock says", () => {
  lang.value = "en";
  const calledAt = "2026-11-30T09:00:00Z";
  const stations = { oven: { runs: [0, 3000], dayMinutes: 1440 } };
  const workingHours = { since: calledAt, runs: [0, 60, 900, 60], dayMinutes: 60, stations };
  session.value = { state: "open", workingHours };
  const call = { calledAt, endedAt: "2026-12-01T01:20:00Z", status: "ended", ending: "person" };
  const lasted = (more) => {
    const shown = draw(Lasted, { call: { ...call, station: { _id: "saw" }, ...more } });
    const text = shown.text();
    shown.end();
    return text;
  };
  assert.equal(lasted({ machineStands: false }), "16 h 20 min");
  assert.equal(lasted({ machineStands: true }), "1 h 20 min");
  assert.equal(lasted({ machineStands: true, station: "oven" }), "16 h 20 min");
  assert.equal(lasted({ machineStands: true, ending: "shift" }), "Not known");
  session.value = { state: "asking" };
});

test("only the stop of a machine keeps panes out of its station", () => {
  const stop = { station: "s", kind: "machine", machineStands: true, refusesScanIn: true };
  assert.deepEqual(toBody({ ...stop, reason: "" }), stop);
  for (const changed of [{ kind: "glass" }, { machineStands: false }])
    assert.ok(!("refusesScanIn" in toBody({ ...stop, ...changed })));
});
