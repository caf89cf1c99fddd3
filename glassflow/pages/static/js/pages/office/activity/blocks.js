// What is listed of the activity: days, and in them what one request did.
import { date } from "../../../core/i18n.js";

/** Kinds whose records are deleted with those before them: these are restored instead. */
const OWNERS = ["customers", "requests"];

const differs = (one, other) => one.request !== other.request || one.by?._id !== other.by?._id || one.via !== other.via;

/**
 * The days of entries, the newest first: {day, blocks: [{entries}]}. Entries have the order in which
 * they were stored: around midnight one of the day before may stand after one of the next.
 */
export function daysOf(entries) {
  const days = [];
  for (const entry of entries) {
    const day = date(new Date(entry.at));
    if (!days.some((one) => one.day === day)) days.push({ day, blocks: [] });
    const { blocks } = days.find((one) => one.day === day);
    if (!blocks.length || !entry.request || differs(blocks.at(-1).entries[0], entry)) blocks.push({ entries: [] });
    blocks.at(-1).entries.push(entry);
  }
  return days;
}

/** Whether an entry of a block is restored by itself, not with another one. */
export function isOwner(entry, { entries }) {
  const deleted = entries.filter(({ action }) => action === "deleted").map(({ kind }) => kind);
  const owner = OWNERS.find((kind) => deleted.includes(kind));
  return !owner || owner === entry.kind;
}
