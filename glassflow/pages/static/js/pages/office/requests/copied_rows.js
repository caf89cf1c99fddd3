// The rows of panes that an earlier request has.
import { readPanes } from "../panes_of.js";
import { cutOf, newKey, newRow, SIDES } from "./rows.js";

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

/** The row of a pane, one of `panes`, as the API has it. */
export function rowOf(pane, panes) {
  const { dimensions, rawGlass } = pane;
  const sheet = panes.find((one) => one.laminateRole === "sheet" && one.parentPane === pane._id);
  const tasks = (name) =>
    Object.fromEntries(
      pane.edgeTasks.filter(({ side }) => SIDES.includes(side)).map((task) => [task.side, task[name]]),
    );
  return {
    ...newRow(),
    width: text(dimensions.width),
    height: text(dimensions.height),
    thickness: text(dimensions.thickness || rawGlass.thickness),
    jobType: pane.jobType,
    glassType: rawGlass.glassType || pane.glassType,
    color: rawGlass.color,
    sheets: rawGlass.sheetsPerPane > 1 ? String(rawGlass.sheetsPerPane) : "",
    routing: [...(sheet?.routing ?? []), ...pane.routing],
    customRouting: pane.customRouting,
    edges: tasks("edgeProfile"),
    machines: tasks("machineType"),
    holes: pane.holes.map(cutOf),
    notches: pane.notches.map(cutOf),
    notes: pane.notes,
  };
}

const text = (value) => (value ? String(value) : "");
