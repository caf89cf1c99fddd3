// How large the holes and notches of a pane are, in mm; the same rules as `domain/panes/cut_outs.py`.

/** What a hole or notch of a type is measured by: its width and its height. */
export const CUT_SIZES = {
  circle: ["diameter"],
  rectangle: ["width", "height"],
  slot: ["length", "diameter"],
};

const size = (value) => (Number.isFinite(value) && value > 0 ? value : 0);

/** How wide and high a cut-out is, 0 where that is not known; and where, if only its corners say that. */
export function extent({ type, diameter, width, height, length, vertices }) {
  if (type === "custom" && vertices?.length > 2) {
    const [xs, ys] = ["x", "y"].map((axis) => vertices.map((vertex) => vertex[axis]));
    const [x, y] = [Math.min(...xs), Math.min(...ys)];
    return { x, y, wide: Math.max(...xs) - x, high: Math.max(...ys) - y };
  }
  if (type === "slot") {
    const across = size(diameter) || size(height) || (size(length) ? size(width) : 0);
    return { wide: size(length) || size(width), high: across };
  }
  if (type === "rectangle") return { wide: size(width) || size(length), high: size(height) };
  return { wide: size(diameter) || size(width), high: size(diameter) || size(height) || size(width) };
}

/** The fields of its size that a cut-out lacks; a custom one has its corners. */
export function lacking(cut) {
  if (cut.type === "custom") return cut.vertices?.length > 2 ? [] : ["vertices"];
  const { wide, high } = extent(cut);
  return (CUT_SIZES[cut.type] ?? CUT_SIZES.circle).filter((_, at) => !(at ? high : wide));
}
