// A sheet of glass with its defects, as it lies on the table.
import { html } from "../../../../vendor/ui.js";
import { t } from "../../../core/i18n.js";
import { Sizes } from "../../../ui/drawing.js";
import { layOut } from "../../../ui/pane_geometry.js";
import { sizeOf } from "../lots/parts.js";

const ROOM = 20; // units that a number takes
const isPlaced = ({ x, y, width, height }) => [x, y].every(Number.isFinite) && width > 0 && height > 0;

/** The drawing of a sheet of `dimensions` in mm; `defects` are numbered as they are listed. */
export default function Sheet({ dimensions, defects }) {
  const holes = defects.map((one, at) => ({ ...one, at, type: "rectangle" })).filter(isPlaced);
  const layout = layOut({ dimensions, holes });
  if (!layout) return null;
  const { width, height, outline, cuts } = layout;
  return html`<figure class="drawing sheet"><svg viewBox=${`0 0 ${width} ${height}`} role="img">
    <title>${t("stock.drawing", { size: sizeOf(dimensions), count: defects.length })}</title>
    <rect class="glass" ...${outline} />
    ${cuts.map(({ at, box, centre: [x, y] }) => html`<rect key=${at} class="defect" ...${box} /><text key=${`n${at}`} x=${box.width < ROOM ? x + (box.width + ROOM) / 2 : x} y=${y}>${at + 1}</text>`)}
    <${Sizes} wide=${dimensions.width} high=${dimensions.height} outline=${outline} /></svg></figure>`;
}
