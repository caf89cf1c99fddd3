// Keys by which the service carries a request out once, however often it is sent.
import { Refused } from "./api.js";

/** Whether an error says that the service has decided, and would decide the same when asked again. */
export function isFinal(error) {
  if (!(error instanceof Refused) || !error.isFromService || error.retryAfterS) return false;
  return error.status < 500 && ![401, 408, 429].includes(error.status);
}

/** A new key: a random UUID, also where the browser has no `crypto.randomUUID`. */
export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
