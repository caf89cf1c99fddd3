import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { answer, answerLogin, calls, FakeStorage, forget, refuse } from "./service.mjs";

const STATIC = "../../../glassflow/pages/static/js";
globalThis.document ??= { documentElement: { dataset: {} }, addEventListener() {} };
globalThis.location ??= { pathname: "/floor/board", search: "", origin: "http://localhost" };
globalThis.addEventListener ??= () => {};
globalThis.removeEventListener ??= () => {};
globalThis.localStorage ??= new FakeStorage();
const { logIn } = await import(`${STATIC}/core/session.js`);
const { resetConnection, setConnection } = await import(`${STATIC}/core/events.js`);
const { board, fault, follow } = await import(`${STATIC}/pages/board/source.js`);

answerLogin();
await logIn("nok", "secret");

const turn = () => new Promise(setImmediate);
const asked = () => calls.filter(({ path }) => path === "/api/board").length;
const snapshot = (seq) => answer(200, { success: true, data: { seq, stations: [], alerts: [] } });

/** Follow a board whose page is not live yet; `play` is told when the snapshot is there. */
async function followed(play) {
  forget();
  resetConnection();
  localStorage.removeItem("glassflow.kept.board"); // of the test before
  fault.value = null;
  mock.timers.enable({ apis: ["setTimeout", "setInterval"] });
  const stop = follow();
  try {
    await play(async (seq) => {
      while (board.seq !== seq) await turn();
    });
  } finally {
    stop();
    mock.timers.reset();
  }
}

test("the first snapshot does not wait for the connection", () =>
  followed(async (shown) => {
    snapshot(7);
    await shown(7);
    setConnection("live", 0, 7);
    await turn();
    assert.equal(asked(), 1);
  }));

test("a snapshot that is older than the connection is asked for again", () =>
  followed(async (shown) => {
    snapshot(7);
    await shown(7);
    snapshot(9);
    setConnection("live", 0, 8);
    await shown(9);
    assert.equal(asked(), 2);
  }));

test("also one that comes after the connection", () =>
  followed(async (shown) => {
    setConnection("live", 0, 8);
    snapshot(7);
    await shown(7);
    assert.equal(asked(), 1);
    snapshot(8);
    mock.timers.tick(500);
    await shown(8);
    mock.timers.tick(60_000);
    await turn();
    assert.equal(asked(), 2);
  }));

test("a first snapshot that fails is asked for again as soon as the page is live", () =>
  followed(async (shown) => {
    refuse(503, "Busy", { "Retry-After": "30" });
    while (!fault.value) await turn();
    snapshot(7);
    setConnection("live", 0, 7);
    await shown(7);
    assert.equal(fault.value, null);
    setConnection("lost", 0);
    setConnection("live", 0, 9); // the events between are replayed
    await turn();
    assert.equal(asked(), 2);
  }));
