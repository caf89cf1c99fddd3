// Where elements of a label are, in mm: their frames, what is at a point, and how they are
// moved, resized and turned. An element turns clockwise about its corner at x and y, as the
// service prints it. Without a page.

export const MM_PER_PT = 25.4 / 72;
export const LINE_HEIGHT = 1.3; // of the font of labels, in parts of its size
export const FONT_PT = 9; // of a text that has none
const BARS_MM = 10; // the height of a barcode that has none
const RULE_MM = 0.3; // the thickness of a line that has none
const LEAST_MM = 1; // of a side, while it is resized
const VISIBLE_MM = 1; // of an element that is dragged out of the label
const TOLERANCE_MM = 0.05;

const numeric = (value, otherwise = 0) => (Number.isFinite(value) ? value : otherwise);
const radians = (degrees) => (degrees * Math.PI) / 180;

/** A length without the noise of computing: whole hundredths of a mm. */
export const rounded = (value) => Math.round(value * 100) / 100 + 0; // + 0: never -0

/** The nearest multiple of `grid` mm; without a grid the length itself. */
export const snapped = (value, grid) => rounded(grid ? Math.round(value / grid) * grid : value);

/** A vector turned clockwise by degrees. */
export function rotated(x, y, degrees) {
  const [sin, cos] = [Math.sin(radians(degrees)), Math.cos(radians(degrees))];
  return [x * cos - y * sin, x * sin + y * cos];
}

/**
 * The rectangle that an element takes: {x, y, width, height} before it is turned by
 * `rotation` about `pivot`. `label` is {width, height}: what has no size ends at its edge.
 */
export function frameOf(element, label) {
  const [x, y] = [numeric(element.x), numeric(element.y)];
  const turned = { rotation: numeric(element.rotation), pivot: [x, y] };
  if (element.points?.length) {
    const [xs, ys] = [0, 1].map((axis) => element.points.map((point) => numeric(point?.[axis])));
    const [left, top] = [Math.min(...xs), Math.min(...ys)];
    return { x: left, y: top, width: Math.max(...xs) - left, height: Math.max(...ys) - top, ...turned };
  }
  const [width, height] = [numeric(element.width), numeric(element.height)];
  return { x, y, ...(SIZES[element.type]?.(element, width, height, label) ?? { width, height }), ...turned };
}

const SIZES = {
  text(element, width, height, label) {
    const line = numeric(element.fontSize, FONT_PT) * MM_PER_PT * LINE_HEIGHT;
    const toEdge = Math.max(label.height - numeric(element.y), 1);
    return {
      width: width || Math.max(label.width - numeric(element.x), 1),
      height: height || (element.wrap ? toEdge : line),
    };
  },
  qr(_, width, height, label) {
    const side = Math.min(...[width, height].filter(Boolean), ...(width || height ? [] : [label.width, label.height]));
    return { width: side, height: side };
  },
  barcode: (element, width, height, label) => ({
    width: width || Math.max(label.width - numeric(element.x), 1),
    height: height || BARS_MM,
  }),
  line(element, width, height) {
    const thickness = numeric(element.thickness) || RULE_MM;
    return { width: width || thickness, height: height || thickness };
  },
};

/** The corners of a frame on the label. */
function corners({ x, y, width, height, rotation, pivot }) {
  return [
    [x, y],
    [x + width, y],
    [x + width, y + height],
    [x, y + height],
  ].map(([left, top]) => {
    const [dx, dy] = rotated(left - pivot[0], top - pivot[1], rotation);
    return [pivot[0] + dx, pivot[1] + dy];
  });
}

/** Whether a part of an element is outside of the label. */
export function isOutside(element, label) {
  const outside = (value, size) => value < -TOLERANCE_MM || value > size + TOLERANCE_MM;
  return corners(frameOf(element, label)).some(([x, y]) => outside(x, label.width) || outside(y, label.height));
}

/**
 * The index of the topmost element at a point, or -1; the `preferred` one where it is there
 * too. Inside of a box without a filling is what lies below it. `reach` is in mm.
 */
export function hitAt(elements, label, x, y, { reach = 1, preferred = -1 } = {}) {
  const hits = elements.flatMap((element, index) => (isAt(element, label, x, y, reach) ? [index] : []));
  return hits.includes(preferred) ? preferred : (hits.at(-1) ?? -1);
}

function isAt(element, label, x, y, reach) {
  if (!isDrawn(element)) return false;
  const frame = frameOf(element, label);
  const [dx, dy] = rotated(x - frame.pivot[0], y - frame.pivot[1], -frame.rotation);
  const [left, top] = [frame.pivot[0] + dx - frame.x, frame.pivot[1] + dy - frame.y];
  const within = (by) => left >= -by && left <= frame.width + by && top >= -by && top <= frame.height + by;
  const isHollow = element.type === "rect" && !element.fill;
  return within(reach) && !(isHollow && within(-reach));
}

