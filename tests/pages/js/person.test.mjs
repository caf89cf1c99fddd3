import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { answer, calls, forget, refuse } from "./service.mjs";

const STATIC = "../../../glassflow/pages/static/js/core";
const listeners = {};
globalThis.addEventListener = (name, handler) => (listeners[name] = handler);
const { api } = await import(`${STATIC}/api.js`);
const { logIn, logOut } = await import(`${STATIC}/session.js`);
const { actor, isShared, leave, person } = await import(`${STATIC}/person.js`);
const { identifyByBadge, identifyByPin, people } = await import(`${STATIC}/identify.js`);
const { outbox, send, sendAll } = await import(`${STATIC}/outbox.js`);
const { dismiss } = await import(`${STATIC}/outbox_list.js`);

const TABLET = { _id: "d1", name: "Tablet" };
const NOK = { _id: "w1", name: "Nok" };
const NID = { _id: "w2", name: "Nid" };
const SCAN = "/panes/PNE-0001/scan";
const OURS = { "X-Request-ID": "r1" };
const accept = (data = {}) => answer(200, { success: true, data }, OURS);
const sentBy = () => calls.map(({ path, headers }) => [path, headers.Authorization]);

async function settled() {
  await new Promise(setImmediate);
  await sendAll();
  await new Promise(setImmediate);
}

async function identify(worker, how = identifyByBadge) {
  accept({ token: `of ${worker.name}`, expiresIn: 43200, worker, permissions: [] });
  await how("STDPLUS-WORKER:X");
  await settled();
}

beforeEach(async () => {
  forget();
  answer(200, { success: true, data: { token: "device", expiresIn: 43200, worker: TABLET, deviceIdleS: 600 } });
  await logIn("tablet", "secret");
  await settled();
  forget();
});

test("on a shared device nobody acts before they have identified", async () => {
  assert.equal(isShared(), true);
  assert.equal(actor(), undefined);
  await assert.rejects(send(SCAN, { action: "scan_in" }), /Nobody/);
  assert.deepEqual(calls, []);
});

test("who has identified acts with a token of their own, and the device reads the names", async () => {
  await identify(NOK);
  assert.equal(person.value.name, "Nok");
  accept([NID]);
  assert.deepEqual(await people(), [NID]);
  accept();
  await send(SCAN, { action: "scan_in" });
  accept();
  await api("/withdrawals", { method: "POST", body: {} });
  accept({ token: "of Nid", worker: NID });
  await identifyByPin("w2", "2580");
  assert.deepEqual(sentBy(), [
    ["/api/auth/badge", "Bearer device"],
    ["/api/auth/people", "Bearer device"],
    [`/api${SCAN}`, "Bearer of Nok"],
    ["/api/withdrawals", "Bearer of Nok"],
    ["/api/auth/pin", "Bearer device"],
  ]);
  assert.equal(actor().name, "Nid");
});

test("what a person left unsent is sent in their name, and then their session ends", async () => {
  await identify(NOK);
  forget();
  assert.deepEqual(await send(SCAN, { action: "scan_in" }), { kind: "kept" });
  leave();
  await settled();
  assert.deepEqual(outbox.value.others, [{ worker: "w1", name: "Nok", waiting: 1, refused: 0 }]);
  forget();
  accept();
  accept();
  await settled();
  assert.deepEqual(sentBy(), [
    [`/api${SCAN}`, "Bearer of Nok"],
    ["/api/auth/logout", "Bearer of Nok"],
  ]);
  assert.deepEqual(outbox.value.others, []);
});

test("a refusal that comes after its person has left is put on their list", async () => {
  await identify(NOK);
  const fetchNow = globalThis.fetch;
  let arrive;
  globalThis.fetch = (...call) => new Promise((resolve) => (arrive = resolve)).then(() => fetchNow(...call));
  const outcome = send(SCAN, { action: "scan_out" });
  await new Promise(setImmediate);
  leave();
  globalThis.fetch = fetchNow;
  refuse(400, "not completed yet", OURS);
  accept(); // the logout
  arrive();
  await settled();
  assert.deepEqual(await outcome, { kind: "kept" });
  assert.deepEqual(outbox.value.others, [{ worker: "w1", name: "Nok", waiting: 0, refused: 1 }]);
  await identify(NOK);
  await dismiss(outbox.value.refused[0].n);
});

test("a request of who has left is sent in their name, and its refusal put on their list", async () => {
  await identify(NOK);
  const worker = actor();
  leave();
  await identify(NID);
  forget();
  assert.deepEqual(await send(SCAN, { n: 1 }, { worker }), { kind: "kept" });
  await settled();
  assert.deepEqual([calls, outbox.value.others[0].waiting], [[], 1]); // their session has ended
  await identify(NOK);
  accept();
  await settled();
});

test("a session that the service has ended leaves the device, and its requests wait for the person", async () => {
  await identify(NOK);
  refuse(401, "Invalid or expired token", OURS);
  send(SCAN, { action: "scan_in" }).catch(() => {});
  await settled();
  assert.equal(person.value, null);
  assert.equal(outbox.value.others[0].name, "Nok");
  await identify(NID);
  forget();
  accept({ token: "of Nok", worker: NOK });
  accept();
  await identifyByBadge("STDPLUS-WORKER:X");
  await settled();
  assert.deepEqual(sentBy().at(-1), [`/api${SCAN}`, "Bearer of Nok"]);
  assert.deepEqual(outbox.value.others, []);
});

test("after a time without a tap nobody works here any more; a tap puts it off", async () => {
  leave();
  await settled();
  mock.timers.enable({ apis: ["setTimeout", "Date"], now: Date.now() });
  try {
    accept({ token: "of Nok", worker: NOK });
    await identifyByBadge("STDPLUS-WORKER:X");
    mock.timers.tick(599_000);
    listeners.pointerdown();
    mock.timers.tick(599_000);
    assert.equal(person.value.name, "Nok");
    mock.timers.tick(2_000);
    assert.equal(person.value, null);
  } finally {
    mock.timers.reset();
  }
});

test("with the logout of the device its person leaves", async () => {
  await identify(NOK);
  answer(200, { success: true });
  await logOut();
  assert.equal(person.value, null);
});
