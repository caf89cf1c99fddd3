// The databases of this device, in IndexedDB.
import { effect } from "../../vendor/ui.js";
import { session } from "./session.js";

/** The database of what is kept until logout, as `save` in preferences.js has it, and is too large for that. */
export const UNTIL_LOGOUT = "glassflow.kept";

effect(() => {
  if (session.value.state === "none") globalThis.indexedDB?.deleteDatabase(UNTIL_LOGOUT);
});

export class KeptDatabase {
  #open;
  #opening = null;

  /**
   * `open(ended)` opens the database; it calls `ended` when its connection is closed. Without
   * `open`, the browser has none.
   */
  constructor(open) {
    this.#open = open;
  }

  /**
   * What `act(database)` returns; undefined without a database. Safari loses the connection
   * to a database without a word, so after an error it is opened once more.
   */
  async use(act) {
    if (!this.#open) return undefined;
    const opened = this.#database();
    try {
      return await act(await opened);
    } catch (error) {
      if (error.name === "QuotaExceededError") throw error;
      if (this.#opening === opened) this.#opening = null;
      return act(await this.#database());
    }
  }

  #database() {
    return (this.#opening ??= this.#open(() => (this.#opening = null)));
  }
}
