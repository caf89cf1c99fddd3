// What the weekly figures say, as sentences [key, values] of `t`, and where their charts draw
// it. Without a page.
import { number } from "../../../core/i18n.js";
import { workingDuration } from "../../../core/working_time.js";
import { dayMonthOf, percentOf } from "./words.js";

/** A share in whole percent. */
export const percent = (share) => Math.round(100 * share);

const most = (rows, figure) => rows.reduce((one, other) => (figure(other) > figure(one) ? other : one));

/** Whether the times that `waiting` has are those that panes of a station stay; of few panes they are assumed. */
export const isUsual = ({ waiting, stay }) => waiting.p85 === stay.p85;

/** At which station panes wait for unusually long; `nameOf(row)` names the station of a row here and below. */
export function ageingSaid(stations, nameOf) {
  const waits = stations.filter(({ waiting }) => waiting.panes > 0);
  if (!waits.length) return [["weekly.nothingWaits"]];
  const share = [95, 85].find((one) => waits.some(({ waiting }) => waiting[`over${one}`] > 0));
  if (!share) {
    const panes = waits.reduce((sum, { waiting }) => sum + waiting.panes, 0);
    return [["weekly.noneOver", { panes: number(panes) }]];
  }
  const first = most(waits, ({ waiting }) => waiting[`over${share}`]);
  const { station, waiting } = first;
  const values = {
    station: nameOf(first),
    count: number(waiting[`over${share}`]),
    panes: number(waiting.panes),
    time: workingDuration(waiting[`p${share}`], { station }),
  };
  const said = [share === 95 ? "weekly.waitVeryLong" : "weekly.waitLong", values];
  return isUsual(first) ? [said, ["weekly.leaveSooner", { share }]] : [said];
}

/** Which station is loaded the most, or where panes pile up while that is not known. */
export function loadSaid({ days, stations }, nameOf) {
  const used = stations.filter(wasUsed);
  if (!used.length) return [["weekly.nothingMoved", { days }]];
  const known = stations.filter(hasLoad);
  const first = most(known.length ? known : used, known.length ? ({ load }) => load : ({ added }) => added);
  const values = { station: nameOf(first), growth: number(first.added) };
  const grows = first.added > 0;
  if (!known.length) return [["weekly.loadUnknown"], grows ? ["weekly.growsAt", values] : ["weekly.growsNowhere"]];
  const load = percent(first.load);
  const said = [load > 100 ? "weekly.overloaded" : "weekly.mostLoaded", { ...values, percent: number(load) }];
  return grows ? [said, ["weekly.grows", values]] : [said];
}

/** Whether panes came to a station, or went. */
export const wasUsed = ({ arrived, left, failed, added }) => Boolean(arrived || left || failed || added);

/** Whether the load of a station is known. */
export const hasLoad = ({ load, scansMissing }) => load !== null && !scansMissing;

/** How long panes took, and whether that was longer in the last week with panes than in the one before. */
export function leadSaid({ days, lead: { panes, p50, p85, weeks } }) {
  if (!panes) return [["weekly.nothingFinished", { days }]];
  const said = ["weekly.lead", { days, half: workingDuration(p50), most: workingDuration(p85) }];
  const [before, last] = weeks.filter((one) => one.panes > 0).slice(-2);
  if (!last) return [said];
  const [was, now] = [before.p85, last.p85].map((seconds) => workingDuration(seconds));
  // as it is shown
  const change = was === now ? "weekly.asLong" : last.p85 < before.p85 ? "weekly.faster" : "weekly.slower";
  const [week, earlier] = [last.week, before.week].map(dayMonthOf);
  return [said, [change, { week, earlier, now, was }]];
}

/** How many orders were on time. */
export function onTimeSaid({ days, orders, onTime }) {
  if (!orders) return [["weekly.nothingDue", { days }]];
  const values = { orders: number(orders), onTime: number(onTime), percent: percentOf({ onTime, orders }) };
  return [["weekly.onTime", { days, ...values }]];
}

