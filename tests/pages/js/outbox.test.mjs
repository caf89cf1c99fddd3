import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { answer, calls, forget, refuse, unreached } from "./service.mjs";

const STATIC = "../../../glassflow/pages/static/js/core";
const listeners = {};
globalThis.addEventListener = (name, handler) => (listeners[name] = handler);
const { clock } = await import(`${STATIC}/api.js`);
const { logIn, logOut, renew, session } = await import(`${STATIC}/session.js`);
const { setConnection } = await import(`${STATIC}/events.js`);
const { newKey } = await import(`${STATIC}/idempotency.js`);
const { hasFailed, onAnswer, outbox, rows, send, sendAll } = await import(`${STATIC}/outbox.js`);
const { dismiss, sendAgain, setAside, takeBack } = await import(`${STATIC}/outbox_list.js`);

const { withFollowers } = await import(`${STATIC}/../pages/scan_page/requests.js`);

const NOK = { _id: "w1", name: "Nok" };
const NID = { _id: "w2", name: "Nid" };
const OURS = { "X-Request-ID": "r1" };
const SCAN = "/panes/PNE-0001/scan";
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const sent = () => calls.filter(({ path }) => path.startsWith("/api"));
const keys = () => sent().map(({ headers }) => headers["Idempotency-Key"]);
const bodies = () => sent().map(({ body }) => JSON.parse(body));
const accept = (data = {}) => answer(200, { success: true, data }, OURS);

async function logInAs(worker) {
  answer(200, { success: true, data: { token: `of ${worker.name}`, expiresIn: 43200, worker } });
  await logIn(worker.name, "secret");
  await settled();
}

// Until nothing is left to do but to wait for the network.
async function settled() {
  await new Promise(setImmediate);
  await sendAll();
  await new Promise(setImmediate);
}

async function comeOnline() {
  listeners.online();
  await settled();
}

beforeEach(async () => {
  for (const worker of [NOK, NID]) {
    await logInAs(worker);
    for (let n = 0; n < 20 && outbox.value.waiting.length; n += 1) accept();
    await comeOnline();
    for (const { n } of outbox.value.refused) await dismiss(n);
    forget();
    answer(200, { success: true });
    await logOut();
  }
  await logInAs(NOK);
  forget();
});

test("a request is sent at once, with a key of its own, and its answer returned", async () => {
  accept({ pane: 1 });
  const result = await send(SCAN, { action: "scan_in" });
  assert.deepEqual(result, {
    kind: "answered",
    envelope: { success: true, data: { pane: 1 } },
  });
  const [{ path, method, headers }] = sent();
  assert.deepEqual([path, method], [`/api${SCAN}`, "POST"]);
  assert.equal(headers.Authorization, "Bearer of Nok");
  assert.match(headers["Idempotency-Key"], UUID);
  assert.deepEqual(outbox.value, { waiting: [], kept: [], refused: [], others: [] });
});

test("a refusal that is seen at once is returned, and put on no list", async () => {
  const errors = { code: "WRONG_STATION", station: "s1" };
  answer(409, { success: false, message: "ผิดสถานี", errors }, OURS);
  const { kind, error } = await send(SCAN, { action: "scan_in" });
  assert.equal(kind, "refused");
  assert.deepEqual(error, {
    status: 409,
    code: "WRONG_STATION",
    message: "ผิดสถานี",
    errors,
    faults: [],
    requestId: "r1",
  });
  assert.deepEqual(outbox.value.refused, []);
});

test("what gets no answer is kept, and sent in order and with its key when the network is back", async () => {
  for (const action of ["scan_in", "start", "complete"])
    assert.deepEqual(await send(SCAN, { action }), { kind: "kept" });
  assert.deepEqual(
    outbox.value.waiting.map(({ body }) => body.action),
    ["scan_in", "start", "complete"],
  );
  const [first] = keys();
  assert.ok(keys().every((key) => key === first)); // those behind it wait
  const kept = outbox.value.waiting.map(({ key }) => key);
  forget();
  for (let n = 0; n < 3; n += 1) accept();
  await comeOnline();
  assert.deepEqual(keys(), kept);
  assert.deepEqual(
    bodies().map(({ action }) => action),
    ["scan_in", "start", "complete"],
  );
  assert.deepEqual(outbox.value.waiting, []);
});

test("requests that are made at once leave one at a time, each with its own answer", async () => {
  for (const n of [1, 2, 3]) accept({ n });
  const results = await Promise.all([1, 2, 3].map((n) => send(SCAN, { n })));
  assert.deepEqual(
    results.map(({ envelope }) => envelope.data.n),
    [1, 2, 3],
  );
  assert.deepEqual(
    bodies().map(({ n }) => n),
    [1, 2, 3],
  );
});

