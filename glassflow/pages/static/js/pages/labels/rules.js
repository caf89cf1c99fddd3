// What of a selection is printed, and what the service is asked for. Without a page.
import { paperBody } from "../../ui/label_paper.js";

/** The kinds of things that get labels, in the order of the page; the first is of panes. */
export const KINDS = ["panes", "stations", "racks", "lots", "workers", "commands"];

const OF_PANES = ["panes", "order", "request"];
const NAMED = { order: "orders", request: "requests" };
export const MOST_NAMED = 500; // of a list in one request

/** What the address asks for: {kind, field, value}; value "" where it names nothing. */
export function wanted(query) {
  for (const field of [...OF_PANES, ...KINDS.slice(1)]) {
    const value = query.get(field)?.trim();
    if (value) return { kind: OF_PANES.includes(field) ? "panes" : field, field, value };
  }
  const kind = KINDS.find((one) => one === query.get("kind")) ?? "panes";
  return { kind, field: kind, value: kind === "panes" ? "" : "all" };
}

/** The part of a request that names everything of a selection: {orders: ["…"]}. */
export function selectionBody({ field, value }) {
  return { [NAMED[field] ?? field]: value.split(/[\s,]+/).filter(Boolean) };
}

/** What is ticked at first: what has no label yet, or all where each has one. */
export function firstChosen(labels) {
  const found = withoutLabel(labels);
  return found.size ? found : new Set(labels.map(keyOf));
}

/** What has no label yet; of a part of the labels, as many as one request can name. */
export function withoutLabel(labels) {
  const found = labels.filter((one) => !one.labelledAt);
  const isAll = found.length === labels.length;
  return new Set((isAll ? found : found.slice(0, MOST_NAMED)).map(keyOf));
}

/** What tells a label from the others: an id, or the name of a command. */
export function keyOf(label) {
  return label.id ?? label.name;
}

/**
 * The request for the chosen labels of a selection, with template and paper; null where they
 * are more than one request can name, and not all.
 */
export function labelBody(selection, labels, chosen, paper) {
  const isAll = labels.every((one) => chosen.has(keyOf(one)));
  const names = labels.map(keyOf).filter((key) => chosen.has(key));
  if (!isAll && names.length > MOST_NAMED) return null;
  const what = isAll ? selectionBody(selection) : { [selection.kind]: names };
  return { ...what, ...paperBody(paper, selection.kind === "panes") };
}

/** The cells of the first sheet, as shares of the page: {index, left, top, width, height}. */
export function cellsOf(layout) {
  if (!layout?.columns) return [];
  const { page, cell, margin, pitch } = layout;
  return Array.from({ length: layout.columns * layout.rows }, (_, index) => ({
    index,
    left: (margin.left + (index % layout.columns) * pitch.x) / page.width,
    top: (margin.top + Math.floor(index / layout.columns) * pitch.y) / page.height,
    width: cell.width / page.width,
    height: cell.height / page.height,
  }));
}
