// The holes, notches and worked edges of a pane, as its form changes them: the grid types
// texts, the form keeps the members of the record, and the API takes numbers. Without a page.
import { numberOf } from "../../../ui/numbers.js";
import { CUT_FIELDS, cutOf, drawnCuts, SIDES } from "../pane_grid/rows.js";

/** The form's fields of a shape, with what begins the ids of new cut-outs. */
export const CUTS = { holes: "h", notches: "n" };

/** The rows of a grid for cut-outs: what is in a cell is text, the other members stay. */
export const cutRows = (cuts) => cuts.map((cut) => ({ ...cut, ...cutOf(cut) }));

/**
 * The cut-outs of the rows of a grid. A cell becomes a number where that is what was typed, so
 * that a value which is typed again as it was counts as no change; other texts stay.
 */
export function cutsOfRows(rows) {
  return rows.map(({ key, ...cut }) => ({ ...cut, ...cells(cut, memberOf) }));
}

function memberOf(text) {
  const value = numberOf(text);
  return value === null || String(value) === text ? value : text;
}

const cells = (cut, read) => Object.fromEntries(CUT_FIELDS.map((name) => [name, read(cut[name])]));

/** Cut-outs as the API takes them; new and duplicated ones get an id of their own. */
export function toCuts(cuts, prefix) {
  const used = new Set(cuts.map(({ id }) => id));
  const seen = new Set();
  return cuts.map((cut) => {
    const id = cut.id && !seen.has(cut.id) ? cut.id : freeId(used, prefix);
    used.add(id);
    seen.add(id);
    return { ...cut, id, ...cells(cut, numberOf) };
  });
}

function freeId(used, prefix) {
  let number = 1;
  while (used.has(`${prefix}${number}`)) number += 1;
  return `${prefix}${number}`;
}

/** The pane of a form as it can be drawn: without cells that are no numbers yet. */
export function drawable(values) {
  return { ...values, holes: drawnCuts(toCuts(values.holes, "h")), notches: drawnCuts(toCuts(values.notches, "n")) };
}

const sideOf = ({ side }) => side?.toLowerCase();

/** The work on each side by the name of the side; of several on one side the first. */
export function edgesOf(tasks) {
  const known = SIDES.map((side) => [side, tasks.find((task) => sideOf(task) === side)?.edgeProfile]);
  return Object.fromEntries(known.filter(([, profile]) => profile));
}

/**
 * The tasks of a pane, after the work on each side was chosen. A side with the work that it had
 * keeps its tasks, with machine and status; other work replaces them and begins as pending.
 */
export function withEdges(tasks, edges) {
  const before = edgesOf(tasks);
  const changed = SIDES.filter((side) => (edges[side] || "") !== (before[side] ?? ""));
  const machine = (side) => tasks.find((task) => sideOf(task) === side)?.machineType ?? "";
  return [
    ...tasks.filter((task) => !changed.includes(sideOf(task))),
    ...changed
      .filter((side) => edges[side])
      .map((side) => ({ side, edgeProfile: edges[side], machineType: machine(side) })),
  ];
}

/** The body that changes a pane, of the changed fields of its form. */
export function toBody(_, changed) {
  const cuts = Object.entries(CUTS)
    .filter(([name]) => changed[name])
    .map(([name, prefix]) => [name, toCuts(changed[name], prefix)]);
  return { ...changed, ...Object.fromEntries(cuts) };
}