test("a refusal of a kept request is put on the list, and the next ones are sent", async () => {
  for (const n of [1, 2, 3]) await send(SCAN, { n });
  accept();
  refuse(400, "no", OURS);
  accept();
  await comeOnline();
  assert.deepEqual(outbox.value.waiting, []);
  const [{ n, body, refusal }, ...others] = outbox.value.refused;
  assert.deepEqual([body.n, refusal.status, refusal.message, others.length], [2, 400, "no", 0]);
  await dismiss(n);
  assert.deepEqual(outbox.value.refused, []);
});

test("an answer that depends on the moment is no refusal", async () => {
  for (const [status, headers] of [
    [503, OURS],
    [500, OURS],
    [429, { ...OURS, "Retry-After": "1" }],
    [409, { ...OURS, "Retry-After": "1" }],
    [408, OURS],
  ]) {
    refuse(status, "later", headers);
    assert.deepEqual(await send(SCAN, { status }), { kind: "kept" }, String(status));
    accept();
    await comeOnline();
    assert.deepEqual(outbox.value, { waiting: [], kept: [], refused: [], others: [] });
  }
  for (const status of [404, 200]) {
    answer(status, "<html>Please pay for this network</html>"); // not from the service
    assert.deepEqual(await send(SCAN, { status }), { kind: "kept" });
    accept();
    await comeOnline();
  }
  assert.equal(new Set(keys()).size, 7);
});

test("a token that has ended is renewed, and the request sent again", async () => {
  refuse(401, "ended", OURS);
  answer(200, { success: true, data: { token: "t2", expiresIn: 43200, worker: NOK } });
  accept();
  assert.equal((await send(SCAN, {})).kind, "answered");
  assert.deepEqual(
    sent().map(({ headers }) => headers.Authorization),
    ["Bearer of Nok", "Bearer t2"],
  );
  assert.equal(new Set(keys()).size, 1);
});

test("a refused request is sent again in its old place, with another key", async () => {
  for (const n of [1, 2]) await send(SCAN, { n });
  const old = outbox.value.waiting.map(({ key }) => key);
  refuse(409, "not yet", OURS);
  accept();
  await comeOnline();
  await send(SCAN, { n: 3 });
  forget();
  for (let n = 0; n < 2; n += 1) accept();
  const [{ n, name }] = outbox.value.refused;
  assert.equal(name, "Nok");
  await sendAgain(n);
  await settled();
  assert.deepEqual(bodies(), [{ n: 1 }, { n: 3 }]);
  assert.ok(!old.includes(keys()[0]));
  assert.deepEqual(outbox.value, { waiting: [], kept: [], refused: [], others: [] });
  await sendAgain(n); // of another tab, too late
  assert.equal(sent().length, 2);
});

test("a request that fails is set aside, those after it are sent, and it counts once", async () => {
  for (const n of [1, 2]) await send(SCAN, { n });
  forget();
  refuse(500, "a fault", OURS);
  await comeOnline();
  assert.equal(hasFailed.value, true);
  const [{ n, key }] = outbox.value.waiting;
  accept();
  await setAside(n);
  await settled();
  assert.equal(hasFailed.value, false);
  assert.equal(bodies().at(-1).n, 2);
  assert.deepEqual(outbox.value.waiting, []);
  assert.deepEqual(
    outbox.value.refused.map((row) => [row.n, row.refusal.code]),
    [[n, "SET_ASIDE"]],
  );
  accept();
  await sendAgain(n);
  await settled();
  assert.equal(keys().at(-1), key); // the service may have carried it out the first time
  assert.deepEqual(outbox.value, { waiting: [], kept: [], refused: [], others: [] });
});

const takeBackRow = async (n) => (await takeBack((all) => withFollowers(all, n))).map(({ body }) => body.n);

test("what has not left the device can be taken back, with what follows from it; what has left cannot", async () => {
  const other = "/panes/PNE-0002/scan";
  const scans = [
    [SCAN, 1],
    [other, 2],
    [SCAN, 3],
    [SCAN, 4],
  ];
  for (const [path, n] of scans) await send(path, { n });
  const [first, second, third] = outbox.value.waiting;
  assert.deepEqual(
    outbox.value.waiting.map(({ tried }) => Boolean(tried)),
    [true, false, false, false], // whether the first one has arrived, nobody knows
  );
  assert.deepEqual(await takeBackRow(first.n), []);
  assert.deepEqual(await takeBackRow(third.n), [3, 4]);
  assert.deepEqual(await takeBackRow(third.n), []); // in another tab, too
  await send(SCAN, { n: 5 });
  forget();
  for (let n = 0; n < 3; n += 1) accept();
  await comeOnline();
  assert.deepEqual(bodies(), [{ n: 1 }, { n: 2 }, { n: 5 }]);
  assert.deepEqual(await takeBackRow(second.n), []);
});

