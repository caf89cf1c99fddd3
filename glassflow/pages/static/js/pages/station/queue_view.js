// What of the queue is shown, and in which groups: by orders, by glass, what is typed, what is due.
// Nothing of it knows the page.
import { parse } from "../../scan/codes.js";
import { latin } from "../../scan/keyboard.js";
import { fromLocal, toLocal } from "../../ui/moments.js";
import { isAway } from "./queue.js";
import { isLate } from "./pane.js";

/** How the queue is shown: all panes in the order of the work, or groups. */
export const WAYS = ["all", "order", "glass"];
const FEW = 10; // rows, whose groups are all open
const STILL_FEW = 15;

/** When the workshop's day of a moment (epoch milliseconds) begins and ends: {start, end}, in epoch milliseconds. */
export function dayOf(now) {
  const date = toLocal(now).slice(0, 10);
  const next = new Date(Date.parse(`${date}T12:00Z`) + 86_400_000).toISOString().slice(0, 10);
  const [start, end] = [date, next].map((day) => Date.parse(fromLocal(`${day}T00:00`)));
  return { start, end };
}

/** The deadline of a pane in epoch milliseconds; Infinity without one. */
const deadlineOf = ({ request }) => (request?.deadline ? Date.parse(request.deadline) : Infinity);

/** Whether a pane of this station is "late", or due "today", at a moment. */
export function isDue(pane, due, now) {
  if (isAway(pane)) return false;
  const late = isLate(pane, now);
  return due === "late" ? late : !late && deadlineOf(pane) < dayOf(now).end;
}

/** How many panes are late, and due today: {late, today}. */
export function dueCounts(panes, now) {
  const { end } = dayOf(now);
  const here = panes.filter((pane) => !isAway(pane));
  const late = here.filter((pane) => isLate(pane, now)).length;
  return { late, today: here.filter((pane) => deadlineOf(pane) < end).length - late };
}

/**
 * A moment that says the same of a pane as `now` and changes as seldom as that does, so that not
 * all rows are drawn again each minute: the age of one without a deadline is in minutes.
 */
export function momentFor(pane, now, dayStart) {
  const deadline = deadlineOf(pane);
  if (deadline === Infinity) return Math.floor(now / 60_000) * 60_000;
  return deadline < now ? Math.max(deadline + 1, dayStart) : dayStart;
}

// "ORD-0032" as "ORD32": people leave out what all numbers have.
const bare = (text) =>
  text
    .toUpperCase()
    .replace(/[\s-]/g, "")
    .replace(/0+(?=\d)/g, (zeros, at, whole) => (/\d/.test(whole[at - 1] ?? "") ? zeros : ""));

/** Whether a typed text is in the number of a pane or of its order, or in its mark; an empty text is in all. */
export function matches({ paneNumber, order, mark }, text) {
  const wanted = [...new Set([bare(text), bare(latin(text))])];
  const has = [paneNumber, order?.orderNumber, mark].filter(Boolean).map(bare);
  return has.some((one) => wanted.some((part) => one.includes(part)));
}

/** Whether a text is no code, and something in the queue has it: an order's number, or a mark. */
export const isSearch = (panes, text) => parse(text).kind === "unknown" && panes.some((pane) => matches(pane, text));

/** The panes that a filter leaves: {text (typed), due ("late", "today" or null)}. */
export const filtered = (panes, { text, due }, now) =>
  panes.filter((pane) => (!text || matches(pane, text)) && (!due || isDue(pane, due, now)));

/**
 * Rows in groups by "order" or "glass", by their earliest deadlines, those without one last:
 * [{key, rows, first}]. `first` is the pane whose deadline that is; the rows keep their order.
 */
export function groupsOf(rows, way) {
  const groups = new Map();
  for (const pane of rows) {
    const key = keyOf(pane, way);
    const group = groups.get(key) ?? { key, rows: [], first: pane };
    group.rows.push(pane);
    if (soonness(pane) < soonness(group.first)) group.first = pane;
    groups.set(key, group);
  }
  return [...groups.values()].sort((a, b) => compare(soonness(a.first), soonness(b.first)));
}

function keyOf({ order, glassTypeLabel, dimensions }, way) {
  if (way === "order") return order?._id ?? "";
  return `${glassTypeLabel ?? ""} ${dimensions?.thickness ?? ""}`;
}

const soonness = (pane) => (isAway(pane) || pane.isGone ? Infinity : deadlineOf(pane));
const compare = (a, b) => (a === b ? 0 : a - b); // two that have none are equal

/** Whether rows are so few that their groups are all open; not at once otherwise, with each pane that comes or goes. */
export const areFew = (count, before) => count <= (before ? STILL_FEW : FEW);

/**
 * What is shown while a hand is at the list: each thing of `before` at its place, as it is now in
 * `fresh` or else with `isGone`, then what has come. `idOf` gives what tells one from another.
 */
export function holdStill(before, fresh, idOf) {
  const now = new Map(fresh.map((one) => [idOf(one), one]));
  const known = new Set(before.map(idOf));
  const held = before.map((one) => now.get(idOf(one)) ?? (one.isGone ? one : { ...one, isGone: true }));
  return [...held, ...fresh.filter((one) => !known.has(idOf(one)))];
}
