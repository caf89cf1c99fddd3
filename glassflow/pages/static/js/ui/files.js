// Files of the API: got, sent, and stored by the browser.
import { Refused, Unreachable } from "../core/api.js";
import { lang } from "../core/preferences.js";
import { pageToken, renew } from "../core/session.js";

const TIMEOUT_MS = 60_000; // others' files may be made first

/**
 * Get a file of the API: {blob, name, pages}; with a `body` by POST, with further `headers`. `name`
 * is "" and `pages` NaN where the answer does not say them. Throws `Refused` or `Unreachable`.
 */
export async function fetchFile(path, body, timeoutMs = TIMEOUT_MS, headers = {}) {
  const json = {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body: JSON.stringify(body),
  };
  return fileOf(await authorized(`/api${path}`, body ? json : {}, timeoutMs));
}

/** Get a file of the service, by its whole path and with headers of its own; as `fetchFile`. */
export async function fetchPublicFile(path, headers) {
  return fileOf(await send(path, { headers }, TIMEOUT_MS));
}

async function fileOf(answer) {
  if (!answer.ok) throw await refusal(answer);
  const named = /filename="([^"]+)"/.exec(answer.headers.get("Content-Disposition") ?? "");
  return {
    blob: await received(answer.blob()),
    name: named?.[1] ?? "",
    pages: Number(answer.headers.get("X-Label-Pages") ?? NaN),
  };
}

/** POST a file, a text or a Blob; return the envelope. Throws `Refused` or `Unreachable`. */
export async function sendFile(path, body, type, headers = {}) {
  const sent = { method: "POST", headers: { Accept: "application/json", "Content-Type": type, ...headers }, body };
  const answer = await authorized(`/api${path}`, sent, TIMEOUT_MS);
  if (!answer.ok) throw await refusal(answer);
  return received(answer.json());
}

const refusal = async (answer) => new Refused(answer, await answer.json().catch(() => null));

async function authorized(path, { headers = {}, ...options }, timeoutMs) {
  const sendWith = (token) =>
    send(path, { ...options, headers: { ...headers, Authorization: `Bearer ${token}` } }, timeoutMs);
  const answer = await sendWith(await pageToken());
  return answer.status === 401 ? sendWith(await renew()) : answer;
}

function send(path, { headers, ...options }, timeoutMs) {
  return received(
    fetch(path, {
      ...options,
      headers: { "Accept-Language": lang.value, ...headers },
      signal: AbortSignal.timeout(timeoutMs),
    }),
  );
}

async function received(promise) {
  try {
    return await promise;
  } catch (error) {
    throw new Unreachable(String(error)); // also in the middle of the answer
  }
}

/** Let the browser store a file. */
export function download(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
