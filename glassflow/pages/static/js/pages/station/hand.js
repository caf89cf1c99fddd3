// Whether a hand is at a list: nothing in it may move then.
import { useEffect, useState } from "../../../vendor/ui.js";

const AFTER_MS = 1500; // it may come down once more
const LONGEST_MS = 20_000; // of one touch: a browser may not tell that it has ended

/**
 * Whether a pointer is down on an element (`ref`) or moves over it, or it or the page is scrolled,
 * and a moment after that.
 */
export function useHand(ref) {
  const [isThere, setIsThere] = useState(false);
  useEffect(() => {
    const element = ref.current;
    const down = new Set(); // what is: a finger or another pointer
    let timer;
    const note = () => {
      setIsThere(true);
      clearTimeout(timer);
      timer = setTimeout(setIsThere, down.size ? LONGEST_MS : AFTER_MS, false);
    };
    const onTouch = ({ touches }) => {
      if (touches.length) down.add("touch");
      else if (!down.delete("touch")) return; // of another part of the page
      note();
    };
    // a browser that scrolls ends the pointer of a finger, but not its touch
    const onPointer = ({ pointerType, type }) => {
      if (pointerType === "touch") return;
      if (type === "pointerdown") down.add("pointer");
      note();
    };
    const onRelease = ({ pointerType }) => {
      if (pointerType !== "touch" && down.delete("pointer")) note();
    };
    const heard = [
      [element, "touchstart", onTouch],
      [element, "touchmove", note],
      [element, "pointerdown", onPointer],
      [element, "pointermove", onPointer],
      [element, "wheel", note],
      [document, "scroll", note], // of the page, or of what is in it
      [window, "touchend", onTouch],
      [window, "touchcancel", onTouch],
      [window, "pointerup", onRelease],
      [window, "pointercancel", onRelease],
    ];
    const options = { capture: true, passive: true };
    for (const [target, type, listener] of heard) target.addEventListener(type, listener, options);
    return () => {
      clearTimeout(timer);
      for (const [target, type, listener] of heard) target.removeEventListener(type, listener, options);
    };
  }, []);
  return isThere;
}
