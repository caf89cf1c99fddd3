// What somebody does with the requests that this device keeps. Loaded with their list.
import { newKey } from "./idempotency.js";
import { changed, hasFailed, rows, sendAll } from "./outbox.js";

const SET_ASIDE = "SET_ASIDE"; // as the code of a refusal

/** Remove a refused request from the list: somebody has looked at it. */
export async function dismiss(n) {
  await rows.delete(n);
  await changed();
}

/** Put a request that waits on the list of refused ones, so that those after it are sent. */
export async function setAside(n) {
  await rows.change(n, (row) => ({ ...row, refusal: row.refusal ?? { code: SET_ASIDE } }));
  hasFailed.value = false;
  await changed();
  return sendAll();
}

/**
 * Send a refused request again, in its old place. It gets another key: the service answers
 * a key that it has refused with the same refusal. One that was set aside keeps its key: the
 * service may have carried it out.
 */
export async function sendAgain(n) {
  await rows.change(n, ({ refusal, ...row }) => ({
    ...row,
    ...(refusal && refusal.code !== SET_ASIDE && { key: newKey() }),
  }));
  await changed();
  return sendAll();
}
