// What somebody does with the requests that this device keeps. Loaded with their list.
import { newKey } from "./idempotency.js";
import { changed, hasFailed, noteTakenBack, rows, sendAll } from "./outbox.js";
import { actor } from "./person.js";

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
 * Take back requests that wait: those that `choose(rows)` returns of the rows of who works here.
 * Returns them; or [] where one of them is gone or has left this device: the service may have
 * carried it out.
 */
export async function takeBack(choose) {
  let taken = [];
  await rows.remove((all) => {
    const chosen = choose(all.filter((row) => row.worker === actor()?._id && !row.refusal));
    taken = chosen.some((row) => row.tried) ? [] : chosen;
    return taken;
  });
  noteTakenBack(taken.map(({ n }) => n));
  await changed();
  return taken;
}

/**
 * Send a refused request again, in its old place. It gets another key: the service answers
 * a key that it has refused with the same refusal. One that was set aside keeps its key: the
 * service may have carried it out.
 */
export async function sendAgain(n) {
  await rows.change(n, ({ refusal, ...row }) => ({
    ...row,
    ...(refusal && refusal.code !== SET_ASIDE && { key: newKey(), tried: false }),
  }));
  await changed();
  return sendAll();
}
