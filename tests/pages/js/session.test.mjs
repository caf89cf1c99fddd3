import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { answer, answerLogin, calls, FakeStorage, forget, refuse } from "./service.mjs";

globalThis.localStorage = new FakeStorage();

const STATIC = "../../../glassflow/pages/static/js/core";
const { effect } = await import("../../../glassflow/pages/static/vendor/ui.js");
const { api, Refused, Unreachable } = await import(`${STATIC}/api.js`);
const { logIn, logOut, pageToken, renew, session, start } = await import(`${STATIC}/session.js`);

beforeEach(async () => {
  forget();
  answer(200, { success: true });
  await logOut();
  forget();
});

test("a login opens the session, and the password is sent once, to its route", async () => {
  answerLogin();
  await logIn("nok", "secret");
  assert.deepEqual(session.value, { state: "open", worker: { name: "Nok" } });
  const [{ path, method, headers, body }] = calls;
  assert.deepEqual([path, method, headers["X-Floor"]], ["/floor/session", "POST", "1"]);
  assert.deepEqual(JSON.parse(body), { username: "nok", password: "secret" });
  assert.equal(await pageToken(), "t1");
  assert.equal(calls.length, 1);
});

test("what pages hold of a worker goes when another one has logged in in another tab", async () => {
  const [nok, nid] = ["w1", "w2"].map((_id) => ({ _id, name: _id }));
  const openAs = (worker) => answer(200, { success: true, data: { token: "t", expiresIn: 43200, worker } });
  openAs(nok);
  await logIn("nok", "secret");
  localStorage.setItem("glassflow.kept.panes", "[]");
  const states = [];
  const dispose = effect(() => states.push([session.value.state, session.value.worker?._id]));
  openAs(nok);
  await renew();
  assert.ok(localStorage.getItem("glassflow.kept.panes"));
  openAs(nid);
  await start(); // as the message of the other tab does
  dispose();
  assert.deepEqual(states, [
    ["open", "w1"],
    ["open", "w1"],
    ["none", undefined],
    ["open", "w2"],
  ]);
  assert.equal(localStorage.getItem("glassflow.kept.panes"), null);
  assert.equal(await pageToken(), "t");
});

test("a refused login leaves the page logged out", async () => {
  refuse(401, "Invalid username or password");
  await assert.rejects(logIn("nok", "wrong"), (error) => error instanceof Refused);
  assert.equal(session.value.state, "none");
});

test("a reloaded page asks for its session with the cookie", async () => {
  answerLogin({ token: "t2" });
  await start();
  assert.equal(session.value.state, "open");
  assert.equal(await pageToken(), "t2");
  assert.equal(calls[0].headers.Authorization, undefined);
});

test("a page whose cookie has ended shows the login", async () => {
  refuse(401);
  await start();
  assert.deepEqual(session.value, { state: "none", ended: false });
  answerLogin();
  await logIn("nok", "secret");
  refuse(401);
  await assert.rejects(renew());
  assert.deepEqual(session.value, { state: "none", ended: true });
});

test("a page that gets no answer at its start says so and asks again", async () => {
  mock.timers.enable({ apis: ["setTimeout", "Date"] });
  const states = [];
  const dispose = effect(() => states.push(session.value.state));
  try {
    await start();
    assert.equal(session.value.state, "failed");
    assert.ok(session.value.error instanceof Unreachable);
    assert.equal(session.value.retryAt, Date.now() + 1000);
    refuse(503, "busy", { "Retry-After": "4", "X-Request-ID": "r1" });
    await start();
    assert.equal(session.value.error.requestId, "r1");
    assert.equal(session.value.retryAt, Date.now() + 4000);
    answerLogin();
    mock.timers.tick(4000);
    while (session.value.state !== "open") await new Promise(setImmediate);
    // what it says stays until there is an answer
    assert.deepEqual(states, ["none", "asking", "failed", "failed", "open"]);
  } finally {
    dispose();
    mock.timers.reset();
  }
});

// As a page that is closed and opened again: with what is kept, and without its memory.
async function reopened() {
  const before = { ...localStorage };
  answer(200, { success: true });
  await logOut();
  Object.assign(localStorage, before);
}

test("a page that is opened without network goes on as who was logged in last", async () => {
  mock.timers.enable({ apis: ["setTimeout", "Date"] });
  try {
    answerLogin();
    await logIn("nok", "secret");
    assert.doesNotMatch(JSON.stringify(localStorage), /t1/); // no token is kept
    await reopened();
    await start();
    assert.deepEqual(session.value, { state: "open", worker: { name: "Nok" }, offline: true });
    await assert.rejects(pageToken(), (error) => error instanceof Unreachable);
    answerLogin();
    mock.timers.tick(1000);
    while (session.value.offline) await new Promise(setImmediate);
    assert.deepEqual(session.value, { state: "open", worker: { name: "Nok" } });
    assert.equal(await pageToken(), "t1");
  } finally {
    mock.timers.reset();
  }
});

