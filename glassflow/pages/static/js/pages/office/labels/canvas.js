// The label in mm: rulers, a grid, its elements, and the frame of the chosen one. By mouse,
// pen or finger an element is dragged, and by a handle resized; Alt leaves the grid.
import { html, useLayoutEffect, useRef, useState } from "../../../../vendor/ui.js";
import { number, t } from "../../../core/i18n.js";
import { Icon } from "../../../ui/parts.js";
import { DrawnElement, useLabelFont } from "./drawn_element.js";
import { replaced, shownMm } from "./elements.js";
import { frameOf, handlesOf, hitAt, isDrawn, moved, resized } from "./geometry.js";

const MOST_HEIGHT = 520; // px, of a label that fits
const [RULER, BESIDE] = [24, 44]; // px: the ruler, and all margins besides
const LEAST_PX = 5; // between two lines of a ruler, and ten times that between two numbers
const [LEAST_SCALE, MOST_SCALE, STEP] = [0.8, 48, 1.25]; // px a mm
const STARTS_PX = 4; // of a drag
const HANDLES_PX = 30; // of a side that has handles
const REACH_PX = 8; // beside an element that is thin

/** `stage` is a ref that gets the element of the label, in `data-scale` px a mm. */
export function Canvas({ elements, label, values, chosen, grid, act, stage, readOnly }) {
  const [fits, setFits] = useState(4);
  const [zoom, setZoom] = useState(null); // px a mm; null: fits the page
  const [drag, setDrag] = useState(null); // {pointer, x, y, handle, from, to}
  const area = useRef();
  const measure = useLabelFont();
  useLayoutEffect(() => {
    const fit = () =>
      setFits(Math.min((area.current.clientWidth - RULER - BESIDE) / label.width, MOST_HEIGHT / label.height));
    const observer = new ResizeObserver(fit);
    observer.observe(area.current);
    fit();
    return () => observer.disconnect();
  }, [label.width, label.height]);
  const scale = Math.min(Math.max(zoom ?? fits, LEAST_SCALE), MOST_SCALE);
  const shown = drag?.to ? replaced(elements, chosen, drag.to) : elements;
  const element = shown[chosen];

  const point = ({ clientX, clientY }) => {
    const { left, top } = stage.current.getBoundingClientRect();
    return [(clientX - left) / scale, (clientY - top) / scale];
  };
  const begin = (event) => {
    if (event.button) return;
    stage.current.focus({ preventScroll: true });
    const handle = event.target.dataset?.handle?.split(",").map(Number);
    const [x, y] = point(event);
    const index = handle ? chosen : hitAt(elements, label, x, y, { reach: REACH_PX / scale, preferred: chosen });
    if (index !== chosen) act.choose(index);
    if (index < 0 || readOnly) return;
    stage.current.setPointerCapture(event.pointerId);
    setDrag({ pointer: event.pointerId, x, y, handle, from: elements[index], to: null });
  };
  const follow = (event) => {
    if (event.pointerId !== drag?.pointer) return;
    const [x, y] = point(event);
    const [dx, dy] = [x - drag.x, y - drag.y];
    if (!drag.to && Math.hypot(dx, dy) * scale < STARTS_PX) return;
    const step = event.altKey ? 0 : grid;
    const to = drag.handle
      ? resized(drag.from, label, drag.handle, dx, dy, step)
      : moved(drag.from, label, dx, dy, step);
    setDrag({ ...drag, to });
  };
  const end = (event) => {
    if (event.pointerId !== drag?.pointer) return;
    if (drag.to) act.change(drag.to);
    setDrag(null);
  };
  const px = (mm) => `${mm * scale}px`;
  const lines = grid * scale >= 6 ? grid : grid * scale >= 1 ? grid * 5 : 0;
  return html`<div class="canvas">
    <div class="stage-area" ref=${area}><div class="sheet">
      <${Ruler} length=${label.width} scale=${scale} />
      <${Ruler} length=${label.height} scale=${scale} isVertical />
      <div class="stage" ref=${stage} tabindex="0" role="application" aria-label=${t("stickers.stage", label)}
        aria-describedby="design-keys" data-scale=${scale} style=${{ width: px(label.width), height: px(label.height), "--step": px(lines || 1000) }}
        onPointerDown=${begin} onPointerMove=${follow} onPointerUp=${end} onPointerCancel=${() => setDrag(null)}>
        <div class="clip" aria-hidden="true">${shown.map((one, index) => isDrawn(one) && html`<${DrawnElement} key=${`${index} ${one.type}`}
          element=${one} label=${label} scale=${scale} values=${values} measure=${measure} />`)}</div>
        ${isDrawn(element) && html`<${Frame} element=${element} label=${label} scale=${scale} readOnly=${readOnly} />`}
      </div></div></div>
    <div class="stage-foot">
      <${Zoom} scale=${scale} isFit=${zoom === null} onZoom=${setZoom} />
      <p class="soft" role="status">${isDrawn(element) ? placeOf(frameOf(element, label)) : ""}</p>
      <p class="visually-hidden" id="design-keys">${t("stickers.keys")}</p>
    </div>
  </div>`;
}

