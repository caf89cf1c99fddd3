// The faults that the API finds in the panes of a request: at which cell, and in words.
import { t } from "../../../core/i18n.js";

/** Where the API has what a cell has, below `panes.<n>`. */
const PATHS = {
  width: "dimensions.width",
  height: "dimensions.height",
  thickness: "dimensions.thickness",
  sheets: "rawGlass.sheetsPerPane",
  glassType: "rawGlass.glassType",
  color: "rawGlass.color",
  quantity: "quantity",
  jobType: "jobType",
  notes: "notes",
  unitPrice: "unitPrice",
  routing: "routing",
  holes: "holes",
  notches: "notches",
  edges: "edgeTasks",
};

/** The fault of a cell of the row at `index` of those sent, of faults as the API has them. */
export function faultAt(faults, index, name) {
  const path = `panes.${index}.${PATHS[name]}`;
  const also = name === "thickness" ? `panes.${index}.rawGlass.thickness` : path;
  const found = faults.find(({ field }) => [path, also].some((one) => field === one || field.startsWith(`${one}.`)));
  return found?.message;
}

/**
 * The faults of a list of cut-outs at `path` ("panes.3.holes"): {cells: {"0.x": message}, own},
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

const PATH = /^panes\.(\d+)(?:\.(holes|notches)\.(\d+))?\.?(.*)$/;

/**
 * How the summary of a form tells a fault of its panes: {label, open()}, where `open` moves the
 * focus to the cell. `sent` refers to the keys of the rows that were sent, `panes` are the rows.
 */
export const inPanes =
  (sent) =>
  ({ field }, { panes }) => {
    const [, index, list, at, path] = PATH.exec(field) ?? [];
    const row = panes.findIndex(({ key }) => key === sent.current[index]);
    if (row < 0) return undefined;
    const cell = list ? path : cellOf(path);
    const parts = [
      t("requests.row", { number: row + 1 }),
      list && cutName(list, at),
      cell && t(`requests${list ? "cut" : ""}.${cell}`),
    ];
    return { label: parts.filter(Boolean).join(" · "), open: () => openCell({ row, list, at, cell }) };
  };

/** The same for the holes or the notches (`list`) of one pane. */
export const inCuts =
  (list) =>
  ({ field }) => {
    const [, at, cell] = field.split(".");
    if (!cell) return undefined;
    return { label: `${cutName(list, at)} · ${t(`requestscut.${cell}`)}`, open: () => openCut(list, at, cell) };
  };

const cutName = (list, at) => t(list === "holes" ? "requests.hole" : "requests.notch", { number: Number(at) + 1 });

/** The cell of a path below `panes.<n>`. */
function cellOf(path) {
  if (path === "rawGlass.thickness") return "thickness";
  return Object.keys(PATHS).find((name) => path === PATHS[name] || path.startsWith(`${PATHS[name]}.`));
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
