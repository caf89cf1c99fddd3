// What is done with the record that a page shows, as long as nobody has changed it.
import { api, Refused, timeFor } from "../../core/api.js";

const STALE = 412;

/** As `answerOn`, and return what the answer brings. */
export const actOn = async (path, record, options) => (await answerOn(path, record, options)).data;

/**
 * Send a request to `action` below the record at `path` ("/quotes"); return {data, warnings}.
 * `records` is how many panes it is about. `onStale` reads the record again: it is another one
 * afterwards, or somebody has changed it.
 */
export async function answerOn(path, record, { action, method = "POST", body = undefined, records = 0, onStale }) {
  try {
    const headers = { "If-Match": `"${record.version}"` };
    const { data, warnings = [] } = await api(`${path}/${record._id}/${action}`, {
      method,
      body,
      headers,
      timeoutMs: timeFor(records),
    });
    onStale(); // not every reader receives the events of the record
    return { data, warnings };
  } catch (error) {
    if (error instanceof Refused && error.status === STALE) onStale();
    throw error;
  }
}
