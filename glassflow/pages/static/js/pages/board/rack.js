// A station's rack: each pane is a slip of glass on a shelf, the oldest lowest at the left.
// Drawn on a canvas: hundreds of elements would cost too much on the PC of a wall.
import { html, useEffect, useRef } from "../../../vendor/ui.js";
import { t } from "../../core/i18n.js";
import { OPEN } from "../../core/pane_flow.js";
import { theme } from "../../core/preferences.js";
import { nameOf } from "../../core/station_names.js";

const NEW_MS = 900; // how long an arrival is outlined
const COLORS = ["--accent", "--over", "--late", "--text", "--line", "--surface"];
let colors = {}; // of the theme `colors.theme`

function colorsOf(element) {
  if (colors.theme !== theme.value) {
    const style = getComputedStyle(element);
    colors = { theme: theme.value };
    for (const name of COLORS) colors[name] = style.getPropertyValue(name).trim();
  }
  return colors;
}

/** How many panes of a lane have each open status. */
export const countsOf = ({ panes }) =>
  OPEN.map((status) => panes.filter((pane) => pane.currentStatus === status).length);

/** The panes of a lane, from the oldest on; `largest` scales the largest slip. */
export function Rack({ lane, largest }) {
  const {
    station,
    panes: { length: count },
    late,
  } = lane;
  const [waiting, working, ready] = countsOf(lane);
  const label = t("board.lane", { name: nameOf(station), count, waiting, working, ready, late });
  void theme.value; // draws again when it changes
  const ref = useRef();
  const size = useRef({});
  const current = useRef();
  current.current = () => size.current.width && draw(ref.current, size.current, lane, largest);
  useEffect(() => {
    const observer = new ResizeObserver(([{ contentRect }]) => {
      size.current = contentRect;
      current.current();
    });
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    current.current();
    const newest = Math.max(0, ...lane.panes.map((pane) => pane.movedAt));
    const rest = newest + NEW_MS - Date.now();
    const timer = rest > 0 && setTimeout(() => current.current(), rest);
    return () => clearTimeout(timer);
  });
  return html`<canvas class="rack" ref=${ref} role="img" aria-label=${label}></canvas>`;
}

/** How slips fit: {step, shelf, perShelf} in units of `unit`; narrower and lower as they get more. */
export function layOut(count, width, height, largest = 1) {
  let step = 13 * largest;
  let shelf = 70 * largest;
  const perShelf = () => Math.max(1, Math.floor((width + 2) / step));
  while (step > 3 && Math.ceil(count / perShelf()) * shelf > height) {
    step -= 1;
    shelf = Math.max(12, shelf - 6);
  }
  return { step, shelf, perShelf: perShelf() };
}

function draw(canvas, { width: boxWidth, height: boxHeight }, { panes, over, isLate }, largest) {
  const pixels = Math.min(2, devicePixelRatio || 1);
  const [w, h] = [Math.round(boxWidth * pixels), Math.round(boxHeight * pixels)];
  const unit = Math.max(1, innerWidth / 1920); // a slip is as large on every wall: as --u, see board.css
  const [width, height] = [boxWidth / unit, boxHeight / unit];
  if (canvas.width !== w) canvas.width = w; // setting a size costs a layout of the page
  if (canvas.height !== h) canvas.height = h;
  const pen = canvas.getContext("2d");
  const color = colorsOf(canvas);
  const now = Date.now();
  pen.setTransform(pixels * unit, 0, 0, pixels * unit, 0, 0);
  pen.clearRect(0, 0, width, height);
  const { step, shelf, perShelf } = layOut(panes.length, width, height, largest);
  const thick = step > 6 ? step - 3 : step - 1;
  const cap = shelf > 30 ? 4 : 2;
  pen.fillStyle = color["--line"];
  for (let row = 0; row * perShelf < panes.length; row += 1) pen.fillRect(0, height - row * shelf - 2, width, 2);
  for (const [index, pane] of panes.entries()) {
    const x = (index % perShelf) * step;
    const base = height - Math.floor(index / perShelf) * shelf - 2;
    const tall = (shelf - cap - 5) * (0.4 + 0.6 * Math.min(1, (pane.height || 1200) / 2400));
    pen.fillStyle = color[index < over ? "--over" : "--accent"];
    pen.fillRect(x, base - tall, pane.currentStatus === "pending" ? Math.ceil(thick / 3) : thick, tall);
    if (pane.currentStatus === "awaiting_scan_out" && thick > 3) {
      pen.fillStyle = color["--surface"];
      pen.fillRect(x + 2, base - tall + 2, thick - 4, tall - 4);
    }
    if (isLate(pane)) {
      pen.fillStyle = color["--late"];
      pen.fillRect(x, base - tall - cap - 1, thick, cap);
    }
    if (now - pane.movedAt < NEW_MS) {
      pen.strokeStyle = color["--text"];
      pen.lineWidth = 2;
      pen.strokeRect(x, base - tall, thick, tall);
    }
  }
}
