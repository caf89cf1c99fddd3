import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { answer, answerLogin, calls, refuse } from "./service.mjs";

const STATIC = "../../../glassflow/pages/static/js/core";
const { logIn, logOut, session } = await import(`${STATIC}/session.js`);
const { connection, freshness, onEvent } = await import(`${STATIC}/events.js`);
const live = await import(`${STATIC}/live.js`);

/** What glassflow.js uses of socket.io-client; a test calls what the network would. */
class FakeSocket {
  handlers = {};
  connected = false;
  active = true;
  connects = 0;
  sent = [];
  io = {
    handlers: {},
    on: (name, handler) => (this.io.handlers[name] = handler),
    engine: { close: () => this.end("transport close") },
  };

  constructor(url, options) {
    Object.assign(this, { url, options });
  }
  on(name, handler) {
    this.handlers[name] = handler;
  }
  onAny(handler) {
    this.any = handler;
  }
  connect() {
    if (!this.connected) this.connects += 1;
  }
  disconnect() {
    this.connected = false;
  }
  async emitWithAck(...event) {
    this.sent.push(event);
    return { ok: true, seq: 7 };
  }
  async accept() {
    this.auth = await new Promise((resolve) => this.options.auth(resolve));
    this.connected = true;
    this.handlers.connect();
    while (connection.value.state !== "live") await new Promise(setImmediate);
  }
  end(reason) {
    this.connected = false;
    this.handlers.disconnect(reason);
  }
  refuse(message) {
    this.active = false;
    this.handlers.connect_error({ message });
  }
}

const listeners = {};
globalThis.addEventListener = (name, handler) => (listeners[name] = handler);
globalThis.location = { origin: "http://floor.test" };
const sockets = [];
const io = (...options) => sockets[sockets.push(new FakeSocket(...options)) - 1];
live.start(io);

async function open() {
  answerLogin();
  await logIn("nok", "secret");
  const socket = sockets.at(-1);
  await socket.accept();
  return socket;
}

async function close() {
  answer(200, { success: true });
  await logOut();
}

const settle = () => new Promise((resolve) => setTimeout(resolve, 20));

test("the page connects when somebody logs in, with the token, and joins its room", async () => {
  assert.equal(sockets.length, 0);
  const socket = await open();
  assert.equal(socket.url, "http://floor.test");
  assert.deepEqual(socket.auth, { token: "t1" });
  assert.deepEqual(socket.sent[0], ["join_dashboard"]);
  await close();
  assert.deepEqual(connection.value, { state: "connecting", completeAt: 0 });
  assert.equal(socket.connected, false);
});

test("events that arrive are applied", async () => {
  const socket = await open();
  const seen = [];
  const stop = onEvent("pane:updated", (_, { seq }) => seen.push(seq));
  socket.any("pane:updated", {}, { seq: 8 });
  await new Promise((resolve) => setTimeout(resolve, 150));
  stop();
  assert.deepEqual(seen, [8]);
  await close();
});

test("a connection that ends is as old as its end; one that fell silent, as its last sign", async () => {
  mock.timers.enable({ apis: ["Date"], now: 1_000_000 });
  try {
    const socket = await open();
    mock.timers.tick(10_000);
    socket.io.handlers.ping();
    mock.timers.tick(45_000);
    socket.end("ping timeout");
    assert.deepEqual(freshness(connection.value, Date.now()), { kind: "stale", ageS: 45 });
    await socket.accept();
    mock.timers.tick(20_000);
    socket.end("transport close");
    assert.equal(freshness(connection.value, Date.now()).ageS, 0);
    await close();
  } finally {
    mock.timers.reset();
  }
});

test("a browser that goes offline drops its connection, and opens one when it is back", async () => {
  const socket = await open();
  listeners.offline();
  assert.equal(connection.value.state, "lost");
  const before = socket.connects;
  listeners.online();
  assert.equal(socket.connects, before + 1);
  await close();
});

test("a revoked token is replaced while the session lasts", async () => {
  const socket = await open();
  const before = socket.connects;
  answerLogin({ token: "t2" });
  socket.end("io server disconnect");
  socket.refuse("Invalid or expired token");
  await settle();
  assert.equal(socket.connects, before + 1);
  await socket.accept();
  assert.deepEqual(socket.auth, { token: "t2" });
  await close();
});

test("a session that has ended ends the connection", async () => {
  const socket = await open();
  refuse(401, "Invalid or expired token");
  socket.refuse("Invalid or expired token");
  await settle();
  assert.deepEqual(session.value, { state: "none", ended: true });
  assert.equal(calls.at(-1).path, "/floor/session");
  assert.equal(connection.value.completeAt, 0);
});
