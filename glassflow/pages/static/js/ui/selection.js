// The rows of a list that are chosen for one action. They stay chosen on its other pages.
import { useState } from "../../vendor/ui.js";

export const NONE = { chosen: new Map(), last: null }; // chosen: id: row

/**
 * A selection after the row `id` was checked or unchecked; `range`: with all rows from the
 * one before it.
 */
export function withRow({ chosen, last }, rows, id, checked, range = false) {
  const at = rows.findIndex(({ _id }) => _id === id);
  const from = range ? rows.findIndex(({ _id }) => _id === last) : -1;
  const [first, end] = from < 0 ? [at, at] : [Math.min(at, from), Math.max(at, from)];
  return { ...withRows({ chosen }, rows.slice(first, end + 1), checked), last: id };
}

/** A selection after all these rows were checked or unchecked. */
export function withRows({ chosen, last = null }, rows, checked) {
  const next = new Map(chosen);
  for (const row of rows) {
    if (checked) next.set(row._id, row);
    else next.delete(row._id);
  }
  return { chosen: next, last };
}

/** The chosen rows, in the newest state that the page shows of them. */
export function chosenRows({ chosen }, rows) {
  const shown = new Map(rows.map((row) => [row._id, row]));
  return [...chosen.values()].map((row) => shown.get(row._id) ?? row);
}

/** The selection of a list that `key` names; another key (other filters) begins with none. */
export function useSelection(key) {
  const [state, setState] = useState({ key, value: NONE });
  const value = state.key === key ? state.value : NONE;
  const set = (next) => setState({ key, value: next });
  return {
    count: value.chosen.size,
    has: (id) => value.chosen.has(id),
    check: (rows, id, checked, range) => set(withRow(value, rows, id, checked, range)),
    checkAll: (rows, checked) => set(withRows(value, rows, checked)),
    rows: (shown) => chosenRows(value, shown),
    clear: () => set(NONE),
  };
}
