// The key of what one form sends, or one button.
import { api, timeFor } from "./api.js";
import { isFinal, newKey } from "./idempotency.js";

/** The key of what one form sends: the same for the same body, until there is an answer. */
export class RetryKey {
  #body = null;
  #key = "";

  of(body) {
    const text = JSON.stringify(body);
    if (text !== this.#body) [this.#body, this.#key] = [text, newKey()];
    return this.#key;
  }

  /**
   * POST a body to `/api${path}`; returns the `data` of the answer, throws as `api` does.
   * `about` tells requests apart that have the same path and body; `records` is how many records
   * an action changes.
   */
  async post(path, body, { about = undefined, records = 0 } = {}) {
    try {
      const headers = { "Idempotency-Key": this.of([path, body, about]) };
      const { data } = await api(path, { method: "POST", body, headers, timeoutMs: timeFor(records) });
      this.answered();
      return data;
    } catch (error) {
      this.failed(error);
      throw error;
    }
  }

  /** What was sent has failed: it is the same request when it is sent again, unless refused for good. */
  failed(error) {
    if (isFinal(error)) this.answered();
  }

  /** The service has decided: what is sent from here on is another request. */
  answered() {
    this.#body = null;
  }
}
