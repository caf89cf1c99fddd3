import assert from "node:assert/strict";
import { mock, test } from "node:test";

const STATIC = "../../../glassflow/pages/static/js/core";
const { inTurn, resource } = await import(`${STATIC}/resource.js`);
const { Refused, Unreachable } = await import(`${STATIC}/api.js`);
const { receive, resetConnection, gapCount, setConnection } = await import(`${STATIC}/events.js`);

const settle = () => new Promise(setImmediate);

/** A read whose answers the test gives: `reads` counts, `answer` resolves the last one. */
function service() {
  const one = { reads: 0 };
  one.read = () => {
    one.reads += 1;
    return new Promise((resolve, reject) => Object.assign(one, { answer: resolve, fail: reject }));
  };
  return one;
}

async function within(run) {
  mock.timers.enable({ apis: ["setTimeout", "Date"], now: 1_000_000 });
  try {
    await run();
  } finally {
    mock.timers.reset();
  }
}

async function tick(ms) {
  mock.timers.tick(ms);
  await settle();
}

test("reads of a page run one after the other, also after one that failed", async () => {
  const order = [];
  const read = (name) => async () => {
    order.push(`${name} begins`);
    await settle();
    order.push(`${name} ends`);
    if (name === "a") throw new Error(name);
  };
  const [first] = await Promise.allSettled([inTurn(read("a")), inTurn(read("b"))]);
  assert.equal(first.status, "rejected");
  assert.deepEqual(order, ["a begins", "a ends", "b begins", "b ends"]);
});

test("a resource is read once, and then changed by events", () =>
  within(async () => {
    const { one, state, stop } = await started({ "x:updated": (value, { data }) => value + data });
    assert.deepEqual(state.value, { value: undefined, error: null, loading: true });
    one.answer(1);
    await settle();
    assert.deepEqual(state.value, { value: 1, error: null, loading: false });
    receive("x:updated", { data: 2 });
    await tick(100);
    assert.equal(state.value.value, 3);
    assert.equal(one.reads, 1);
    stop();
    receive("x:updated", { data: 2 });
    await tick(100);
    assert.equal(state.value.value, 3);
  }));

test("an event that arrives before the answer is applied to the answer", () =>
  within(async () => {
    const { one, state, stop } = await started({ "x:updated": (value, { data }) => [...value, data] });
    receive("x:updated", { data: "early" });
    await tick(100);
    one.answer(["read"]);
    await settle();
    assert.deepEqual(state.value.value, ["read", "early"]);
    stop();
  }));

test("what events do not show is read again, ever more rarely while that goes on", () =>
  within(async () => {
    const { one, stop } = await started({ "x:updated": () => undefined });
    one.answer(0);
    await settle();
    const waits = [];
    for (let round = 0; round < 7; round += 1) {
      for (let n = 0; n < 5; n += 1) receive("x:updated", { data: n });
      await tick(100);
      const before = one.reads;
      let waited = 0;
      for (; one.reads === before; waited += 1) await tick(1000);
      waits.push(waited);
      one.answer(round);
      await settle();
    }
    assert.deepEqual(waits, [2, 4, 8, 16, 30, 30, 30]);
    stop();
  }));

test("a change of the page's own is read after a read that began before it, once", () =>
  within(async () => {
    setConnection("live");
    const { one, state, stop } = await started({});
    one.load();
    one.load();
    await settle();
    assert.equal(one.reads, 1);
    one.answer("as it was");
    await settle();
    assert.deepEqual([one.reads, state.value.value], [2, "as it was"]);
    one.answer("changed");
    await tick(60_000);
    assert.deepEqual([one.reads, state.value.value], [2, "changed"]);
    stop();
    resetConnection();
  }));

test("a truncated event says only that the record changed", () =>
  within(async () => {
    const { one, state, stop } = await started({ "x:updated": () => "wrong" });
    one.answer("right");
    await settle();
    receive("x:updated", { truncated: true });
    await tick(100);
    assert.equal(state.value.value, "right");
    await tick(2000);
    assert.equal(one.reads, 2);
    one.answer("right");
    await settle();
    stop();
  }));

