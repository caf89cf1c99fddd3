// A signature, drawn with a finger, a pen or the mouse.
import { html, useLayoutEffect, useRef } from "../../../vendor/ui.js";
import { t } from "../../core/i18n.js";
import { Icon } from "../../ui/parts.js";

const SHAPE = 0.4; // height of the field, as a part of its width
const LINE = 0.006; // width of the ink, as a part of the field's
const PICTURE_WIDTHS_PX = [800, 500, 300];
const MOST_CHARACTERS = 130_000; // of a data URL: below 100 KB

/**
 * The field for a signature. `strokes` are lists of points [x, y], in parts of its width, so that
 * it may change its size; `onChange(strokes)`.
 */
export function Signature({ strokes, onChange }) {
  const canvas = useRef();
  const drawn = useRef(strokes); // with the stroke under way
  const pointer = useRef(null);
  // the page may be drawn again while somebody signs: the stroke under way stays
  if (pointer.current === null) drawn.current = strokes;
  const show = () => {
    const { current } = canvas;
    const width = Math.round(current.clientWidth * devicePixelRatio);
    if (current.width !== width) [current.width, current.height] = [width, Math.round(width * SHAPE)];
    draw(current, drawn.current);
  };
  useLayoutEffect(show, [strokes]);
  useLayoutEffect(() => {
    const observer = new ResizeObserver(show);
    observer.observe(canvas.current);
    return () => observer.disconnect();
  }, []);
  const pointOf = ({ clientX, clientY }) => {
    const { left, top, width } = canvas.current.getBoundingClientRect();
    return [(clientX - left) / width, (clientY - top) / width];
  };
  const begin = (event) => {
    if (event.button !== 0 || pointer.current !== null) return;
    pointer.current = event.pointerId;
    canvas.current.setPointerCapture(event.pointerId);
    drawn.current = [...drawn.current, [pointOf(event)]];
    show();
  };
  const go = (event) => {
    if (event.pointerId !== pointer.current) return;
    const between = event.getCoalescedEvents?.() ?? [];
    drawn.current.at(-1).push(...(between.length ? between : [event]).map(pointOf));
    show();
  };
  const end = (event) => {
    if (event.pointerId !== pointer.current) return;
    pointer.current = null;
    onChange(drawn.current);
  };
  return html`<div class="signature">
    <p>${t("deliveries.signature")}</p>
    <canvas ref=${canvas} role="img" aria-label=${t(strokes.length ? "deliveries.signed" : "deliveries.unsigned")}
      onPointerDown=${begin} onPointerMove=${go} onPointerUp=${end} onPointerCancel=${end}></canvas>
    <button type="button" class="quiet-button" disabled=${strokes.length === 0} onClick=${() => onChange([])}>
      <${Icon} name="trash-2" />${t("deliveries.clear")}</button>
  </div>`;
}

/** A signature as a PNG in a data URL, of less than 100 KB; null where nothing is drawn. */
export function toPicture(strokes) {
  if (!strokes.length) return null;
  const canvas = document.createElement("canvas");
  let picture;
  for (const width of PICTURE_WIDTHS_PX) {
    [canvas.width, canvas.height] = [width, Math.round(width * SHAPE)];
    draw(canvas, strokes);
    picture = canvas.toDataURL("image/png");
    if (picture.length <= MOST_CHARACTERS) break;
  }
  return picture;
}

// Dark on white, as on paper, in both themes.
function draw(canvas, strokes) {
  const { width, height } = canvas;
  const context = canvas.getContext("2d");
  context.fillStyle = "#fff";
  context.fillRect(0, 0, width, height);
  Object.assign(context, { strokeStyle: "#0f1d25", lineWidth: width * LINE, lineCap: "round", lineJoin: "round" });
  for (const [[x, y], ...points] of strokes) {
    context.beginPath();
    context.moveTo(x * width, y * width);
    for (const [nextX, nextY] of points.length ? points : [[x, y]]) context.lineTo(nextX * width, nextY * width);
    context.stroke();
  }
}