test("a row that is taken back while it is to be sent is not, and one that is being sent is", async () => {
  for (const n of [1, 2]) await send(SCAN, { n });
  const [first, second] = outbox.value.waiting;
  forget();
  const { change } = rows;
  const takenBack = [];
  rows.change = async (n, alter) => {
    if (n === second.n) takenBack.push(await takeBackRow(n)); // just before it leaves
    return change.call(rows, n, alter);
  };
  const fetchNow = globalThis.fetch;
  globalThis.fetch = async (...call) => {
    if (call[0].startsWith("/api/panes")) takenBack.push(await takeBackRow(first.n));
    return fetchNow(...call);
  };
  try {
    accept();
    await comeOnline();
  } finally {
    rows.change = change;
    globalThis.fetch = fetchNow;
  }
  assert.deepEqual(takenBack, [[], [2]]);
  assert.deepEqual(bodies(), [{ n: 1 }]);
  assert.deepEqual(outbox.value.waiting, []);
});

test("only who made a scan takes it back, and a refused one that is sent again can be", async () => {
  for (const n of [1, 2]) await send(SCAN, { n });
  const [, second] = outbox.value.waiting;
  answer(200, { success: true });
  await logOut();
  await logInAs(NID);
  assert.deepEqual(await takeBackRow(second.n), []);
  answer(200, { success: true });
  await logOut();
  await logInAs(NOK);
  refuse(409, "no", OURS);
  await comeOnline();
  forget();
  const [{ n }] = outbox.value.refused;
  await sendAgain(n); // without network, with another key
  await settled();
  assert.deepEqual(await takeBackRow(n), [1, 2]);
});

test("a photo goes with what names it, and that with what follows", async () => {
  const photo = (id) => send("/attachments", { photo: "data:", id });
  await send("/panes/PNE-0009/scan", { n: 0 });
  await photo("p1");
  await photo("p2");
  await send(SCAN, { n: 1, action: "qc_fail", photos: ["p1"] });
  await send("/deliveries/d1/hand-over", { n: 2, paneNumbers: ["PNE-0001", "PNE-0005"], photos: ["p2"] });
  await send("/deliveries/d1/load", { n: 3, paneNumbers: ["PNE-0005"] });
  const all = outbox.value.waiting;
  const numbers = (n) => withFollowers(all, n).map((row) => all.indexOf(row));
  assert.deepEqual(
    all.map(({ n }) => numbers(n)),
    [[0], [1, 2, 3, 4, 5], [2, 4, 5], [1, 2, 3, 4, 5], [2, 4, 5], [5]],
  );
  assert.deepEqual(withFollowers(all, 0), []);
});

test("answers of kept requests are told before their rows are gone from the outbox", async () => {
  for (const n of [1, 2]) await send(SCAN, { n });
  const heard = [];
  const stop = onAnswer(({ path, body }, { data }) => heard.push([path, body.n, data, outbox.value.waiting.length]));
  accept({ pane: 1 });
  refuse(409, "no", OURS);
  await comeOnline();
  stop();
  assert.deepEqual(heard, [[SCAN, 1, { pane: 1 }, 2]]);
  await dismiss(outbox.value.refused[0].n);
});

test("others learn who has kept what on this device", async () => {
  for (const n of [1, 2]) await send(SCAN, { n });
  refuse(409, "no", OURS);
  await comeOnline();
  answer(200, { success: true });
  await logOut();
  await logInAs(NID);
  assert.deepEqual(outbox.value.others, [{ worker: "w1", name: "Nok", waiting: 1, refused: 1 }]);
  assert.deepEqual(outbox.value.refused, []);
});

test("a request is never sent in the name of another worker", async () => {
  await send(SCAN, { by: "Nok" });
  answer(200, { success: true });
  await logOut();
  await settled();
  const others = [{ worker: "w1", name: "Nok", waiting: 1, refused: 0 }];
  assert.deepEqual(outbox.value, { waiting: [], kept: [], refused: [], others });
  await logInAs(NID);
  forget();
  accept();
  assert.equal((await send(SCAN, { by: "Nid" })).kind, "answered");
  assert.deepEqual(bodies(), [{ by: "Nid" }]);
  assert.deepEqual(outbox.value, { waiting: [], kept: [], refused: [], others });
  answer(200, { success: true });
  await logOut();
  answer(200, { success: true, data: { token: "t", expiresIn: 43200, worker: NOK } });
  accept();
  await logIn("Nok", "secret");
  await settled();
  assert.deepEqual(bodies().at(-1), { by: "Nok" });
  assert.deepEqual(outbox.value, { waiting: [], kept: [], refused: [], others: [] });
});

