// What a change of a request sends: panes as they are typed over, and the body made of them. Without a page.
import { OPEN } from "../../../core/pane_flow.js";
import { idOf } from "../../../core/records.js";
import { numberOf } from "../../../ui/numbers.js";
import { isBegun } from "../pane_rules.js";
import { glassLabel, toPane } from "../pane_grid/rows.js";
import { typedRows } from "../pane_grid/setup.js";

/** What of a pane is typed over, in the order of the columns. */
export const CELLS = ["mark", "width", "height", "glassType", "color", "thickness"];
export const NUMBERS = ["width", "height", "thickness"];
const OF_GLASS = ["glassType", "color", "thickness"];

const text = (value) => (value ? String(value) : "");

/** The cells of a pane as it is stored, as texts. */
export const cellsOf = ({ mark, dimensions, rawGlass, glassType }) => ({
  mark: mark ?? "",
  width: text(dimensions?.width),
  height: text(dimensions?.height),
  glassType: rawGlass?.glassType || glassType || "",
  color: rawGlass?.color || "",
  thickness: text(dimensions?.thickness || rawGlass?.thickness),
});

/** The edits {id: {cell: text}} with some cells of a pane typed over; what is as stored is no edit. */
export function withEdits(edits, pane, typed) {
  const stored = cellsOf(pane);
  const entries = Object.entries({ ...edits[pane._id], ...typed }).filter(([cell, value]) => value !== stored[cell]);
  const others = Object.entries(edits).filter(([id]) => id !== pane._id);
  return Object.fromEntries(entries.length ? [...others, [pane._id, Object.fromEntries(entries)]] : others);
}

/** The values that the edit of a pane changes; null for none. A number that is cleared stays. */
function valuesOf(pane, edit = {}) {
  const given = Object.entries(edit).filter(([cell, value]) => value.trim() || !NUMBERS.includes(cell));
  if (!given.length) return null;
  const typed = Object.fromEntries(
    given.map(([cell, value]) => [cell, NUMBERS.includes(cell) ? numberOf(value) : value.trim()]),
  );
  const pick = (names) => Object.fromEntries(names.filter((one) => one in typed).map((one) => [one, typed[one]]));
  const parts = { dimensions: pick(NUMBERS), rawGlass: pick(OF_GLASS) };
  return {
    ...Object.fromEntries(Object.entries(parts).filter(([, part]) => Object.keys(part).length)),
    ...pick(["mark", "glassType"]),
    ...(OF_GLASS.some((one) => one in typed) && { glassTypeLabel: glassLabel({ ...cellsOf(pane), ...typed }) }),
  };
}

/**
 * The body of a change without its reason: the typed rows of new panes, and those of the open
 * `panes` that are cancelled or typed over, equal changes as one. null for no change.
 */
export function changeBody({ panes: rows, order, cancel, edits, deadline }, panes) {
  const add = typedRows(rows);
  const cancelled = panes.filter(({ _id }) => cancel.includes(_id)).map(({ _id }) => _id);
  const alike = new Map();
  for (const pane of panes) {
    const values = cancelled.includes(pane._id) ? null : valuesOf(pane, edits[pane._id]);
    if (!values) continue;
    const key = JSON.stringify(values);
    alike.set(key, { panes: [...(alike.get(key)?.panes ?? []), pane._id], values });
  }
  const body = {
    ...(add.length && { add: add.map(toPane), ...(order && { order }) }),
    ...(cancelled.length && { cancel: cancelled }),
    ...(alike.size && { change: [...alike.values()] }),
    ...(deadline && { deadline }),
  };
  return Object.keys(body).length ? body : null;
}

/** Of the panes of a request those that can be changed, and the ids of those on which, or on whose sheets, work has begun. */
export function openPanes(rows) {
  const begun = new Set(rows.filter(isBegun).map(({ _id, parentPane }) => idOf(parentPane) ?? _id));
  const isOpen = ({ currentStatus, laminateRole, deliveredAt }) =>
    OPEN.includes(currentStatus) && laminateRole !== "sheet" && !deliveredAt;
  return { panes: rows.filter(isOpen), begun };
}
