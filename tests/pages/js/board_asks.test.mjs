// When a board asks for its snapshot again: after a fault, at midnight, and where events do not
// tell all.
import assert from "node:assert/strict";
import { test } from "node:test";
import { withClock } from "./clock.mjs";
import "./document.mjs";
import { answer, answerLogin, calls, FakeStorage, forget, refuse } from "./service.mjs";

const STATIC = "../../../glassflow/pages/static/js";
globalThis.localStorage ??= new FakeStorage();
const { setLang, timeZone } = await import(`${STATIC}/core/preferences.js`);
const { logIn } = await import(`${STATIC}/core/session.js`);
const { resetConnection } = await import(`${STATIC}/core/events.js`);
const { board, fault, follow } = await import(`${STATIC}/pages/board/source.js`);
setLang("en");

const NOON = Date.parse("2026-11-22T05:00:00Z"); // in Bangkok
const BEFORE_MIDNIGHT = Date.parse("2026-11-22T16:59:50Z");
const BEFORE_UTC_MIDNIGHT = Date.parse("2026-11-22T23:59:50Z");
let seq = 0;
const asked = () => calls.filter(({ path }) => path === "/api/board").length;
const outToday = () => board.stations.value[0].outToday;

function snapshot(out = 0) {
  const stations = [{ _id: "a", name: "a", position: 1, version: 1, outToday: out, stay: null }];
  answer(200, { success: true, data: { seq: (seq += 1), stations, alerts: [] } });
}

/** Follow a board in Bangkok; `play` gets how to let time pass, and how to leave it. */
function followed(play, now = NOON) {
  return withClock(
    async (pass) => {
      forget();
      resetConnection();
      answerLogin();
      await logIn("nok", "secret");
      timeZone.value = "Asia/Bangkok";
      board.incomplete.value = 0;
      fault.value = null;
      const stop = follow();
      try {
        await play(pass, stop);
      } finally {
        stop();
      }
    },
    { now },
  );
}

/** Each pause before the board asks again, in ms, as steps of 50 ms show it. */
async function pauses(pass, count) {
  const found = [];
  while (found.length < count) {
    const before = asked();
    let waited = 0;
    for (; asked() === before; waited += 50) await pass(50);
    found.push(waited);
  }
  return found;
}

test("a snapshot that fails is asked for after 0.5 s, then ever more rarely, up to every 8 s", () =>
  followed(async (pass) => {
    for (let turn = 0; turn < 8; turn += 1) refuse(503, "Busy");
    assert.deepEqual(await pauses(pass, 8), [50, 500, 1000, 2000, 4000, 8000, 8000, 8000]);
    snapshot(3);
    await pauses(pass, 1);
    await pass(50);
    assert.deepEqual([outToday(), fault.value], [3, null]);
  }));

test("a service that is not reached is asked as often, and a success makes the pauses short again", () =>
  followed(async (pass) => {
    assert.deepEqual(await pauses(pass, 4), [50, 500, 1000, 2000]);
    snapshot();
    assert.deepEqual(await pauses(pass, 1), [4000]);
    await pass(50);
    board.incomplete.value += 1;
    await pass(3000); // asks, in vain
    assert.deepEqual(await pauses(pass, 2), [500, 1000]);
  }));

test("a service that says when to come again is not asked before", () =>
  followed(async (pass) => {
    refuse(503, "Busy", { "Retry-After": "30" });
    refuse(503, "Busy", { "Retry-After": "1" });
    refuse(503, "Busy", { "Retry-After": "1" });
    refuse(503, "Busy", { "Retry-After": "1" });
    // its own pauses have grown meanwhile, and are the longer ones from the third on
    assert.deepEqual(await pauses(pass, 5), [50, 30_000, 1000, 2000, 4000]);
  }));

test("neither midnight nor an event makes a board ask sooner than the service has said", () =>
  followed(async (pass) => {
    refuse(503, "Busy", { "Retry-After": "30" });
    await pass(100);
    board.incomplete.value += 1;
    await pass(29_000);
    assert.equal(asked(), 1);
    snapshot(7);
    await pass(1_000);
    assert.deepEqual([asked(), outToday()], [2, 7]);
    snapshot(0); // that one may have been taken before midnight
    await pass(1_000);
    assert.deepEqual([asked(), outToday()], [3, 0]);
    await pass(30_000);
    assert.equal(asked(), 3);
  }, BEFORE_MIDNIGHT));

test("the figures of the day begin again at the workshop's midnight", () =>
  followed(async (pass) => {
    snapshot(7);
    await pass(9_000);
    assert.deepEqual([asked(), outToday()], [1, 7]);
    snapshot(0);
    await pass(6_000);
    assert.deepEqual([asked(), outToday()], [2, 0]);
    await pass(30_000);
    assert.equal(asked(), 2);
  }, BEFORE_MIDNIGHT));

test("no other midnight is the workshop's", () =>
  followed(async (pass) => {
    snapshot(7);
    await pass(30_000);
    assert.deepEqual([asked(), outToday()], [1, 7]);
  }, BEFORE_UTC_MIDNIGHT));

test("a clock that is up to 2 s ahead does not bring the figures of the day before", () =>
  followed(async (pass) => {
    snapshot(7);
    await pass(12_000); // 2 s after midnight by this clock, midnight by the service's
    assert.equal(asked(), 1);
    snapshot(0);
    await pass(3_000);
    assert.deepEqual([asked(), outToday()], [2, 0]);
  }, BEFORE_MIDNIGHT));

test("a midnight without the service is caught up with", () =>
  followed(async (pass) => {
    snapshot(7);
    await pass(20_000); // asks, in vain
    assert.equal(outToday(), 7);
    for (let turn = 0; turn < 2; turn += 1) snapshot(0);
    await pass(10_000);
    assert.equal(outToday(), 0);
  }, BEFORE_MIDNIGHT));

test("what events do not tell costs one snapshot, however many they are", () =>
  followed(async (pass) => {
    snapshot(1);
    await pass(1_000);
    for (let turn = 0; turn < 5; turn += 1) board.incomplete.value += 1;
    await pass(2_900);
    assert.equal(asked(), 1);
    snapshot(2);
    await pass(200);
    assert.deepEqual([asked(), outToday()], [2, 2]);
    await pass(30_000);
    assert.equal(asked(), 2);
  }));

test("such events that keep coming do not put the snapshot off", () =>
  followed(async (pass) => {
    snapshot(1);
    await pass(1_000);
    for (let turn = 0; turn < 12; turn += 1) {
      snapshot(2 + turn);
      board.incomplete.value += 1;
      await pass(1_000);
    }
    assert.ok(asked() >= 4 && asked() <= 5, String(asked()));
  }));

test("a board that is left asks for nothing more", () =>
  followed(async (pass, leave) => {
    snapshot();
    await pass(100);
    board.incomplete.value += 1;
    leave();
    await pass(20_000);
    assert.equal(asked(), 1);
  }, BEFORE_MIDNIGHT));
