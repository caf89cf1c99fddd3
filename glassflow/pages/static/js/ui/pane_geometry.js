// Where the parts of a drawing of a pane are. Sizes of panes are in mm, x from the left
// and y from the bottom edge; sizes of the drawing in its own units, y from the top.
import { extent } from "./cut_sizes.js";

const LONGEST = 220; // units of the longer side
const LEAST_SIDE = 24; // units, so that a narrow strip is seen
const LEAST_CUT = 5; // units, so that a small hole is seen
export const MARGIN = 34; // above and left of the pane, for its sizes
export const RIM = 6; // right of it and below, for the lines of worked edges
export const MAX_CUTS = 60; // more are counted, but not drawn
const SIDES = ["top", "right", "bottom", "left"];

/**
 * Return {width, height, toScale, outline, cuts, edges}: the units of the whole drawing;
 * whether its proportions are the pane's; the pane; its holes and notches with a number
 * each; and the sides that are worked on. Returns null for a pane that is not measured.
 */
export function layOut(pane) {
  const [width, height] = paneSize(pane);
  if (!(width > 0 && height > 0)) return null;
  const scale = LONGEST / Math.max(width, height);
  const sides = [width, height].map((side) => Math.max(side * scale, LEAST_SIDE));
  const outline = { x: MARGIN, y: MARGIN, width: sides[0], height: sides[1] };
  const place = {
    x: (x) => MARGIN + (x / width) * sides[0],
    y: (y) => MARGIN + sides[1] - (y / height) * sides[1],
    wide: (length) => Math.max((length / width) * sides[0], LEAST_CUT),
    high: (length) => Math.max((length / height) * sides[1], LEAST_CUT),
  };
  return {
    width: sides[0] + MARGIN + RIM,
    height: sides[1] + MARGIN + RIM,
    toScale: Math.min(width, height) * scale >= LEAST_SIDE,
    outline,
    cuts: cutsOf(pane)
      .slice(0, MAX_CUTS)
      .map((cut) => ({ ...cut, ...shape(cut, place, outline) })),
    edges: SIDES.filter((side) => worked(pane).has(side)).map((side) => line(side, outline)),
  };
}

/** The width and the height of a pane in mm; 0 where it is not measured. */
export function paneSize(pane) {
  return ["width", "height"].map((name) => size(pane.dimensions?.[name]));
}

/**
 * The holes and notches of a pane, numbered as in the drawing, with `wide`, `high` in mm,
 * `fault` where they cannot be made: "outside" the pane, or a hole "atEdge" of it; and `level`,
 * the worst one of the findings about them.
 */
export function cutsOf(pane) {
  const cuts = [
    ...(pane.holes ?? []).map((cut, at) => ({ ...cut, kind: "hole", level: levelOf(pane, `holes.${at}.`) })),
    ...(pane.notches ?? []).map((cut, at) => ({ ...cut, kind: "notch", level: levelOf(pane, `notches.${at}.`) })),
  ];
  return cuts.map((cut, i) => {
    const placed = { ...cut, ...extent(cut), number: i + 1 };
    return { ...placed, fault: faultOf(placed, paneSize(pane)) };
  });
}

/** "refusal", else "warning", if a finding of the pane is about the cut-out at a path. */
const levelOf = ({ makeability = [] }, path) =>
  makeability
    .filter(({ at }) => `${at}.`.startsWith(path))
    .map(({ level }) => level)
    .sort()[0];

/** The same rule as `domain/panes/cut_outs.py`. */
function faultOf({ kind, type, x, y, wide, high, vertices }, sides) {
  if (!sides.every(Boolean)) return undefined;
  const isCorner = type === "rectangle" || (type === "custom" && vertices?.length > 2);
  const spans = [
    [x, wide],
    [y, high],
  ].map(([at, length], axis) => ({
    low: isCorner ? at : at - length / 2,
    high: isCorner ? at + length : at + length / 2,
    side: sides[axis],
  }));
  if (spans.some(isOutside)) return "outside";
  return kind === "hole" && spans.some(({ low, high: end, side }) => low <= 0 || end >= side) ? "atEdge" : undefined;
}

const isOutside = ({ low, high, side }) => high < 0 || low > side || (low < high && (high === 0 || low === side));

const size = (value) => (Number.isFinite(value) && value > 0 ? value : 0);

/** A cut-out in units: its box, or its corners; and where its number is written. */
function shape({ kind, type, x, y, wide, high, vertices }, place, outline) {
  if (type === "custom" && vertices?.length > 2) {
    const corners = vertices.map((vertex) => [place.x(vertex.x), place.y(vertex.y)]);
    return { corners, centre: middle(corners) };
  }
  const [width, height] = [place.wide(wide), place.high(high)];
  // x and y are the centre of what is round, and the lower left corner of a rectangle
  const centre = type === "rectangle" ? [place.x(x + wide / 2), place.y(y + high / 2)] : [place.x(x), place.y(y)];
  const box = { x: centre[0] - width / 2, y: centre[1] - height / 2, width, height };
  const radius = type === "rectangle" || type === "custom" ? 0 : Math.min(width, height) / 2;
  return { box: kind === "notch" ? opened(box, outline) : box, radius, centre };
}

/** A notch goes on beyond the edges that it touches, so that no line closes it there. */
function opened(box, outline) {
  const right = outline.x + outline.width - (box.x + box.width);
  const below = outline.y + outline.height - (box.y + box.height);
  const grow = (gap) => (gap <= 1 ? 2 * RIM : 0);
  const [left, top] = [grow(box.x - outline.x), grow(box.y - outline.y)];
  return {
    x: box.x - left,
    y: box.y - top,
    width: box.width + left + grow(right),
    height: box.height + top + grow(below),
  };
}

const middle = (corners) =>
  [0, 1].map((axis) => corners.reduce((sum, corner) => sum + corner[axis], 0) / corners.length);

const worked = (pane) => new Set((pane.edgeTasks ?? []).map(({ side }) => side?.toLowerCase()));

function line(side, { x, y, width, height }) {
  const [right, bottom] = [x + width, y + height];
  const ends = {
    top: [x, y, right, y],
    right: [right, y, right, bottom],
    bottom: [x, bottom, right, bottom],
    left: [x, y, x, bottom],
  };
  return { side, ends: ends[side] };
}
