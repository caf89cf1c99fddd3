// Steps that can be undone and redone, without a limit. A state is never changed in place.

/** A history without a step: `past` and `future` are lists linked by `rest`. */
export const EMPTY = { past: null, future: null, tag: null };

/**
 * The history once `state` is about to be changed. Changes with the same `tag`, one after
 * the other, are one step: the letters of a word, or the way that an arrow key is held.
 */
export function recorded(history, state, tag = null) {
  if (tag !== null && tag === history.tag) return { ...history, future: null };
  return { past: { state, rest: history.past }, future: null, tag };
}

/** The history whose next change is a step of its own. */
export const ended = (history) => ({ ...history, tag: null });

/** [history, state] one step back from the state `now`, or null at the first one. */
export function undone({ past, future }, now) {
  return past && [{ past: past.rest, future: { state: now, rest: future }, tag: null }, past.state];
}

/** [history, state] one step forward, or null where nothing has been undone. */
export function redone({ past, future }, now) {
  return future && [{ past: { state: now, rest: past }, future: future.rest, tag: null }, future.state];
}
