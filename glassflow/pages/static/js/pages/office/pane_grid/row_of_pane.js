// The row of a pane that there is.
import { cutOf, newRow, SIDES } from "./rows.js";

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
    mark: pane.mark ?? "",
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
