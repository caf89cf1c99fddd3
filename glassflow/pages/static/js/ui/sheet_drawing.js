// A sheet of a cutting plan as a drawing: its panes with their places in the order of breaking
// out, its rests and its defects. All lengths are in mm, from the lower left corner.
import { html } from "../../vendor/ui.js";
import { t } from "../core/i18n.js";

const LETTERS = 30; // so many times the height of a letter is the longer side of the sheet
const LETTER_WIDTH = 0.6; // of a digit, by its height
const LINE = 1.25;
const MARGIN = 0.3; // above and below the words together, as a part of a letter
const ROOM = 0.94; // of the width of a pane, for its words

/** A size as it is written: "900 × 900". */
export const size = ({ width, height }) => `${Math.round(width * 10) / 10} × ${Math.round(height * 10) / 10}`;

/** Whether a pane of a sheet is still to be cut, or what became of it. */
export const stateOf = ({ state, reason }) => (reason ? t(`cuttingleft.${reason}`) : t(`cuttingpane.${state}`));

/**
 * `sheet` is one of `/cutting-plans/{id}/sheets`. `onPane(pane)` is called for a pane that is
 * tapped; `kindOf(pane)` gives the kind of its outline ("late"), `chosen` are the ids of those
 * that are marked.
 */
export function SheetDrawing({ sheet, onPane, kindOf = (_) => "", chosen = [] }) {
  const { number, width, height, trim, panes, rests, defects } = sheet;
  const letter = Math.max(width, height) / LETTERS;
  const place = (box) => ({ x: box.x, y: height - box.y - box.height, width: box.width, height: box.height });
  const usable = { x: trim, y: trim, width: width - 2 * trim, height: height - 2 * trim };
  return html`<svg class="sheet-drawing" role="group" aria-label=${t("cutting.drawing", { number, size: size(sheet) })}
      viewBox=${`0 0 ${width} ${height}`} style=${{ "--letter": `${letter}px`, "--ratio": width / height }}>
    <rect class="glass" width=${width} height=${height} /><rect class="usable" ...${usable} />
    ${rests.map((one, n) => html`<g key=${`rest ${n}`} class=${one.isKept ? "remnant" : "waste"}><rect ...${place(one)} />
      ${one.isKept && html`<${Words} box=${place(one)} lines=${[size(one)]} letter=${letter} />`}</g>`)}
    ${panes.map((pane, n) => html`<${Pane} key=${pane._id} pane=${pane} box=${place(pane)} letter=${letter} position=${n + 1}
      kind=${kindOf(pane)} isChosen=${chosen.includes(pane._id)} onPane=${onPane} />`)}
    ${defects.map((one, n) => html`<rect key=${`defect ${n}`} class="defect" ...${place(one)}><title>${t("cutting.defect")}</title></rect>`)}
  </svg>`;
}

function Pane({ pane, box, letter, position, kind, isChosen, onPane }) {
  const name = `${position}. ${pane.paneNumber}, ${size(pane)}. ${stateOf(pane)}`;
  const choose = onPane && {
    role: "button",
    tabindex: 0,
    onClick: () => onPane(pane),
    onKeyDown: (event) => [" ", "Enter"].includes(event.key) && [event.preventDefault(), onPane(pane)],
  };
  const lines = [String(position), size(pane), pane.paneNumber, pane.mark].filter(Boolean);
  return html`<g class="pane" data-state=${pane.state} data-kind=${kind || null} data-chosen=${isChosen ? "" : null}
      ...${choose ?? { role: "img" }}><title>${name}</title>
    <rect ...${box} /><${Words} box=${box} lines=${lines} letter=${letter} /></g>`;
}

/** As many of the lines as have room, along the longer side where they do not fit across. */
function Words({ box, lines, letter }) {
  const fits = (some, width, height) =>
    some.every((one) => one.length * letter * LETTER_WIDTH <= ROOM * width) &&
    (some.length * LINE + MARGIN) * letter <= height;
  for (let count = lines.length; count > 0; count--) {
    const some = lines.slice(0, count);
    const isAcross = fits(some, box.width, box.height);
    if (!isAcross && !fits(some, box.height, box.width)) continue;
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const first = -((count - 1) / 2) * letter * LINE;
    return html`<text transform=${`translate(${x} ${y})${isAcross ? "" : " rotate(-90)"}`} aria-hidden="true">
      ${some.map((line, n) => html`<tspan key=${n} x="0" y=${first + n * letter * LINE}>${line}</tspan>`)}</text>`;
  }
  return null;
}