test("a page whose service takes long shows what is kept meanwhile", async () => {
  mock.timers.enable({ apis: ["setTimeout", "Date"] });
  const fetchNow = globalThis.fetch;
  try {
    answerLogin();
    await logIn("nok", "secret");
    await reopened();
    let release;
    const released = new Promise((resolve) => (release = resolve));
    globalThis.fetch = (...call) => released.then(() => fetchNow(...call));
    answerLogin();
    const started = start();
    assert.equal(session.value.state, "asking");
    mock.timers.tick(2000);
    assert.equal(session.value.offline, true);
    release();
    await started;
    assert.equal(session.value.offline, undefined);
  } finally {
    globalThis.fetch = fetchNow;
    mock.timers.reset();
  }
});

test("nobody goes on without network after a logout, an ended session, or three days", async () => {
  mock.timers.enable({ apis: ["setTimeout", "Date"] });
  try {
    answerLogin();
    await logIn("nok", "secret");
    localStorage.setItem("glassflow.kept.panes", "[]");
    localStorage.setItem("glassflow.lang", "th");
    answer(200, { success: true });
    await logOut();
    assert.deepEqual(Object.keys(localStorage), ["glassflow.lang"]);
    await start();
    assert.equal(session.value.state, "failed");

    answerLogin();
    await logIn("nok", "secret");
    await reopened();
    await start();
    refuse(401);
    await start();
    assert.deepEqual(session.value, { state: "none", ended: true });
    await start();
    assert.equal(session.value.state, "failed");

    answerLogin();
    await logIn("nok", "secret");
    await reopened();
    mock.timers.tick(72 * 3600 * 1000 + 1);
    await start();
    assert.equal(session.value.state, "failed");
  } finally {
    mock.timers.reset();
  }
});

test("a service that fails is no missing network", async () => {
  mock.timers.enable({ apis: ["setTimeout", "Date"] });
  try {
    answerLogin();
    await logIn("nok", "secret");
    await reopened();
    refuse(503, "busy");
    await start();
    assert.equal(session.value.state, "failed");
    answer(502, "<html>Bad Gateway</html>"); // a proxy's: the service is not there
    await start();
    assert.equal(session.value.offline, true);
  } finally {
    mock.timers.reset();
  }
});

test("an open page stays open while the service is away", async () => {
  answerLogin({ expiresIn: 0 });
  await logIn("nok", "secret");
  await assert.rejects(pageToken(), (error) => error instanceof Unreachable);
  refuse(503);
  await assert.rejects(pageToken(), (error) => error instanceof Refused);
  assert.equal(session.value.state, "open");
});

test("a token is renewed before it ends, once for all who wait", async () => {
  mock.timers.enable({ apis: ["Date"] });
  try {
    answerLogin({ expiresIn: 1000 });
    await logIn("nok", "secret");
    mock.timers.tick(600_000);
    assert.equal(await pageToken(), "t1");
    mock.timers.tick(101_000);
    answerLogin({ token: "t2" });
    assert.deepEqual(await Promise.all([pageToken(), pageToken()]), ["t2", "t2"]);
    assert.equal(calls.length, 2);
  } finally {
    mock.timers.reset();
  }
});

test("an answer that comes after the logout does not log in again", async () => {
  answerLogin();
  await logIn("nok", "secret");
  const fetchNow = globalThis.fetch;
  let release;
  globalThis.fetch = async (...args) => {
    globalThis.fetch = fetchNow;
    const late = fetchNow(...args);
    await new Promise((resolve) => (release = resolve));
    return late;
  };
  answerLogin({ token: "late" });
  const renewal = renew();
  answer(200, { success: true });
  await logOut();
  release();
  await assert.rejects(renewal);
  assert.equal(session.value.state, "none");
});

test("a failed logout leaves the page logged in", async () => {
  answerLogin();
  await logIn("nok", "secret");
  await assert.rejects(logOut(), (error) => error instanceof Unreachable);
  assert.equal(session.value.state, "open");
});

test("the API is called with the page's token, renewed once where it has ended", async () => {
  answerLogin();
  await logIn("nok", "secret");
  refuse(401);
  answerLogin({ token: "t2" });
  answer(200, { success: true, data: [1] });
  assert.deepEqual((await api("/panes", { method: "GET" })).data, [1]);
  const sent = calls.slice(1).map(({ path, headers }) => [path, headers.Authorization]);
  assert.deepEqual(sent, [
    ["/api/panes", "Bearer t1"],
    ["/floor/session", undefined],
    ["/api/panes", "Bearer t2"],
  ]);
});

test("a refusal has the message, the faults and the request id of the answer", async () => {
  answerLogin();
  await logIn("nok", "secret");
  answer(409, { success: false, message: "no", errors: { code: "WRONG_STATION" } }, { "X-Request-ID": "r7" });
  const refused = await api("/panes").catch((error) => error);
  assert.deepEqual(
    [refused.status, refused.message, refused.code, refused.requestId],
    [409, "no", "WRONG_STATION", "r7"],
  );
  const faults = [{ field: "name", message: "Missing" }];
  answer(400, { success: false, message: "Validation failed", errors: faults });
  assert.deepEqual((await api("/panes").catch((error) => error)).faults, faults);
});

test("a page of a proxy is no answer of the service", async () => {
  for (const status of [200, 502]) {
    answer(status, "<html>Bad gateway</html>");
    await assert.rejects(logIn("a", "b"), (error) => error instanceof Refused);
  }
});