const placeOf = ({ x, y, width, height }) =>
  t("stickers.place", { x: shownMm(x), y: shownMm(y), width: shownMm(width), height: shownMm(height) });

/** A ruler in mm beside the label. */
function Ruler({ length, scale, isVertical }) {
  const step = [1, 2, 5, 10, 20, 50].find((one) => one * scale >= LEAST_PX) ?? 100;
  const count = Math.floor(length / step + 1e-6);
  const size = length * scale + 1;
  const marks = Array.from({ length: count + 1 }, (_, index) => ({
    mm: index * step,
    isLong: index % 10 === 0,
    isMiddle: index % 5 === 0,
  }));
  const lines = marks.map(({ mm, isLong, isMiddle }) => {
    const [at, from] = [mm * scale + 0.5, RULER - (isLong ? 12 : isMiddle ? 8 : 5)];
    return isVertical ? `M${from} ${at}H${RULER}` : `M${at} ${from}V${RULER}`;
  });
  const numbered = marks.filter(({ isLong, isMiddle }) => isLong || (isMiddle && step * scale >= 2 * LEAST_PX));
  return html`<svg class=${isVertical ? "ruler vertical" : "ruler"} aria-hidden="true"
      width=${isVertical ? RULER : size} height=${isVertical ? size : RULER}>
    <path d=${lines.join("")} />
    ${numbered.map(({ mm }) => html`<text key=${mm} x=${isVertical ? 1 : mm * scale + 3} y=${isVertical ? mm * scale + 11 : 11}>${mm}</text>`)}
  </svg>`;
}

/** The frame of the chosen element, with handles to resize it. */
function Frame({ element, label, scale, readOnly }) {
  const { x, y, width, height, rotation, pivot } = frameOf(element, label);
  const px = (mm) => `${mm * scale}px`;
  const style = {
    left: px(x),
    top: px(y),
    width: px(width),
    height: px(height),
    transform: `rotate(${rotation}deg)`,
    transformOrigin: `${px(pivot[0] - x)} ${px(pivot[1] - y)}`,
  };
  return html`<div class="outline" style=${style}>${!readOnly && handlesOf(element, label, HANDLES_PX / scale).map(([horizontal, vertical]) => html`
    <i key=${`${horizontal},${vertical}`} data-handle=${`${horizontal},${vertical}`}
      style=${{ left: `${(horizontal + 1) * 50}%`, top: `${(vertical + 1) * 50}%` }}></i>`)}</div>`;
}

function Zoom({ scale, isFit, onZoom }) {
  const button = (icon, key, value) => html`<button type="button" class="icon-button"
    aria-label=${t(key)} title=${t(key)} onClick=${() => onZoom(value)}><${Icon} name=${icon} /></button>`;
  return html`<div class="zoom" role="group" aria-label=${t("stickers.zoom")}>
    ${button("minus", "stickers.smaller", Math.max(scale / STEP, LEAST_SCALE))}
    <span>${number(Math.round((scale * 25.4) / 0.96))} %</span>
    ${button("plus", "stickers.larger", Math.min(scale * STEP, MOST_SCALE))}
    <button type="button" class="quiet-button" aria-pressed=${String(isFit)} onClick=${() => onZoom(null)}>
      <${Icon} name="maximize" />${t("stickers.fit")}</button></div>`;
}
