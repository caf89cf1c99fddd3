// The faults that the API finds in the panes of a request: at which cell, and in words.
import { t, textOr } from "../../../core/i18n.js";

/** Where the API has what a cell has, below `panes.<n>`, and the text that names it. */
const CELLS = {
  mark: ["mark", "requests.mark"],
  width: ["dimensions.width", "requests.width"],
  height: ["dimensions.height", "requests.height"],
  thickness: ["dimensions.thickness", "requests.thickness"],
  sheets: ["rawGlass.sheetsPerPane", "requests.sheets"],
  glassType: ["rawGlass.glassType", "panes.glass"],
  color: ["rawGlass.color", "field.color"],
  quantity: ["quantity", "field.quantity"],
  jobType: ["jobType", "field.jobType"],
  notes: ["notes", "field.notes"],
  unitPrice: ["unitPrice", "requests.unitPrice"],
  routing: ["routing", "field.routing"],
  holes: ["holes", "field.holes"],
  notches: ["notches", "field.notches"],
  edges: ["edgeTasks", "field.edgeTasks"],
};
/** What has two places: one cell is sent as both. */
const ALSO = { "rawGlass.thickness": "thickness", glassType: "glassType" };

/** The name of a cell of a row, as its column has it. */
export const cellName = (cell) => t(CELLS[cell][1]);

/** The faults of the row at `index` of those sent, of faults as the API has them, without its place. */
export function ofRow(faults, index) {
  const row = `panes.${index}.`;
  return faults
    .filter(({ field = "" }) => field.startsWith(row))
    .map((fault) => ({ ...fault, field: fault.field.slice(row.length) }));
}

/** The fault of a cell, of the faults of its row. */
export const faultAt = (faults, name) => faults.find(({ field }) => cellOf(field) === name)?.message;

/**
 * The faults of a list of cut-outs at `path` ("holes"): {cells: {"0.x": message}, own},
 * where `own` is the first one of none of the cells `shown`.
 */
export function cutFaults(faults, path, shown) {
  const cells = {};
  let own;
  for (const { field = "", message } of faults) {
    if (field !== path && !field.startsWith(`${path}.`)) continue;
    const cell = field.slice(path.length + 1);
    if (shown.includes(cell.split(".")[1])) cells[cell] ??= message;
    else own ??= message;
  }
  return { cells, own };
}

/** Where a fault of all rows leads, as that they are too many. */
const ALL_ROWS = { id: "field-panes", open: () => document.querySelector("#field-panes [data-column]")?.focus() };
const PATH = /^panes\.(\d+)(?:\.(holes|notches)\.(\d+))?\.?(.*)$/;

/**
 * How the summary of a form tells a fault of its panes: {label, open()}, where `open` moves the
 * focus to the cell. `sent` refers to the keys of the rows that were sent, `panes` are the rows.
 */
export const inPanes =
  (sent) =>
  ({ field }, { panes }) => {
    const [, index, list, at, path] = PATH.exec(field) ?? [];
    if (!index) return ALL_ROWS;
    const row = panes.findIndex(({ key }) => key === sent.current[index]);
    if (row < 0) return undefined;
    const cell = list ? path : cellOf(path);
    return { label: placeAt(row, list, at, path), open: () => openCell({ row, list, at, cell }) };
  };

/** The words for the place of a fault of panes whose rows are all sent; undefined for another one. */
export function placeOf(field) {
  const [, index, list, at, path] = PATH.exec(field) ?? [];
  return index && placeAt(Number(index), list, at, path);
}

function placeAt(row, list, at, path) {
  const cell = !list && cellOf(path);
  const name = list ? nameIn("requestscut", path) : cell ? cellName(cell) : nameIn("field", path);
  return [t("requests.row", { number: row + 1 }), list && cutName(list, at), name].filter(Boolean).join(" · ");
}

/** The same for the holes or the notches (`list`) of one pane. */
export const inCuts =
  (list) =>
  ({ field }) => {
    const [, at, cell] = field.split(".");
    if (!cell) return undefined;
    return { label: `${cutName(list, at)} · ${nameIn("requestscut", cell)}`, open: () => openCut(list, at, cell) };
  };

const cutName = (list, at) => t(list === "holes" ? "requests.hole" : "requests.notch", { number: Number(at) + 1 });

/** The name of what is at a path, of a group of texts; a later release may have more. */
function nameIn(group, path) {
  const [name] = path.split(".");
  return name && textOr(`${group}.${name}`, name);
}

/** The cell of a path below `panes.<n>`. */
export function cellOf(path) {
  return ALSO[path] ?? Object.keys(CELLS).find((cell) => `${path}.`.startsWith(`${CELLS[cell][0]}.`));
}

function openCell({ row, list, at, cell }) {
  const cells = `#field-panes [data-row="${row}"]`;
  const own = document.querySelector(`${cells}[data-column="${cell}"]`);
  (own ?? document.querySelector(`${cells}[data-column]`))?.focus(); // selects the row
  if (own) return;
  requestAnimationFrame(() => {
    // once the row is shown beside the grid
    if (list) openCut(list, at, cell);
    else document.querySelector(".pane-editor .field-fault")?.scrollIntoView({ block: "center" });
  });
}

const openCut = (list, at, cell) =>
  document.querySelector(`#${list}-grid [data-row="${at}"][data-column="${cell}"]`)?.focus();
