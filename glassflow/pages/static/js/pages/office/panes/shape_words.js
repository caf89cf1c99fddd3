// Holes, notches and worked edges in words, where somebody else has changed them meanwhile.
import { number, t } from "../../../core/i18n.js";
import { edgeName } from "../../../ui/drawing.js";
import { CUT_SIZES } from "../../../ui/cut_sizes.js";
import { CUT_FIELDS } from "../pane_grid/rows.js";
import { edgesOf } from "./shape.js";

const NONE = "–";
const SIZES = CUT_FIELDS.filter((name) => name !== "x" && name !== "y");

/** The cut-outs of a pane with their sizes and places in mm. */
export const cutWords = (cuts) => (cuts ?? []).map(cutWord).join(", ") || NONE;

function cutWord(cut) {
  const sizes = SIZES.map((name) => cut[name])
    .filter((size) => size > 0)
    .map(number)
    .join(" × ");
  const type = cut.type in CUT_SIZES ? t(`requestscut.${cut.type}`) : cut.type;
  return [type, sizes, `(${number(cut.x)}, ${number(cut.y)})`].filter(Boolean).join(" ");
}

/** The worked sides of a pane. */
export function edgeWords(tasks) {
  const sides = Object.entries(edgesOf(tasks ?? []));
  return sides.map(([side, profile]) => `${t(`requestsside.${side}`)}: ${edgeName(profile)}`).join(", ") || NONE;
}
