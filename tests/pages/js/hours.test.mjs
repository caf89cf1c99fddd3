// Working hours: the week and the days off, as the form of the office has them.
import assert from "node:assert/strict";
import { test } from "node:test";

const HOURS = new URL("../../../glassflow/pages/static/js/pages/office/hours/", import.meta.url);
await import("./load_texts.mjs");
const { endsNextDay, faultsIn, likeMonday, proposedWeek, sumOf, withDay, withDayOff, withHolidays } = await import(
  new URL("model.js", HOURS)
);
const { lengthWord } = await import(new URL("../hours_words.js", HOURS));
const { setLang } = await import(new URL("../../../core/preferences.js", HOURS));
setLang("en");

const span = (start, end) => ({ start, end });
const NONE = withDay(proposedWeek(), "sunday", false);

test("six days of eight hours are proposed, which are 48 hours a week", () => {
  const week = proposedWeek();
  assert.deepEqual(week.saturday, [span("08:00", "12:00"), span("13:00", "17:00")]);
  assert.deepEqual(week.sunday, []);
  assert.deepEqual(sumOf(week), { minutes: 48 * 60, dayMinutes: 480 });
});

test("a night counts until it ends on the next day, a day of unequal ones is their mean", () => {
  const week = { ...proposedWeek(), sunday: [span("22:00", "04:00")] };
  assert.deepEqual(sumOf(week), { minutes: 54 * 60, dayMinutes: Math.round((54 * 60) / 7) });
  assert.deepEqual(
    [span("22:00", "04:00"), span("16:00", "00:00"), span("08:00", "08:00"), span("08:00", "17:00")].map(endsNextDay),
    [true, false, true, false],
  );
  const whole = { ...NONE, ...Object.fromEntries(Object.keys(NONE).map((day) => [day, [span("00:00", "00:00")]])) };
  assert.equal(sumOf(whole).minutes, 7 * 24 * 60);
});

test("a week without a day, or with a span that is not typed whole, has no sum", () => {
  assert.equal(sumOf(Object.fromEntries(Object.keys(NONE).map((day) => [day, []]))), null);
  assert.equal(sumOf({ ...NONE, monday: [span("08:00", "")] }), null);
});

test("the days that are worked become like Monday, the others stay off", () => {
  const week = likeMonday({ ...proposedWeek(), monday: [span("07:00", "15:00")] });
  assert.deepEqual(week.saturday, [span("07:00", "15:00")]);
  assert.deepEqual(week.sunday, []);
});

test("holidays are added until the end of next year, no day twice, and what is over stays", () => {
  const holiday = (date) => ({ date, name: { th: "ไทย", en: `Holiday of ${date}` } });
  const dates = ["2026-12-05", "2026-12-31", "2027-04-13", "2028-01-01"];
  const known = { holidays: dates.map(holiday), until: "2031-12-31" };
  const daysOff = [
    { date: "2025-01-01", name: "over" },
    { date: "2026-12-31", name: "Ours" },
  ];
  const filled = withHolidays(daysOff, known, "2026-12-01", "en");
  assert.deepEqual(
    filled.daysOff.map(({ date, name }) => `${date} ${name}`),
    ["2025-01-01 over", "2026-12-05 Holiday of 2026-12-05", "2026-12-31 Ours", "2027-04-13 Holiday of 2027-04-13"],
  );
  assert.deepEqual([filled.count, filled.until], [2, "2027-12-31"]);
  assert.equal(withHolidays(filled.daysOff, known, "2026-12-01", "th").count, 0);
  assert.equal(withHolidays([], { ...known, until: "2026-12-31" }, "2026-12-06", "th").until, "2026-12-31");
  assert.deepEqual(
    withDayOff(daysOff, { date: "2026-01-02", name: "" }).map(({ date }) => date),
    ["2025-01-01", "2026-01-02", "2026-12-31"],
  );
});

test("a fault stays at its day when another one is removed, and goes once the day is changed", () => {
  const daysOff = [{ date: "2026-12-05" }, { date: "2026-12-06" }];
  const week = proposedWeek();
  const sent = { week, daysOff };
  const faults = [
    { field: "daysOff.1.date", message: "Over" },
    { field: "week.monday", message: "Overlaps" },
    { field: "week.tuesday.1.end", message: "No time" },
    { message: "Of nothing" },
  ];
  assert.deepEqual(faultsIn(daysOff[1], faults, sent), ["Over"]);
  assert.deepEqual(faultsIn(daysOff[0], faults, sent), []);
  assert.deepEqual(faultsIn({ ...daysOff[1] }, faults, sent), []);
  assert.deepEqual(faultsIn(week.monday, faults, sent), ["Overlaps"]);
  assert.deepEqual(faultsIn(week.tuesday, faults, sent), ["No time"]);
  assert.deepEqual(
    week.tuesday.map((one) => faultsIn(one, faults, sent)),
    [[], ["No time"]],
  );
});

test("a length has hours and minutes, of which it has any", () => {
  assert.deepEqual([480, 60, 450, 30].map(lengthWord), ["8 hours", "1 hour", "7 hours 30 minutes", "30 minutes"]);
});