test("nobody can send anything while nobody is logged in", async () => {
  answer(200, { success: true });
  await logOut();
  assert.equal(session.value.state, "none");
  await assert.rejects(send(SCAN, {}));
});

test("who has to change a one-time password first loses nothing that waits", async () => {
  await send(SCAN, { n: 1 });
  answer(200, { success: true });
  await logOut();
  const known = { token: "one-time", expiresIn: 43200, worker: NOK };
  answer(200, { success: true, data: { ...known, mustChangePassword: true } });
  await logIn("Nok", "one-time");
  forget();
  refuse(403, "Change your password first", OURS);
  await settled();
  assert.deepEqual([sent(), outbox.value.refused], [[], []]);
  forget();
  answer(200, { success: true, data: known }); // once it is changed
  accept();
  await renew();
  await settled();
  assert.deepEqual(bodies(), [{ n: 1 }]);
  assert.deepEqual(outbox.value, { waiting: [], kept: [], refused: [], others: [] });
});

test("an answer that takes long is awaited for 4 s, and those behind it not at all", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const fetchNow = globalThis.fetch;
  try {
    let arrive;
    globalThis.fetch = (...call) => new Promise((resolve) => (arrive = resolve)).then(() => fetchNow(...call));
    const outcomes = [];
    const scan = (n) => send(SCAN, { n }).then(({ kind }) => outcomes.push(kind));
    scan(1);
    await new Promise(setImmediate);
    mock.timers.tick(3999);
    await new Promise(setImmediate);
    assert.deepEqual(outcomes, []);
    // a scan that is answered in time is never shown as one that has to be sent
    assert.deepEqual([outbox.value.waiting.length, outbox.value.kept], [1, []]);
    mock.timers.tick(1);
    await new Promise(setImmediate);
    assert.equal(outbox.value.kept.length, 1);
    scan(2);
    await new Promise(setImmediate);
    mock.timers.tick(0);
    await new Promise(setImmediate);
    assert.deepEqual(outcomes, ["kept", "kept"]);
    globalThis.fetch = fetchNow;
    for (let n = 0; n < 3; n += 1) accept();
    arrive();
    await settled();
    await send(SCAN, { n: 3 }).then(({ kind }) => outcomes.push(kind));
    assert.deepEqual(outcomes, ["kept", "kept", "answered"]);
  } finally {
    globalThis.fetch = fetchNow;
    mock.timers.reset();
  }
});

test("what waits is sent as soon as the live connection is back", async () => {
  await send(SCAN, {});
  accept();
  setConnection("live");
  await settled();
  assert.deepEqual(outbox.value.waiting, []);
  setConnection("lost");
});

test("it is sent again after 0.5 to 8 seconds", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const turns = async () => {
    for (let n = 0; n < 20; n += 1) await new Promise(setImmediate);
  };
  try {
    await send(SCAN, {});
    accept(); // so that the pauses begin again with the next one
    await comeOnline();
    await send(SCAN, {});
    const pauses = [];
    for (let n = 0; n < 6; n += 1) {
      const before = unreached.length;
      let waitedMs = 0;
      for (; unreached.length === before && waitedMs < 20_000; waitedMs += 250) {
        mock.timers.tick(250);
        await turns();
      }
      pauses.push(waitedMs);
    }
    assert.deepEqual(pauses, [500, 1000, 2000, 4000, 8000, 8000]);
  } finally {
    mock.timers.reset();
  }
});

test("the moment of a scan is that of the service's clock", async () => {
  const occurredAt = new Date("2026-11-22T03:00:00Z");
  accept();
  await send(SCAN, { action: "start" }, { occurredAt, key: "k1" });
  const ahead = new Date(Date.now() + 600_000).toUTCString();
  answer(200, { success: true }, { ...OURS, Date: ahead });
  await send(SCAN, {});
  assert.ok(Math.abs(clock.aheadMs - 600_000) < 3000);
  accept();
  await send(SCAN, { action: "start" }, { occurredAt });
  const [first, , second] = bodies();
  assert.deepEqual(first, { action: "start", occurredAt: "2026-11-22T03:00:00.000Z" });
  assert.equal(keys()[0], "k1");
  const difference = Date.parse(second.occurredAt) - occurredAt.getTime();
  assert.ok(Math.abs(difference - 600_000) < 3000, second.occurredAt);
});

test("keys are random UUIDs, and need no secure context", () => {
  const made = Array.from({ length: 100 }, newKey);
  for (const key of made) assert.match(key, UUID);
  assert.equal(new Set(made).size, 100);
});
