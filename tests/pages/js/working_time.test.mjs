// Working time: the seconds between two moments by the hours of the session, and how they are said.
import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import "./document.mjs";
import { LANGUAGES } from "./load_texts.mjs";

const CORE = new URL("../../../glassflow/pages/static/js/core/", import.meta.url);
const { duration } = await import(new URL("i18n.js", CORE));
const { lang } = await import(new URL("preferences.js", CORE));
const { session } = await import(new URL("session.js", CORE));
const { receive } = await import(new URL("events.js", CORE));
const { workingDay, workingDuration, workingSeconds } = await import(new URL("working_time.js", CORE));

const SINCE = "2026-11-01T17:00:00Z"; // a Monday in Bangkok
const BEGIN = Date.parse(SINCE);
const [MINUTE_MS, HOUR_MS, HOUR_S, DAY_MIN] = [60_000, 3_600_000, 3600, 1440];
const DAYS = 28;
const SUNDAY = 6;

/** A moment: a day after the beginning, and a time of that day. */
const at = (day, time) => BEGIN + (day * DAY_MIN + minuteOf(time)) * MINUTE_MS;

function minuteOf(time) {
  const [hours, minutes] = time.split(":").map(Number);
  return 60 * hours + minutes;
}

/** The runs of hours where `spansOf(day)` is worked. */
function runsOf(spansOf) {
  const runs = [];
  let end = 0;
  for (let day = 0; day < DAYS; day += 1) {
    for (const [from, to] of spansOf(day).map((span) => span.map(minuteOf))) {
      runs.push(day * DAY_MIN + from - end, to - from);
      end = day * DAY_MIN + to;
    }
  }
  return runs;
}

const isSunday = (day) => day % 7 === SUNDAY;
const DAY_SHIFT = [
  ["08:00", "12:00"],
  ["13:00", "17:00"],
];
const NIGHT_SHIFT = [
  ["00:00", "06:00"],
  ["22:00", "24:00"],
];
const HOURS = {
  since: SINCE,
  runs: runsOf((day) => (isSunday(day) ? [] : DAY_SHIFT)),
  dayMinutes: 480,
  stations: { oven: { runs: runsOf(() => NIGHT_SHIFT), dayMinutes: 480 } },
};

beforeEach(() => (session.value = { state: "open", workingHours: HOURS }));
afterEach(() => (lang.value = "en"));

test("nights, pauses and Sundays count nothing", () => {
  const hours = (from, to) => workingSeconds(from, to) / HOUR_S;
  assert.equal(hours(at(0, "08:00"), at(0, "17:00")), 8);
  assert.equal(hours(at(0, "11:30"), at(0, "13:30")), 1);
  assert.equal(hours(at(0, "17:00"), at(1, "08:00")), 0);
  assert.equal(hours(at(5, "16:00"), at(7, "08:00")), 1); // from Saturday to Monday
  assert.equal(hours(at(6, "00:00"), at(7, "00:00")), 0);
  assert.equal(hours(at(0, "00:00"), at(7, "00:00")), 48);
  assert.equal(workingSeconds(at(0, "08:00"), at(0, "08:00") + 1500), 1.5);
});

test("a station that works otherwise has hours of its own", () => {
  const [evening, morning] = [at(5, "16:00"), at(7, "08:00")];
  assert.equal(workingSeconds(evening, morning, "oven"), 16 * HOUR_S);
  assert.equal(workingSeconds(evening, morning, "cutting"), HOUR_S);
});

test("before the hours were set every second counts, and after those that are known none", () => {
  assert.equal(workingSeconds(BEGIN - 5 * HOUR_MS, BEGIN - 2 * HOUR_MS), 3 * HOUR_S);
  assert.equal(workingSeconds(BEGIN - 5 * HOUR_MS, at(0, "09:00")), 6 * HOUR_S);
  assert.equal(workingSeconds(at(DAYS - 2, "16:00"), at(DAYS + 9, "12:00")), HOUR_S);
  assert.equal(workingSeconds(at(DAYS - 1, "23:00"), at(DAYS + 9, "12:00"), "oven"), HOUR_S);
});

