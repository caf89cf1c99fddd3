// An element as the label shows it, nearly: in the font of labels, with example values. How
// it is printed for sure is the service's picture beside the canvas.
import { html, useEffect, useState } from "../../../../vendor/ui.js";
import { Icon } from "../../../ui/parts.js";
import { filled } from "./elements.js";
import { FONT_PT, frameOf, LINE_HEIGHT, MM_PER_PT } from "./geometry.js";

const SMALLEST = 0.7; // of its size, to which a line that is too long is shrunk
const FONT = "Sarabun";

/** `measure(text, bold)`: the width of a text at size 1; measured again once the font is there. */
export function useLabelFont() {
  const [context] = useState(() => document.createElement("canvas").getContext("2d"));
  const [, setLoaded] = useState(false);
  useEffect(() => {
    Promise.all(["400", "700"].map((weight) => document.fonts.load(`${weight} 16px ${FONT}`, "กA"))).then(
      () => setLoaded(true),
      () => {},
    ); // without it, that of the page is good enough
  }, []);
  return (text, bold) => {
    context.font = `${bold ? 700 : 400} 100px ${FONT}, sans-serif`;
    return context.measureText(text).width / 100;
  };
}

export function DrawnElement({ element, label, scale, values, measure }) {
  const frame = frameOf(element, label);
  const px = (mm) => `${mm * scale}px`;
  const style = {
    left: px(frame.x),
    top: px(frame.y),
    width: px(frame.width),
    height: px(frame.height),
    transform: frame.rotation ? `rotate(${frame.rotation}deg)` : "",
    transformOrigin: `${px(frame.pivot[0] - frame.x)} ${px(frame.pivot[1] - frame.y)}`,
  };
  return DRAW[element.type]({ element, frame, scale, values, measure, style });
}

const DRAW = {
  text({ element, frame, scale, values, measure, style }) {
    const text = filled(element.content, values);
    const size = (Number.isFinite(element.fontSize) && element.fontSize > 0 ? element.fontSize : FONT_PT) * MM_PER_PT;
    const line = text.trim().replace(/\s+/g, " ");
    const natural = measure(line, element.bold) * size;
    const shrunk = element.wrap || natural <= frame.width ? 1 : Math.max(frame.width / natural, SMALLEST);
    const isHigh = !element.wrap && frame.height > size * shrunk * LINE_HEIGHT;
    return html`<div class=${`item text ${element.wrap ? "wrapped" : ""}`} style=${{ ...style,
        fontSize: `${size * shrunk * scale}px`, fontWeight: element.bold ? "700" : "400", color: element.color ?? "#000",
        textAlign: element.align ?? "left", alignItems: isHigh ? "center" : "flex-start" }}><span>${element.wrap ? text : line}</span></div>`;
  },
  qr: ({ style }) => html`<div class="item qr" style=${style}><${Icon} name="qr-code" /></div>`,
  barcode: ({ style }) => html`<div class="item barcode" style=${style}></div>`,
  line({ element, frame, scale, style }) {
    if (!element.points?.length)
      return html`<div class="item line" style=${{ ...style, background: element.color ?? "#000" }}></div>`;
    const points = element.points.map(([x, y]) => `${(x - frame.x) * scale},${(y - frame.y) * scale}`);
    return html`<div class="item line" style=${style}><svg><polyline points=${points.join(" ")} fill="none"
      stroke=${element.color ?? "#000"} stroke-width=${(element.thickness || 0.3) * scale} /></svg></div>`;
  },
  rect({ element, scale, style }) {
    const stroke = element.thickness || (element.fill ? 0 : 0.3);
    return html`<div class="item rect" style=${{ ...style, background: element.fill ?? "",
      boxShadow: stroke ? `0 0 0 ${(stroke * scale) / 2}px ${element.color ?? "#000"}, inset 0 0 0 ${(stroke * scale) / 2}px ${element.color ?? "#000"}` : "" }}></div>`;
  },
  image: ({ element, style }) =>
    String(element.content).startsWith("data:image/")
      ? html`<img class="item" alt="" draggable=${false} style=${style} src=${element.content} />`
      : html`<div class="item qr" style=${style}><${Icon} name="image" /></div>`,
};
