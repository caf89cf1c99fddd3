// What the keys of the designer do. Without a page.

const STEP_MM = 0.5;
const FAR_MM = 5;
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * [name of the action, ...its arguments] of a keydown event, or null. `isTyping`: a field has
 * the focus, where only undo and redo act. Letters are read by their place on the keyboard,
 * which a Thai layout does not change.
 * @returns {[string, ...any[]] | null}
 */
export function keyOf({ key, code, ctrlKey, metaKey, shiftKey, altKey, repeat }, isTyping) {
  const ctrl = ctrlKey || metaKey;
  if (ctrl && code === "KeyZ") return [shiftKey ? "redo" : "undo"];
  if (ctrl && code === "KeyY") return ["redo"];
  if (isTyping || altKey) return null;
  if (ctrl) return code === "KeyD" ? ["copy"] : null;
  if (key in ARROWS) {
    const size = shiftKey ? FAR_MM : STEP_MM;
    const [x, y] = ARROWS[key];
    return ["move", x * size, y * size, repeat ? "held" : null];
  }
  if (key === "Delete" || key === "Backspace") return ["remove"];
  if (key === "Escape") return ["choose", -1];
  if (code === "BracketRight") return ["restack", 1];
  if (code === "BracketLeft") return ["restack", -1];
  return null;
}