/**
 * The causes of losses, the largest first, by their value, or by panes where that is not known:
 * {isByValue, rows: [{row, share, until}]}, with the share of a cause in all losses, and of it and all larger ones.
 */
export function sharesOf({ rows, totals }) {
  const isByValue = Number(totals.value) > 0;
  const figure = isByValue ? ({ value }) => Number(value) : ({ panes }) => panes;
  let sum = 0;
  const sorted = [...rows].sort((one, other) => figure(other) - figure(one));
  const shares = sorted.map((row) => {
    sum += figure(row);
    return { row, share: figure(row) / figure(totals), until: sum / figure(totals) };
  });
  return { isByValue, rows: shares };
}

/** The first cause of losses; `causeOf(row)` names it, and `baht(value)` an amount. */
export function lossesSaid(losses, causeOf, baht) {
  const { days } = losses;
  const { isByValue, rows } = sharesOf(losses);
  if (!rows.length) return [["weekly.nothingLost", { days }]];
  const [{ row, share }] = rows;
  const values = { days, cause: causeOf(row), percent: percent(share) };
  if (isByValue) return [["weekly.firstValue", { ...values, amount: baht(row.value) }]];
  return [["weekly.firstPanes", { ...values, panes: number(row.panes) }]];
}

/**
 * Of which material most was taken, and of which most was lost, for who may know that; `amount(quantity, unit)` names a
 * quantity, and `nameOf(row)` a material.
 */
export function stockSaid({ days, rows }, amount, nameOf) {
  const [first] = rows;
  if (!first) return [["weekly.nothingUsed", { days }]];
  const taken = { days, name: nameOf(first), amount: amount(first.taken, first.unit) };
  const said = [first.taken > 0 ? ["weekly.mostTaken", taken] : ["weekly.nothingTaken", { days }]];
  if (first.lostPanes === null) return said;
  const isSized = rows.some(({ lostArea }) => lostArea > 0); // of panes that only a claim tells of no size is known
  const worst = most(rows, ({ lostArea, lostPanes }) => (isSized ? lostArea : lostPanes));
  const lost = { name: nameOf(worst), panes: number(worst.lostPanes), area: number(worst.lostArea) };
  return [...said, worst.lostPanes > 0 ? ["weekly.mostWasted", lost] : ["weekly.nothingWasted"]];
}

/** Where a time stands on an axis from 0 to 1 for times up to `longest`: minutes are told apart beside weeks. */
export const rootPlace = (seconds, longest) => Math.sqrt(Math.min(1, seconds / longest));

/** The same on an axis on which twice as long is twice as far. */
export const evenPlace = (seconds, longest) => seconds / longest;

const MINUTES = [1, 5, 15, 30, 60, 120, 240, 480];
const DAYS = [1, 2, 5, 10, 20, 50, 100, 200, 500];
const APART = 0.19; // of the axis, between two marks: room for their texts on a phone

/** The times in seconds to mark on such an axis; `day` is how long a working day is. */
export function marksOf(longest, day, placeOf) {
  const minutes = MINUTES.map((count) => count * 60).filter((seconds) => seconds < day);
  const steps = [...minutes, ...DAYS.map((count) => count * day)].filter((seconds) => seconds <= longest);
  let last = Infinity;
  const marks = [];
  for (const seconds of steps.reverse()) {
    const place = placeOf(seconds, longest);
    if (last - place < APART || place < APART / 2) continue;
    last = place;
    marks.unshift(seconds);
  }
  return marks;
}

const SAME = 80; // places of an axis on which dots would cover each other

/** For each place of a dot how many of those before stand at about the same one. */
export function heaped(places) {
  const counts = new Map();
  return places.map((place) => {
    const spot = Math.round(place * SAME);
    const before = counts.get(spot) ?? 0;
    counts.set(spot, before + 1);
    return before;
  });
}
