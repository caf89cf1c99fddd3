// Requests to the service, in its envelope.
import { lang } from "./preferences.js";

const TIMEOUT_MS = 20_000; // the service answers within seconds, or with 503
// Whatever a proxy asks for: a timer cannot wait for ever, and nobody reloads a wall screen.
const MAX_RETRY_AFTER_S = 3600;
const MAX_FAULT_S = 60;

const LOAD_AGAIN_MS = 4000;
const REACHED_MS = 5000;

let tokens = null;

/** How far the service's clock is ahead of this device's, in milliseconds. */
export const clock = { aheadMs: 0 };

/** A moment of this device's clock (epoch milliseconds) by the service's: for ages and deadlines. */
export const serviceTime = (moment = Date.now()) => moment + clock.aheadMs;

/** Let `api` get its tokens: {pageToken, renew}, as session.js has them. */
export function useTokens(source) {
  tokens = source;
}

/** No answer came: no network, no service, or too late. */
export class Unreachable extends Error {}

/** A refusal or a fault, with `message` in the language of the page. */
export function inWords(one) {
  return { ...one, message: one.localMessage ?? one.message };
}

/**
 * The service refused or failed. `message`, `code`, `errors`, `faults` and `requestId` are
 * from its answer; `isFromService` is false for the page of a proxy.
 */
export class Refused extends Error {
  constructor(answer, envelope) {
    super(envelope ? inWords(envelope).message : answer.statusText);
    this.status = answer.status;
    this.isFromService = Boolean(envelope);
    this.errors = envelope?.errors;
    this.code = envelope?.errors?.code ?? "";
    this.faults = Array.isArray(envelope?.errors) ? envelope.errors.map(inWords) : [];
    this.requestId = answer.headers.get("X-Request-ID") ?? "";
    const mostS = this.status < 500 ? MAX_RETRY_AFTER_S : MAX_FAULT_S;
    this.retryAfterS = Math.min(answer.headers.get("Retry-After"), mostS) || 0;
  }
}

/** How long an action over so many records may take, in ms. */
export const timeFor = (records = 0) => Math.min(TIMEOUT_MS + 40 * records, 60_000);

/** What a promise brings, within a time. Throws `Unreachable` after it. */
export async function inTime(promise, limitMs = TIMEOUT_MS) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Unreachable("No answer in time")), limitMs);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * What `load` brings; undefined once `isWanted()` is false. After a failure, of which
 * `onFault(error, retryAt)` is told, the page is loaded anew if the service answers: it may be of
 * another release, and some browsers remember that a module failed. Else `load` is called again.
 */
export async function untilLoaded(load, isWanted, onFault) {
  for (;;) {
    try {
      return await inTime(load());
    } catch (error) {
      console.warn(error);
      onFault?.(error, Date.now() + LOAD_AGAIN_MS);
    }
    await new Promise((resolve) => setTimeout(resolve, LOAD_AGAIN_MS));
    if (!isWanted()) return undefined;
    const asked = fetch(location.href, { method: "HEAD", signal: AbortSignal.timeout(REACHED_MS) });
    if (
      await asked.then(
        ({ ok }) => ok,
        () => false,
      )
    )
      location.reload();
  }
}

const styles = {}; // the promise of each one

function loadStyle(name) {
  const href = new URL(`../${name}.css`, import.meta.url).href;
  return (styles[name] ??= new Promise((loaded, failed) => {
    const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
    link.onload = loaded;
    link.onerror = () => {
      link.remove();
      delete styles[name];
      failed(new Error(`${href} could not be loaded`));
    };
    document.head.append(link);
  }));
}

/** The module of a page, once its styles are loaded, so that it never shows without them. */
export async function styled(module) {
  await Promise.all((module.styles ?? []).map(loadStyle));
  return module;
}

/** Send a request; return the envelope. Throws `Unreachable` or `Refused`. */
export async function request(path, { method = "GET", body = undefined, headers = {}, timeoutMs = TIMEOUT_MS } = {}) {
  const type = body === undefined ? {} : { "Content-Type": "application/json" };
  let answer, envelope;
  try {
    answer = await fetch(path, {
      method,
      headers: { Accept: "application/json", "Accept-Language": lang.value, ...type, ...headers },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.timeout(timeoutMs),
    });
    setClock(answer.headers.get("Date"));
    envelope = await answer.json().catch((error) => {
      if (error instanceof SyntaxError) return null; // a proxy's page, not ours
      throw error;
    });
  } catch (error) {
    throw new Unreachable(String(error));
  }
  if (!answer.ok || envelope === null) throw new Refused(answer, envelope);
  return envelope;
}

// The header has whole seconds: less than two are no difference.
function setClock(date) {
  const aheadMs = Date.parse(date) - Date.now();
  clock.aheadMs = Math.abs(aheadMs) > 2000 ? aheadMs : 0; // NaN, where there is no header, too
}

/**
 * Call `/api${path}` with the page's token, which is renewed once where it has ended.
 * Returns the envelope. Throws `Refused` or `Unreachable`.
 */
export async function api(path, options = {}) {
  try {
    return await authorized(path, options, await tokens.pageToken());
  } catch (error) {
    if (!(error instanceof Refused && error.status === 401)) throw error;
    return authorized(path, options, await tokens.renew());
  }
}

function authorized(path, options, token) {
  const headers = { ...options.headers, Authorization: `Bearer ${token}` };
  return request(`/api${path}`, { ...options, headers });
}
