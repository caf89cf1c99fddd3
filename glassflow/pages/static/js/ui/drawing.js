// A pane as it lies on the table: outline to scale, holes, notches and worked edges. A page
// that shows it has "drawing" in its `styles`.
import { html } from "../../vendor/ui.js";
import { hasText, number, t } from "../core/i18n.js";
import { cutsOf, layOut, MARGIN, paneSize, RIM } from "./pane_geometry.js";

const LISTED = 12; // cut-outs in words; the others are counted
const TICK = 5; // units

/** The drawing of a pane with its sizes in mm, and its cut-outs and edges in words. */
export function Drawing({ pane }) {
  const layout = layOut(pane);
  return html`<figure class="drawing">
    ${layout ? html`<${Picture} ...${layout} pane=${pane} />` : html`<${Unmeasured} />`}
    <figcaption>
      ${layout && !layout.toScale && html`<p class="soft">${t("drawing.notToScale")}</p>`}
      <${Cuts} cuts=${cutsOf(pane)} />
      <${Edges} tasks=${pane.edgeTasks ?? []} />
    </figcaption>
  </figure>`;
}

function Picture({ pane, width, height, outline, cuts, edges }) {
  const [wide, high] = paneSize(pane);
  const inside = {
    x: outline.x - RIM / 2,
    y: outline.y - RIM / 2,
    width: outline.width + RIM,
    height: outline.height + RIM,
  };
  return html`<svg viewBox=${`0 0 ${width} ${height}`} role="img">
    <title>${t("drawing.title", { width: wide, height: high })}</title>
    <rect class="glass" ...${outline} />
    ${edges.map(({ side, ends: [x1, y1, x2, y2] }) => html`
      <line class="edge" key=${side} x1=${x1} y1=${y1} x2=${x2} y2=${y2} />`)}
    <svg ...${inside} viewBox=${Object.values(inside).join(" ")}>
      ${cuts.map((cut) => html`<${Cut} ...${cut} key=${cut.number} />`)}
    </svg>
    ${cuts.length <= LISTED && cuts.map(({ number: n, centre, box }) => html`
      <${Mark} key=${n} number=${n} centre=${centre} box=${box} outline=${outline} />`)}
    <${Sizes} wide=${wide} high=${high} outline=${outline} />
  </svg>`;
}

/** The width above the pane and the height left of it, each on a line with two ends. */
export function Sizes({ wide, high, outline: { x, y, width, height } }) {
  const [right, bottom, middle] = [x + width, y + height, MARGIN / 2];
  const across =
    `M${x} ${middle}H${right}M${x} ${middle - TICK}v${2 * TICK}` + `M${right} ${middle - TICK}v${2 * TICK}`;
  const down =
    `M${middle} ${y}V${bottom}M${middle - TICK} ${y}h${2 * TICK}` + `M${middle - TICK} ${bottom}h${2 * TICK}`;
  return html`<g class="sizes">
    <path d=${across + down} />
    <text x=${x + width / 2} y=${middle}>${wide}</text>
    <text transform=${`translate(${middle} ${y + height / 2}) rotate(-90)`}>${high}</text>
  </g>`;
}

function Cut({ kind, fault, level, box, radius, corners }) {
  const look = `${kind} ${fault ? "wrong" : (level ?? "")}`;
  if (corners) return html`<polygon class=${look} points=${corners.join(" ")} />`;
  return html`<rect class=${look} ...${box} rx=${radius} />`;
}

/** The number of a cut-out, in it where there is room, else beside it; in the pane also where it lies outside. */
function Mark({ number: n, centre, box, outline }) {
  const [x, y] = [within(centre[0], outline.x, outline.width), within(centre[1], outline.y, outline.height)];
  const room = !box || (box.width > 20 && box.height > 20);
  const inward = x > outline.x + outline.width / 2 ? -1 : 1;
  const beside = room ? x : x + inward * (box.width / 2 + 11);
  return html`<text class="mark" x=${beside} y=${y}>${n}</text>`;
}

const within = (at, start, length) => Math.min(Math.max(at, start), start + length);

function Unmeasured() {
  return html`<div class="unmeasured">
    <strong>${t("drawing.unmeasured")}</strong>
    <p>${t("drawing.unmeasuredHint")}</p>
  </div>`;
}

function Cuts({ cuts }) {
  if (cuts.length === 0) return null;
  const listed = cuts.filter(({ fault }, at) => at < LISTED || fault);
  const rest = cuts.length - listed.length;
  return html`<ol class="cuts" aria-label=${t("drawing.cuts")}>
    ${listed.map((cut) => html`<li key=${cut.number} value=${cut.number} class=${cut.fault ? "wrong" : undefined}>
      <b>${cut.number}</b><span>${nameOf(cut)} ${sizeOf(cut)}</span>
      <small class="soft">${t("drawing.place", { x: round(cut.x), y: round(cut.y) })}</small>
      ${cut.fault && html`<strong>${t(`drawing.${cut.fault}`)}</strong>`}
    </li>`)}
    ${rest > 0 && html`<li class="soft">${t("drawing.more", { count: number(rest) })}</li>`}
  </ol>`;
}

const round = (mm) => Math.round(mm * 10) / 10;

function nameOf({ kind, type }) {
  if (type === "slot") return t("drawing.slot");
  return kind === "hole" ? t("drawing.hole") : t("drawing.notch");
}

function sizeOf({ type, wide, high }) {
  if (type === "circle") return wide ? `Ø${round(wide)}` : "";
  return wide || high ? `${round(wide)} × ${round(high)}` : "";
}

/** The worked sides, together where the work is the same. */
function Edges({ tasks }) {
  const sidesOf = new Map();
  for (const { side, edgeProfile, machineType } of tasks) {
    const work = [edgeName(edgeProfile).replace(/^[A-Z](?=[a-z])/, lower), machineType].filter(Boolean).join(" · ");
    sidesOf.set(work, [...(sidesOf.get(work) ?? []), sideName(side)]);
  }
  if (sidesOf.size === 0) return null;
  return html`<ul class="edges" aria-label=${t("drawing.edges")}>
    ${[...sidesOf].map(([work, sides]) => html`<li key=${work}>
      <span>${sidesInWords(sides.filter(Boolean))}${work && `: ${work}`}</span></li>`)}
  </ul>`;
}

/** The work on an edge ("flat_polish", "bevel_10") in the reader's language; an unknown one as it is stored. */
export function edgeName(profile = "") {
  const name = profile.replace(/_\d+$/, "_n"); // "bevel_10" is a bevel of 10 mm
  return hasText(`edges.${name}`)
    ? t(`edges.${name}`, { size: /\d+$/.exec(profile)?.[0] })
    : profile.replaceAll("_", " ");
}

const lower = (letter) => letter.toLowerCase();
const SIDES = ["top", "right", "bottom", "left"];

const sidesInWords = (sides) =>
  SIDES.every((one) => sides.includes(t(`drawing.${one}`)))
    ? t("drawing.allEdges")
    : [t("drawing.edges"), sides.join(", ")].filter(Boolean).join(" ");

function sideName(side) {
  const known = SIDES.find((one) => one === side?.toLowerCase());
  return known ? t(`drawing.${known}`) : side;
}
