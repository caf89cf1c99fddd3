import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { draw, drawn } from "./document.mjs";

const STATIC = "../../../glassflow/pages/static/js/core";
const { effect, signal } = await import("../../../glassflow/pages/static/vendor/ui.js");
const { connection, freshness, receive, heardAt, onEvent, resetConnection, setConnection, startLost } = await import(
  `${STATIC}/events.js`
);
const { match, pagePath } = await import(`${STATIC}/router.js`);

beforeEach(() => {
  resetConnection();
  heardAt.value = 0;
});

test("events are applied together, in their order, at most ten times a second", () => {
  mock.timers.enable({ apis: ["setTimeout", "Date"] });
  const seen = [];
  const newest = signal(0);
  let draws = -1;
  const stop = onEvent("pane:updated", (payload, meta) => {
    seen.push([payload, meta.seq]);
    newest.value = meta.seq;
  });
  const dispose = effect(() => (newest.value, draws++));
  try {
    for (const seq of [1, 2, 3]) receive("pane:updated", `p${seq}`, { seq });
    receive("order:updated", "o", { seq: 4 });
    assert.deepEqual(seen, []);
    mock.timers.tick(99);
    assert.deepEqual(seen, []);
    mock.timers.tick(1);
    assert.deepEqual(seen, [
      ["p1", 1],
      ["p2", 2],
      ["p3", 3],
    ]);
    assert.equal(draws, 1);
    assert.equal(heardAt.value, Date.now());
    stop();
    receive("pane:updated", "p5", { seq: 5 });
    mock.timers.tick(100);
    assert.equal(seen.length, 3);
    assert.equal(heardAt.value, Date.now());
  } finally {
    dispose();
    mock.timers.reset();
  }
});

test("events that take long to apply and to draw are followed by a longer pause, until they do not", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  let now = 0;
  let applyMs = 0;
  let drawMs = 0;
  mock.method(performance, "now", () => now);
  const applied = signal(0);
  const stop = onEvent("e", () => {
    now += applyMs;
    applied.value += 1;
  });
  const page = draw(() => {
    now += drawMs;
    return applied.value;
  });
  const count = () => applied.value;
  /** Hear an event, which has to be applied after `pauseMs` and not before. */
  async function appliedAfter(pauseMs) {
    const before = count();
    receive("e");
    mock.timers.tick(pauseMs - 1);
    assert.equal(count(), before);
    mock.timers.tick(1);
    assert.equal(count(), before + 1);
    await drawn();
    assert.equal(page.text(), String(before + 1));
  }
  try {
    [applyMs, drawMs] = [15, 15];
    await appliedAfter(100);
    await appliedAfter(100); // 30 ms are not too long
    [applyMs, drawMs] = [0, 31];
    await appliedAfter(100);
    await appliedAfter(250);
    [applyMs, drawMs] = [31, 0];
    await appliedAfter(250);
    [applyMs, drawMs] = [1, 1];
    await appliedAfter(250);
    await appliedAfter(100);
  } finally {
    stop();
    page.end();
    mock.restoreAll();
    mock.timers.reset();
  }
});

test("a handler that throws costs no other handler its event", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const logged = mock.method(console, "error", () => {});
  const seen = [];
  const stops = [
    onEvent("e", () => {
      throw new Error("broken");
    }),
    onEvent("e", (payload) => seen.push(payload)),
  ];
  try {
    receive("e", 1);
    mock.timers.tick(100);
    assert.deepEqual(seen, [1]);
    assert.equal(logged.mock.callCount(), 1);
  } finally {
    stops.forEach((stop) => stop());
    logged.mock.restore();
    mock.timers.reset();
  }
});

test("what is shown is as old as the time since the connection was lost", () => {
  setConnection("live", 1_000);
  assert.deepEqual(freshness(connection.value, 99_000), { kind: "live", ageS: 0 });
  setConnection("lost", 50_000);
  setConnection("lost", 60_000); // each failed try to reconnect says so again
  const kinds = [50_000, 54_999, 55_000, 175_000].map((now) => freshness(connection.value, now));
  assert.deepEqual(
    kinds.map(({ kind }) => kind),
    ["reconnecting", "reconnecting", "stale", "stale"],
  );
  assert.equal(kinds[3].ageS, 125);
  setConnection("live", 180_000);
  assert.equal(freshness(connection.value, 200_000).kind, "live");
});

test("before the first connection nothing is called old", () => {
  setConnection("lost", 1_000);
  assert.deepEqual(freshness(connection.value, 999_000), { kind: "connecting", ageS: 0 });
});

test("what is shown without a connection is as old as its last sign in the page before", () => {
  resetConnection();
  startLost(1_000);
  assert.deepEqual(freshness(connection.value, 61_000), { kind: "stale", ageS: 60 });
  setConnection("lost", 50_000);
  assert.equal(freshness(connection.value, 61_000).ageS, 60);
  setConnection("live", 70_000);
  startLost(1_000);
  assert.equal(connection.value.state, "live");
});

test("the address names the page", () => {
  assert.deepEqual(["/floor", "/floor/", "/floor/s/12/", "/floors", "/api"].map(pagePath), [
    "",
    "",
    "s/12",
    null,
    null,
  ]);
  const table = [
    ["", "home"],
    ["s/:station", "station"],
    ["board", "board"],
  ];
  assert.deepEqual(match(table, ""), { page: "home", params: {} });
  assert.deepEqual(match(table, "s/12"), { page: "station", params: { station: "12" } });
  assert.equal(match(table, "s/12/more"), null);
  assert.equal(match(table, "boards"), null);
  assert.equal(match(table, null), null);
});
