// The rows of panes in a request that is being written: texts as they are typed, and the panes
// that the API makes of them.
import { numberOf } from "../../../ui/numbers.js";

export const SIDES = ["top", "right", "bottom", "left"];
/** The cells of a hole or a notch that are numbers. */
export const CUT_FIELDS = ["x", "y", "diameter", "width", "height", "length"];

let lastKey = 0;
/** A key that no other row of this tab has, also of those that are kept as drafts. */
export const newKey = () => `${Date.now().toString(36)}-${(lastKey += 1)}`;

/** A row without sizes, for the same work and glass as the one before. */
export function newRow(previous) {
  const {
    jobType = "",
    glassType = "",
    color = "",
    thickness = "",
    sheets = "",
    routing = [],
    customRouting = false,
  } = previous ?? {};
  return {
    key: newKey(),
    mark: "",
    width: "",
    height: "",
    quantity: "1",
    jobType,
    glassType,
    color,
    thickness,
    sheets,
    routing,
    customRouting,
    edges: {},
    holes: [],
    notches: [],
    notes: "",
  };
}

/** Whether nothing was typed that is this pane's own. */
export function isBlank({ mark, width, height, notes, holes, notches }) {
  return !mark && !width && !height && !notes && !holes.length && !notches.length;
}

/** A row for a job type (undefined for none): its glass and that of its material, its sheets, its route. */
export function withJobType(row, code, jobType) {
  if (!jobType) return { ...row, jobType: code };
  const { sheetsPerPane, defaultRawGlassTypes, defaultRouting = [], defaultMaterial } = jobType;
  const { glassType = "", color = "", thickness = "" } = defaultMaterial?.specDetails ?? {};
  const named = {
    glassType: glassType || defaultRawGlassTypes[0],
    color,
    thickness: String(numberOf(thickness) ?? ""),
  };
  const glass = Object.fromEntries(Object.entries(named).filter(([, value]) => value));
  const route = defaultRouting.length ? { routing: defaultRouting, customRouting: false } : {};
  return { ...row, jobType: code, sheets: String(sheetsPerPane), ...glass, ...route };
}

/** What the glass of a row is called. */
export const glassLabel = ({ glassType, color, thickness }) =>
  [glassType, color, thickness && `${thickness} mm`].filter(Boolean).join(" ");

/** The pane of a row, in the body of a request. What is no number is sent as it was typed. */
export function toPane(row) {
  const [width, height, thickness] = [row.width, row.height, row.thickness].map(numberOf);
  const rawGlass = { glassType: row.glassType, color: row.color, thickness, sheetsPerPane: numberOf(row.sheets) };
  return {
    quantity: numberOf(row.quantity) ?? 1,
    dimensions: { width, height, thickness },
    jobType: row.jobType,
    rawGlass,
    glassType: row.glassType,
    glassTypeLabel: glassLabel(row),
    holes: row.holes.map(toCut("h")),
    notches: row.notches.map(toCut("n")),
    edgeTasks: SIDES.filter((side) => row.edges[side]).map((side) => ({
      side,
      edgeProfile: row.edges[side],
      machineType: row.machines?.[side] ?? "",
    })),
    ...(row.routing.length && { routing: row.routing, customRouting: row.customRouting }),
    mark: row.mark?.trim() ?? "",
    notes: row.notes,
    ...("unitPrice" in row && { unitPrice: numberOf(row.unitPrice) }),
  };
}

const toCut = (prefix) => (cut, index) => ({
  id: `${prefix}${index + 1}`,
  type: cut.type,
  ...Object.fromEntries(CUT_FIELDS.map((name) => [name, numberOf(cut[name])])),
  ...(cut.vertices?.length && { vertices: cut.vertices }),
});

/** The pane of a row as it can be priced and drawn: without what is not a number yet. */
export function readable(row) {
  const pane = toPane(row);
  const measured = (name) =>
    Number.isFinite(pane.dimensions[name]) && pane.dimensions[name] >= 0 ? pane.dimensions[name] : null;
  const sheets = pane.rawGlass.sheetsPerPane;
  return {
    ...pane,
    quantity: isWhole(pane.quantity) ? pane.quantity : 1,
    dimensions: { width: measured("width"), height: measured("height"), thickness: measured("thickness") },
    rawGlass: {
      ...pane.rawGlass,
      thickness: measured("thickness"),
      sheetsPerPane: isWhole(sheets) && sheets <= 26 ? sheets : null,
    },
    holes: drawnCuts(pane.holes),
    notches: drawnCuts(pane.notches),
    ...("unitPrice" in pane && { unitPrice: positive(pane.unitPrice) }),
  };
}

/** The cut-outs that can be drawn: those that have a place, without sizes that are none. */
export function drawnCuts(cuts) {
  return cuts
    .filter((cut) => Number.isFinite(cut.x) && Number.isFinite(cut.y))
    .map((cut) => ({ ...cut, ...Object.fromEntries(CUT_FIELDS.map((name) => [name, positive(cut[name], name)])) }));
}

const isWhole = (value) => Number.isInteger(value) && value >= 1;
const positive = (value, name) =>
  Number.isFinite(value) && (value >= 0 || name === "x" || name === "y") ? value : null;

/** How many panes the rows are. */
export function countOf(rows) {
  return rows.reduce((sum, row) => sum + Math.max(0, Number(numberOf(row.quantity) ?? 1) || 0), 0);
}

/** A hole or a notch as the row of a grid. */
export const cutOf = (cut) => ({
  type: cut.type,
  ...Object.fromEntries(CUT_FIELDS.map((name) => [name, cut[name] === null ? "" : String(cut[name] ?? "")])),
  ...(cut.vertices?.length && { vertices: cut.vertices }),
});