test("a service that does not answer is asked again; a refusal is final", () =>
  within(async () => {
    const { one, state, stop } = await started({});
    one.answer("kept");
    await settle();
    const refused = (status) => new Refused({ status, statusText: "", headers: new Headers() }, null);
    for (const [error, waitMs] of [
      [new Unreachable("x"), 1000],
      [refused(503), 2000],
      [refused(429), 4000],
    ]) {
      const before = one.reads;
      one.load();
      await settle();
      one.fail(error);
      await settle();
      assert.equal(state.value.value, "kept");
      assert.equal(state.value.error, error);
      await tick(waitMs - 1);
      assert.equal(one.reads, before + 1);
      await tick(1);
      assert.equal(one.reads, before + 2);
      one.fail(refused(403));
      await settle();
      await tick(100_000);
      assert.equal(one.reads, before + 2);
    }
    stop();
  }));

test("what failed while the service was away is read as soon as it is back", () =>
  within(async () => {
    const { one, state, stop } = await started({});
    for (const waitMs of [0, 1000, 2000, 4000]) {
      await tick(waitMs);
      one.fail(new Unreachable("no network"));
      await settle();
    }
    assert.equal(one.reads, 4);
    setConnection("live");
    await settle();
    assert.equal(one.reads, 5);
    one.fail(new Unreachable("no network")); // not yet: a short wait again
    await settle();
    await tick(1000);
    assert.equal(one.reads, 6);
    one.answer(1);
    await settle();
    setConnection("lost");
    setConnection("live");
    await settle();
    assert.deepEqual([one.reads, state.value.value], [6, 1]); // events tell the rest
    stop();

    const refused = await started({});
    refused.one.fail(new Refused({ status: 403, headers: new Headers() }, { message: "no" }));
    await settle();
    setConnection("lost");
    setConnection("live");
    await settle();
    assert.equal(refused.one.reads, 1);
    refused.stop();
    setConnection("lost");
  }));

test("it is read again where missed events are no longer stored", () =>
  within(async () => {
    const { one, stop } = await started({});
    one.answer(1);
    await settle();
    gapCount.value += 1;
    await tick(2000);
    assert.equal(one.reads, 2);
    one.answer(2);
    await settle();
    stop();
  }));

test("what was read before the page was live is read once more then", () =>
  within(async () => {
    const before = await started({ "x:updated": () => undefined });
    before.one.answer("before");
    await settle();
    const meanwhile = await started({});
    setConnection("live");
    await settle();
    assert.deepEqual([before.one.reads, meanwhile.one.reads], [1, 1]); // in turn
    meanwhile.one.answer("meanwhile");
    await settle();
    before.one.answer("after");
    await settle();
    meanwhile.one.answer("after, too");
    await settle();
    const later = await started({});
    later.one.answer("later");
    await tick(60_000);
    assert.deepEqual(
      [before, meanwhile, later].map(({ one }) => one.reads),
      [2, 2, 1],
    );
    assert.equal(before.state.value.value, "after");
    for (const { stop } of [before, meanwhile, later]) stop();
    resetConnection();
  }));

test("what no event tells of is read again after a time, and not while the page is hidden", () =>
  within(async () => {
    globalThis.document = Object.assign(new EventTarget(), { hidden: false });
    const look = (isLookedAt) => {
      document.hidden = !isLookedAt;
      document.dispatchEvent(new Event("visibilitychange"));
      return settle();
    };
    const { one, state, stop } = await started({}, { everyMs: 30_000 });
    one.answer("first");
    await settle();
    await tick(30_000);
    assert.equal(one.reads, 2);
    one.answer("second");
    await settle();
    assert.equal(state.value.value, "second");
    await look(false);
    await tick(300_000);
    assert.equal(one.reads, 2);
    await look(true);
    assert.equal(one.reads, 3);
    one.answer("third");
    await settle();
    await tick(30_000);
    assert.equal(one.reads, 4);
    one.answer("fourth");
    await settle();
    stop();
    await look(true);
    await tick(60_000);
    assert.equal(one.reads, 4);
    delete globalThis.document;
  }));

async function started(handlers, options) {
  const one = service();
  const made = resource(one.read, handlers, options);
  const stop = made.start();
  await settle();
  one.load = made.load;
  return { one, state: made.state, stop };
}
