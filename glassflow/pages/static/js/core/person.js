// Who works here: who is logged in, or on a shared device the worker who has identified.
//
// The account of a shared device stays logged in and reads. A worker identifies with a badge
// or a PIN and gets a token of their own for this device, in memory only, with which the page
// then acts. It ends when they leave, when another one identifies, and after some time
// without a tap or a scan; not before the requests that the device keeps of them are sent.
import { effect, signal } from "../../vendor/ui.js";
import { request, useTokens } from "./api.js";
import { save } from "./preferences.js";
import { pageToken, renew, session } from "./session.js";

/** The worker who has identified on this shared device, or null. */
export const person = signal(null);

const tokens = new Map(); // of the person, and of those whose requests wait: id -> token
let timer;
let activeAt = 0;

/** Whether the account is that of a shared device. */
export const isShared = () => session.value.deviceIdleS !== undefined;

/** The id of the station that a shared device is bound to, if it is to one. */
export const boundStation = () => (isShared() ? session.value.worker?.station : null);

/** The worker in whose name this page acts; undefined where nobody has identified. */
export const actor = () => (isShared() ? (person.value ?? undefined) : session.value.worker);

/** The functions that get a token of a worker, to be tried in turn; null without one. */
export function tokensOf(workerId) {
  const { worker, mustChangePassword } = session.value; // with which the service refuses everything
  if (!isShared() && worker?._id === workerId && !mustChangePassword) return [pageToken, renew];
  return tokens.has(workerId) ? [() => tokens.get(workerId)] : null;
}

/** A worker has identified, and got a token for this device. */
export function identified({ token, worker }) {
  tokens.clear(); // the service has ended the sessions of all others on this device
  tokens.set(worker._id, token);
  person.value = worker;
  noteActivity();
}

/** Nobody works here any more. */
export function leave() {
  clearTimeout(timer);
  person.value = null;
}

/** Somebody has used the device. After a long pause it does not know whether it is the same. */
export function noteActivity() {
  clearTimeout(timer);
  if (!person.value) return;
  const idleMs = session.value.deviceIdleS * 1000;
  const paused = activeAt && Date.now() - activeAt > idleMs; // also a device that has slept
  activeAt = Date.now();
  if (paused) leave();
  else timer = setTimeout(leave, idleMs);
}

/** A token was refused: it has ended. Returns whether it was that of a person. */
export function forget(workerId) {
  if (person.value?._id === workerId) leave();
  return tokens.delete(workerId);
}

/** End the sessions of those who have left and have no requests among `workerIds`. */
export function release(workerIds) {
  for (const [id, token] of tokens) {
    if (id === person.value?._id || workerIds.includes(id)) continue;
    tokens.delete(id);
    const headers = { Authorization: `Bearer ${token}` };
    request("/api/auth/logout", { method: "POST", headers }).catch(() => {}); // it ends by itself
  }
}

// Pages act as the person; where that has ended, they read as the device.
useTokens({
  pageToken: () => tokens.get(person.value?._id) ?? pageToken(),
  renew: () => (person.value && forget(person.value._id) ? pageToken() : renew()),
});

effect(() => {
  if (session.value.state !== "none") return;
  tokens.clear();
  leave();
});
effect(() => {
  if (!person.value) activeAt = 0;
});
effect(() => {
  const bound = boundStation();
  if (bound) save("station", JSON.stringify(bound)); // the one that this device opens
});
for (const name of ["pointerdown", "keydown"]) globalThis.addEventListener?.(name, noteActivity, true);