const DRAWN = ["text", "qr", "barcode", "line", "rect", "image"];

/** Whether labels show an element: one of another type is left out. */
export const isDrawn = (element) => DRAWN.includes(element?.type);

/** An element moved by a way in mm, onto the grid; a part of it stays on the label. */
export function moved(element, label, dx, dy, grid = 0) {
  const frame = frameOf(element, label);
  const to = (start, by, size, side) => {
    const place = snapped(start + by, grid);
    return frame.rotation ? place : Math.min(Math.max(place, rounded(VISIBLE_MM - size)), side - VISIBLE_MM);
  };
  return placed(element, frame, to(frame.x, dx, frame.width, label.width), to(frame.y, dy, frame.height, label.height));
}

/** An element with the corner of its frame at another place. */
export function placed(element, frame, x, y) {
  const [dx, dy] = [x - frame.x, y - frame.y];
  const next = { ...element, x: rounded(numeric(element.x) + dx), y: rounded(numeric(element.y) + dy) };
  if (element.points?.length)
    next.points = element.points.map(([left, top]) => [rounded(left + dx), rounded(top + dy)]);
  return next;
}

const HANDLES = [
  [-1, -1],
  [0, -1],
  [1, -1],
  [1, 0],
  [1, 1],
  [0, 1],
  [-1, 1],
  [-1, 0],
];

/**
 * The handles of an element: [horizontal, vertical], each -1, 0 or 1. A side shorter than
 * `room`, in mm, has none, so that its element can still be taken hold of beside them.
 */
export function handlesOf(element, label, room = 0) {
  if (element.points?.length && element.rotation) return []; // turn it back first
  const { width, height } = frameOf(element, label);
  if (width < room && height < room) return [[1, 1]];
  return HANDLES.filter(([horizontal, vertical]) => (width >= room || !horizontal) && (height >= room || !vertical));
}

/**
 * An element resized by dragging a handle by a way in mm. The opposite side stays where it
 * is, also on a turned element; the side that moves snaps to the grid.
 */
export function resized(element, label, [horizontal, vertical], dx, dy, grid = 0) {
  const frame = frameOf(element, label);
  const [along, down] = rotated(dx, dy, -frame.rotation);
  let width = side(frame.x, frame.width, horizontal, along, frame.rotation ? 0 : grid, element.type);
  let height = side(frame.y, frame.height, vertical, down, frame.rotation ? 0 : grid, element.type);
  if (frame.rotation) [width, height] = [snapped(width, horizontal && grid), snapped(height, vertical && grid)];
  if (element.type === "qr") width = height = !vertical ? width : !horizontal ? height : Math.max(width, height);
  const [shiftX, shiftY] = rotated(
    horizontal < 0 ? frame.width - width : 0,
    vertical < 0 ? frame.height - height : 0,
    frame.rotation,
  );
  const next = { ...placed(element, frame, frame.x + shiftX, frame.y + shiftY) };
  if (element.points?.length) {
    const stretch = (value, start, size, newSize) => rounded(start + (size ? ((value - start) * newSize) / size : 0));
    next.points = next.points.map(([x, y]) => [
      stretch(x, frame.x + shiftX, frame.width, width),
      stretch(y, frame.y + shiftY, frame.height, height),
    ]);
    return next;
  }
  if (horizontal || element.type === "qr") next.width = rounded(width);
  if (vertical || element.type === "qr") next.height = rounded(height);
  return next;
}

function side(start, size, direction, way, grid, type) {
  if (!direction) return size;
  const edge = snapped(direction > 0 ? start + size + way : start + way, grid);
  const wanted = direction > 0 ? edge - start : start + size - edge;
  return Math.max(wanted, type === "line" ? 0.1 : LEAST_MM);
}

/** An element turned by a quarter, clockwise about its middle. */
export function quarterTurned(element, label) {
  const frame = frameOf(element, label);
  if (element.points?.length) {
    const [x, y] = [frame.x + frame.width / 2, frame.y + frame.height / 2];
    return {
      ...element,
      points: element.points.map(([left, top]) => [rounded(x - (top - y)), rounded(y + (left - x))]),
    };
  }
  const half = [frame.width / 2, frame.height / 2];
  const rotation = (frame.rotation + 90) % 360;
  const [before, after] = [rotated(...half, frame.rotation), rotated(...half, rotation)];
  return {
    ...element,
    rotation,
    width: rounded(frame.width),
    height: rounded(frame.height),
    x: rounded(frame.x + before[0] - after[0]),
    y: rounded(frame.y + before[1] - after[1]),
  };
}
