// What is shown of the panes that a station had in a time: {arrived, left, passed, failed}.
import { number } from "../../../core/i18n.js";

const NAMES = ["arrived", "left", "passed", "failed"];

/** The names of the figures that the stations have; none for who may not read them. */
export const counted = (stations) => (stations.some(({ figures }) => figures) ? NAMES : []);

/** A figure as a text; "–" for the checks of a station that made none. */
export function shownFigure(figures, name) {
  const isCheck = name === "passed" || name === "failed";
  return !figures || (isCheck && !figures.passed && !figures.failed) ? "–" : number(figures[name]);
}
