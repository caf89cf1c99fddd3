// The rest of a page: what it needs beyond its first picture, in a module of its own.
import { signal } from "../../vendor/ui.js";
import { inTime } from "../core/api.js";
import { connection } from "../core/store.js";

const RETRY_MS = 8000;

/**
 * {rest, loadRest}: `rest` is a signal of what the module that `load` imports exports, {}
 * before. `loadRest(isWanted)` loads it, and again until it is there or not wanted any more.
 */
export function restOf(load) {
  const rest = signal({});
  async function loadRest(isWanted) {
    try {
      rest.value = await inTime(load());
    } catch (error) {
      console.warn(error);
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      if (!isWanted()) return;
      // the service is reached: it is of another release by now, or this stalls
      if (connection.peek().state === "live") location.reload();
      else await loadRest(isWanted);
    }
  }
  return { rest, loadRest };
}
