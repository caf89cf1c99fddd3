// The rows of panes that an earlier request has.
import { readPanes } from "../panes_of.js";
import { rowOf } from "./row_of_pane.js";
import { newKey } from "./rows.js";

/** The rows of the panes that a request has. */
export async function readCopied(request) {
  return rowsOf(await readPanes({ request, includeMerged: true }));
}

/**
 * The rows of the panes of an earlier request, with the merged ones: single panes, and units by
 * their parents. Alike ones are one row; remakes are not copied.
 */
export function rowsOf(panes) {
  const alike = new Map();
  for (const pane of panes) {
    const isPart = pane.laminateRole === "sheet" || pane.laminateMergedAt;
    if (isPart || pane.remakeOf) continue;
    const { key, quantity, ...row } = rowOf(pane, panes);
    const same = JSON.stringify(row);
    alike.set(same, { row, count: (alike.get(same)?.count ?? 0) + 1 });
  }
  return [...alike.values()].map(({ row, count }) => ({ ...row, key: newKey(), quantity: String(count) }));
}
