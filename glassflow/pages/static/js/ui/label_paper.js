// How this device prints labels: the template, the paper and the printer that were chosen on the page
// of labels, as far as the service still has them.
import { api } from "../core/api.js";

const KEPT = "glassflow.paper";
const DEFAULTS = { template: "", layout: "single", printer: "", dpi: 203, nudges: {} };
export const MAX_NUDGE_MM = 20;

/** What this device keeps, for one copy from the first cell on. */
export function keptPaper() {
  return { ...DEFAULTS, ...stored(), skip: 0, copies: 1 };
}

export function keepPaper({ template, layout, printer, dpi, nudges }) {
  localStorage.setItem(KEPT, JSON.stringify({ template, layout, printer, dpi, nudges }));
}

function stored() {
  try {
    return JSON.parse(localStorage.getItem(KEPT)) ?? {};
  } catch {
    return {}; // written by hand
  }
}

/** The templates, layouts and printers of the service; throws as `api` does. */
export async function loadSetup() {
  const { data } = await api("/label-layouts");
  const templates = await api("/sticker-templates?limit=100&sort=name&fields=name,width,height").then(
    (answer) => answer.data,
    (error) => {
      if (error.status === 403) return [];
      throw error;
    },
  );
  return { ...data, templates };
}

/** The choices without what the service no longer has. */
export function fitting(paper, { layouts = [], templates = [], printers = [] }) {
  const has = (list, key, value) => list.some((one) => one[key] === value);
  const printer = printers.find((one) => one.name === paper.printer); // has rolls only
  const known = !printer && has(layouts, "name", paper.layout);
  const layout = known ? paper.layout : "single";
  const nudge = paper.nudges?.[layout] ?? {};
  const preset = templates.find((one) => one.name === "default") ?? templates[0];
  return {
    ...paper,
    layout,
    template: has(templates, "_id", paper.template) ? paper.template : (preset?._id ?? ""),
    printer: printer?.name ?? "",
    dpi: printer?.dpi ?? paper.dpi,
    nudgeX: bounded(String(nudge.x ?? ""), -MAX_NUDGE_MM, MAX_NUDGE_MM, 0),
    nudgeY: bounded(String(nudge.y ?? ""), -MAX_NUDGE_MM, MAX_NUDGE_MM, 0),
  };
}

/** What a request for labels says of template and paper; only panes have a template. */
export function paperBody({ template, copies, layout, dpi, skip, nudgeX, nudgeY }, isOfPanes) {
  const body = { copies, layout, ...(isOfPanes && template && { template }) };
  return layout === "single" ? { ...body, dpi } : { ...body, skip, nudgeX, nudgeY };
}

/** A number from a field, within limits; `otherwise` for what is none. */
export function bounded(text, low, high, otherwise) {
  const value = Number(text);
  if (text === "" || !Number.isFinite(value)) return otherwise;
  return Math.min(high, Math.max(low, value));
}
