// The rest of a page: what it needs beyond its first picture, in a module of its own.
import { signal } from "../../vendor/ui.js";
import { untilLoaded } from "../core/api.js";

/**
 * {rest, loadRest}: `rest` is a signal of what the module that `load` imports exports, {}
 * before. `loadRest(isWanted)` loads it, and again until it is there or not wanted any more.
 */
export function restOf(load) {
  const rest = signal({});
  const loadRest = async (isWanted) => {
    rest.value = (await untilLoaded(load, isWanted)) ?? rest.value;
  };
  return { rest, loadRest };
}
