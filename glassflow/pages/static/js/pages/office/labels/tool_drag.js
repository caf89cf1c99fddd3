// An element is dragged from the tools onto the label, by mouse, pen or finger.
import { html, useEffect, useRef, useState } from "../../../../vendor/ui.js";
import { newElement } from "./elements.js";

const STARTS_PX = 4; // of a drag; less is a click

/**
 * [handlersOf, ghost]: `handlersOf(kind, given)` are those of the button of an element, `ghost`
 * shows what is dragged, in its size on the label. `stage` refers to the label, of the size
 * `label` in mm; `onDrop(kind, given, [x, y], isFree)` gets where on it the middle of the element is to
 * be, in mm, `isFree` with Alt, which leaves the grid. `onClick(kind, given)` is called for a
 * click. Escape ends a drag.
 * @returns {[(kind: string, given: object) => object, any]}
 */
export function useToolDrag({ stage, label, onDrop, onClick }) {
  const [drag, setDrag] = useState(null); // {pointer, kind, given, from: [x, y], at: [x, y] or null}
  const isClick = useRef(true);
  useEffect(() => {
    if (!drag) return undefined;
    const onKeyDown = ({ key }) => key === "Escape" && setDrag(null);
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, [Boolean(drag)]);

  const begin = (kind, given) => (event) => {
    isClick.current = true;
    if (event.button || event.currentTarget.disabled) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    setDrag({ pointer: event.pointerId, kind, given, from: [event.clientX, event.clientY], at: null });
  };
  const follow = (event) => {
    if (event.pointerId !== drag?.pointer) return;
    const at = [event.clientX, event.clientY];
    if (!drag.at && Math.hypot(at[0] - drag.from[0], at[1] - drag.from[1]) < STARTS_PX) return;
    isClick.current = false;
    setDrag({ ...drag, at });
  };
  const end = (event) => {
    if (event.pointerId !== drag?.pointer) return;
    setDrag(null);
    const place = drag.at && placeOn(stage.current, event);
    if (place) onDrop(drag.kind, drag.given, place, event.altKey);
  };
  const handlersOf = (kind, given) => ({
    onPointerDown: begin(kind, given),
    onPointerMove: follow,
    onPointerUp: end,
    onPointerCancel: () => setDrag(null),
    onClick: () => isClick.current && onClick(kind, given),
  });
  return [
    handlersOf,
    drag?.at &&
      html`<${Ghost} of=${newElement(drag.kind, [], label, drag.given)} at=${drag.at}
    scale=${scaleOf(stage.current)} />`,
  ];
}

const scaleOf = (stage) => Number(stage?.dataset.scale) || 1; // px a mm

/** Where a pointer is on the label, in mm; null where it is beside it, or the label is hidden there. */
function placeOn(stage, { clientX, clientY }) {
  if (!stage?.contains(document.elementFromPoint(clientX, clientY))) return null;
  const { left, top } = stage.getBoundingClientRect();
  return [(clientX - left) / scaleOf(stage), (clientY - top) / scaleOf(stage)];
}

function Ghost({ of: { width, height }, at: [x, y], scale }) {
  const px = (value) => `${value}px`;
  return html`<div class="ghost" aria-hidden="true" style=${{ width: px(width * scale), height: px(height * scale),
    left: px(x - (width * scale) / 2), top: px(y - (height * scale) / 2) }}></div>`;
}
