// How a worker identifies on a shared device.
import { request } from "./api.js";
import { identified } from "./person.js";
import { pageToken, renew } from "./session.js";

/** {_id, name} of the workers who have a PIN. */
export const people = async () => (await asDevice("/auth/people", {})).data;

/** Identify with the code of a badge; throws `Refused` or `Unreachable`. */
export const identifyByBadge = (code) => identify("/auth/badge", { code });

/** Identify with a PIN; throws as `identifyByBadge`. */
export const identifyByPin = (worker, pin) => identify("/auth/pin", { worker, pin });

async function identify(path, body) {
  identified((await asDevice(path, { method: "POST", body })).data);
}

// A request of the device itself, whoever works there.
async function asDevice(path, options) {
  const call = (token) => request(`/api${path}`, { ...options, headers: { Authorization: `Bearer ${token}` } });
  try {
    return await call(await pageToken());
  } catch (error) {
    if (error.status !== 401) throw error;
    return call(await renew());
  }
}