test("what is between moments adds up, minute by minute, and is never more than has passed", () => {
  let seed = 20261102;
  const any = (count) => {
    seed = (seed * 48271) % 2147483647;
    return seed % count;
  };
  for (const station of [undefined, "oven"]) {
    const spans = station ? () => NIGHT_SHIFT : (day) => (isSunday(day) ? [] : DAY_SHIFT);
    const isWorked = (minute) => {
      if (minute < 0) return true;
      const [day, rest] = [Math.floor(minute / DAY_MIN), minute % DAY_MIN];
      return day < DAYS && spans(day).some(([from, to]) => minuteOf(from) <= rest && rest < minuteOf(to));
    };
    for (let n = 0; n < 200; n += 1) {
      const minutes = [1, 2, 3].map(() => any((DAYS + 4) * DAY_MIN) - 2 * DAY_MIN).sort((a, b) => a - b);
      const [from, between, to] = minutes.map((minute) => BEGIN + minute * MINUTE_MS);
      const whole = workingSeconds(from, to, station);
      assert.equal(workingSeconds(from, between, station) + workingSeconds(between, to, station), whole);
      assert.equal(workingSeconds(to, from, station), 0 - whole);
      assert.ok(whole >= 0 && whole <= (to - from) / 1000);
      let counted = 0;
      for (let minute = minutes[0]; minute < minutes[2]; minute += 1) counted += isWorked(minute);
      assert.equal(whole, 60 * counted, `${minutes}`);
    }
  }
});

test("without hours all seconds count, and are said as time that passes", () => {
  for (const workingHours of [undefined, null]) {
    session.value = { state: "open", workingHours };
    assert.equal(workingSeconds(at(5, "16:00"), at(7, "08:00"), "oven"), 40 * HOUR_S);
    assert.equal(workingDay("oven"), 24 * HOUR_S);
    for (const seconds of [-5, 0, 59, 9 * HOUR_S, 24 * HOUR_S, 50 * HOUR_S]) {
      assert.equal(workingDuration(seconds), duration(seconds));
      const short = { unitDisplay: "short" };
      assert.equal(workingDuration(seconds, { ...short, station: "oven" }), duration(seconds, short));
    }
  }
});

test("working time is said in working days, which are as long as at the station", () => {
  const said = (seconds, options) =>
    LANGUAGES.map((language) => {
      lang.value = language;
      return workingDuration(seconds, options);
    });
  assert.deepEqual(said(8 * HOUR_S), ["1 วันทำงาน", "1 working day"]);
  assert.deepEqual(said(23 * HOUR_S), ["2 วันทำงาน", "2 working days"]);
  assert.deepEqual(said(23 * HOUR_S, { unitDisplay: "short" }), ["2 วัน", "2 days"]);
  assert.deepEqual(said(8 * HOUR_S - 1), ["7 ชั่วโมง", "7 hours"]);
  assert.deepEqual(said(90), ["1 นาที", "1 minute"]);
  const stations = { furnace: { runs: HOURS.runs, dayMinutes: 1440 } };
  session.value = { state: "open", workingHours: { ...HOURS, stations } };
  assert.deepEqual(said(23 * HOUR_S, { station: "furnace" }), ["23 ชั่วโมง", "23 hours"]);
  assert.deepEqual(said(24 * HOUR_S, { station: "furnace" }), ["1 วันทำงาน", "1 working day"]);
  assert.equal(workingDay("furnace"), 24 * HOUR_S);
});

test("a change of the hours asks for the session, which brings them", async (t) => {
  const asked = new Promise((resolve) => {
    t.mock.method(globalThis, "fetch", async (path) => {
      resolve(path);
      throw new Error("no network");
    });
  });
  receive("workingHours:updated", { week: null });
  assert.equal(await asked, "/floor/session");
});
