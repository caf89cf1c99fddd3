// The rest of a page: what it needs beyond its first picture, in a module of its own.
import { signal } from "../../vendor/ui.js";
import { connection } from "../core/store.js";

const RETRY_MS = 8000;

/**
 * {rest, loadRest} of a page. `rest` is a signal of what the module exports that `load`
 * imports, {} before. `loadRest(isWanted)` loads it, and again until it is there or not
 * wanted any more.
 */
export function restOf(load) {
  const rest = signal({});
  async function loadRest(isWanted) {
    try {
      rest.value = await load();
    } catch (error) {
      console.warn(error);
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      if (!isWanted()) return;
      // the service is reached, and has no such file: it is of another release by now
      if (connection.peek().state === "live") location.reload();
      else await loadRest(isWanted);
    }
  }
  return { rest, loadRest };
}
