// Who uses this page. The browser's session is a cookie that no script can read; the page
// holds a short token in memory only, and gets the next one with the cookie.
import { signal } from "../../vendor/ui.js";
import { clock, Refused, request, useTokens } from "./api.js";
import { forgetKept, save, saved, timeZone } from "./preferences.js";

const PATH = "/floor/session";
const HEADERS = { "X-Floor": "1" };
const RENEW_BEFORE_S = 300; // so that no token ends during a request
const MAX_RETRY_S = 30;
const KEPT_FOR_MS = 72 * 3600 * 1000; // as long as a kept scan is accepted
const OFFLINE_AFTER_MS = 2000; // a page shows what is kept rather than wait any longer

/**
 * {state: "asking"}, {state: "none", ended} (nobody is logged in; `ended`: any more),
 * {state: "open", worker, permissions, qrPrefix, timezone, workshop}, or {state: "failed", error, retryAt} (nobody
 * knows yet).
 *
 * An open session has `offline: true` while the service does not answer a page that has
 * just been opened: `worker` is then who was logged in on this device last. The page can
 * show what is kept and keep requests; the service is asked until it answers.
 * @type {SignalOf<Session>}
 */
export const session = signal({ state: "asking" });

/**
 * Whether the worker holds a permission key, which their role has or implies. The service
 * decides; pages do not offer what it would refuse.
 */
export const may = (key) => session.value.permissions?.includes(key) ?? false;

let token = null;
let renewAt = 0; // epoch milliseconds
let asking = null; // the promise of the renewal under way
let generation = 0; // raised by login and logout: an earlier renewal is dropped
let retry = { timer: undefined, waitS: 1 };
const tabs = globalThis.BroadcastChannel && new BroadcastChannel("glassflow.session");
tabs?.addEventListener("message", ({ data }) => (data === "ended" ? close() : start()));
tabs?.unref?.(); // Node, which runs the tests, would wait for it

useTokens({ pageToken, renew });

/** Ask who is logged in, again and again until the service answers. */
export async function start() {
  clearTimeout(retry.timer);
  if (session.value.state === "none") session.value = { state: "asking" };
  const impatient = setTimeout(openOffline, OFFLINE_AFTER_MS);
  try {
    await renew();
    retry.waitS = 1;
  } catch (error) {
    if (!(error instanceof Refused && error.isFromService)) openOffline();
    if (session.value.state !== "none" && token === null) retryLater(error);
  } finally {
    clearTimeout(impatient);
  }
}

function retryLater(error) {
  const waitS = error.retryAfterS || retry.waitS;
  retry = {
    timer: setTimeout(start, waitS * 1000),
    waitS: Math.min(2 * retry.waitS, MAX_RETRY_S),
  };
  if (session.value.offline) return;
  session.value = { state: "failed", error, retryAt: Date.now() + waitS * 1000 };
}

/** Go on as the worker who was logged in on this device last, if that is known. */
function openOffline() {
  if (!["asking", "failed"].includes(session.value.state)) return;
  const last = JSON.parse(saved("kept.session"));
  if (!(Date.now() - last?.at < KEPT_FOR_MS)) return;
  clock.aheadMs = last.clockAheadMs;
  timeZone.value = last.known.timezone;
  session.value = { state: "open", ...last.known, offline: true };
}

/** The token for requests and sockets; throws when nobody is logged in. */
export async function pageToken() {
  return token !== null && Date.now() < renewAt ? token : renew();
}

/** Get the next token with the cookie, once for all who wait for it. */
export function renew() {
  asking ??= fetchToken().finally(() => (asking = null));
  return asking;
}

async function fetchToken() {
  const begun = generation;
  try {
    const { data } = await request(PATH, { headers: HEADERS });
    if (begun === generation) open(data);
  } catch (error) {
    const ended = error instanceof Refused && error.status === 401;
    if (ended && begun === generation) close();
    throw error;
  }
  if (token === null) throw new Error("Logged out meanwhile");
  return token;
}

/** Start a session. Throws `Refused` (401, 429) or `Unreachable`. */
export async function logIn(username, password) {
  const body = { username, password };
  const { data } = await request(PATH, { method: "POST", body, headers: HEADERS });
  generation += 1;
  open(data);
  tabs?.postMessage("opened");
}

/** End the session, in all tabs of this browser. Throws `Unreachable` or `Refused`. */
export async function logOut() {
  await request(PATH, { method: "DELETE", headers: HEADERS });
  close();
  tabs?.postMessage("ended");
}

function open({ token: issued, expiresIn, ...known }) {
  // another worker has logged in in another tab: what pages hold of the last one goes
  if (session.value.worker && session.value.worker._id !== known.worker._id) close();
  token = issued;
  timeZone.value = known.timezone;
  // at the latest halfway, where tokens are short
  const validS = Math.max(expiresIn - RENEW_BEFORE_S, expiresIn / 2);
  renewAt = Date.now() + validS * 1000;
  const last = { known, at: Date.now(), clockAheadMs: clock.aheadMs };
  save("kept.session", JSON.stringify(last));
  session.value = { state: "open", ...known };
}

function close() {
  generation += 1;
  token = null;
  forgetKept();
  session.value = { state: "none", ended: session.value.state === "open" };
}
