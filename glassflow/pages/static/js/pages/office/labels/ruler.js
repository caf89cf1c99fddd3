// A ruler in mm beside the label.
import { html } from "../../../../vendor/ui.js";

const WIDTH = 24; // px
const LEAST_PX = 5; // between two lines, and ten times that between two numbers

export function Ruler({ length, scale, isVertical }) {
  const step = [1, 2, 5, 10, 20, 50].find((one) => one * scale >= LEAST_PX) ?? 100;
  const count = Math.floor(length / step + 1e-6);
  const size = length * scale + 1;
  const marks = Array.from({ length: count + 1 }, (_, index) => ({
    mm: index * step,
    isLong: index % 10 === 0,
    isMiddle: index % 5 === 0,
  }));
  const lines = marks.map(({ mm, isLong, isMiddle }) => {
    const [at, from] = [mm * scale + 0.5, WIDTH - (isLong ? 12 : isMiddle ? 8 : 5)];
    return isVertical ? `M${from} ${at}H${WIDTH}` : `M${at} ${from}V${WIDTH}`;
  });
  const numbered = marks.filter(({ isLong, isMiddle }) => isLong || (isMiddle && step * scale >= 2 * LEAST_PX));
  return html`<svg class=${isVertical ? "ruler vertical" : "ruler"} aria-hidden="true"
      width=${isVertical ? WIDTH : size} height=${isVertical ? size : WIDTH}>
    <path d=${lines.join("")} />
    ${numbered.map(({ mm }) => html`<text key=${mm} x=${isVertical ? 1 : mm * scale + 3} y=${isVertical ? mm * scale + 11 : 11}>${mm}</text>`)}
  </svg>`;
}
