import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { withClock } from "./clock.mjs";
import { answer, answerLogin, calls, FakeStorage, forget, refuse } from "./service.mjs";

const STATIC = "../../../glassflow/pages/static/js";
const { logIn } = await import(`${STATIC}/core/session.js`);
const { outbox, send, sendAll } = await import(`${STATIC}/core/outbox.js`);
const { StationDesk } = await import(`${STATIC}/pages/station/desk.js`);
const { loadStation } = await import(`${STATIC}/pages/station/kept.js`);
const { isLate } = await import(`${STATIC}/pages/station/pane.js`);
const { counts, inOrder, isAway, Queue, withKept } = await import(`${STATIC}/pages/station/queue.js`);
const view = await import(`${STATIC}/pages/station/queue_view.js`);
const { DoneHere } = await import(`${STATIC}/pages/station/done_here.js`);
const { lastScans, madeToday } = await import(`${STATIC}/pages/station/idle.js`);
const { timeZone } = await import(`${STATIC}/core/preferences.js`);

const HERE = "a".repeat(24);
const THERE = "b".repeat(24);
const NOW = Date.parse("2026-11-22T03:00:00Z");
const ORDER = { _id: "o1", orderNumber: "ORD-0001", priority: 0 };
const REQUEST = { _id: "r1", deadline: "2026-12-01T00:00:00Z" };

let count = 0;
function pane(facts = {}) {
  count += 1;
  return {
    _id: `p${count}`,
    paneNumber: `PNE-${String(count).padStart(4, "0")}`,
    version: 1,
    currentStatus: "pending",
    currentStation: HERE,
    order: ORDER,
    request: REQUEST,
    createdAt: "2026-11-20T00:00:00Z",
    ...facts,
  };
}
const numbers = (panes) => panes.map((one) => one.paneNumber);
const list = (...data) => answer(200, { success: true, data, pagination: { next: null } });
const event = (data, action = "scanned") => ({
  action,
  data: { ...data, order: data.order?._id, request: data.request?._id },
});

async function queueOf(...panes) {
  const queue = new Queue(HERE);
  list(...panes);
  await queue.load();
  return queue;
}

globalThis.addEventListener = globalThis.removeEventListener = () => {};
answerLogin();
await logIn("nok", "secret");
beforeEach(forget);

test("late panes come first, then those of urgent orders, then the oldest", () => {
  const old = pane({ createdAt: "2026-11-19T00:00:00Z" });
  const arrived = pane({ arrivedAt: "2026-11-18T00:00:00Z" }); // here for longer than `old`
  const urgent = pane({ order: { priority: 3 } });
  const late = pane({ request: { deadline: "2026-11-21T00:00:00Z" } });
  const loose = pane({ order: null, request: null });
  const wanted = [late, urgent, arrived, old, loose];
  for (let turn = 0; turn < wanted.length; turn += 1) {
    const shuffled = [...wanted.slice(turn), ...wanted.slice(0, turn)].reverse();
    assert.deepEqual(numbers(inOrder(shuffled, NOW)), numbers(wanted));
  }
  assert.deepEqual([isLate(late, NOW), isLate(urgent, NOW), isLate(loose, NOW)], [true, false, false]);
});

test("only open panes are late", () => {
  const past = { request: { deadline: "2026-11-21T00:00:00Z" } };
  const late = (currentStatus) => isLate(pane({ ...past, currentStatus }), NOW);
  assert.deepEqual(["pending", "in_progress", "awaiting_scan_out", "completed", "defected"].map(late), [
    true,
    true,
    true,
    false,
    false,
  ]);
});

test("scans that the device keeps show in the queue: what they did, what they brought, and what has left", () => {
  const [a, b, c] = [pane(), pane({ currentStatus: "awaiting_scan_out" }), pane()];
  const scan = ({ paneNumber: number }, action) => ({ number, action });
  const rows = withKept(
    [a, b, c],
    [
      ...[scan(a, "scan_in"), scan(b, "scan_out"), scan(a, "complete")],
      ...[scan({ paneNumber: "PNE-9999" }, "scan_in"), scan({ paneNumber: "PNE-9998" }, "move_here")],
    ],
    false,
    (number) => number.startsWith("PNE-999"),
  );
  const shown = Object.fromEntries(rows.map((one) => [one.paneNumber, [one.currentStatus, one.kept]]));
  assert.deepEqual(shown, {
    [a.paneNumber]: ["awaiting_scan_out", "complete"],
    [b.paneNumber]: ["left", "scan_out"],
    [c.paneNumber]: ["pending", undefined],
    "PNE-9999": ["outside", "scan_in"],
    "PNE-9998": ["in_progress", "move_here"],
  });
  assert.deepEqual(counts(rows), { pending: 1, in_progress: 1, awaiting_scan_out: 1 });
  assert.deepEqual(numbers(inOrder(rows, NOW)).slice(-2), ["PNE-9999", b.paneNumber]);
  assert.deepEqual(rows.filter(isAway).length, 2);
  assert.equal(new Set(rows.map((one) => one._id)).size, 5);
});

test("the counts are by status", () => {
  const panes = ["pending", "pending", "in_progress", "awaiting_scan_out", "claimed"].map((currentStatus) =>
    pane({ currentStatus }),
  );
  assert.deepEqual(counts(panes), { pending: 2, in_progress: 1, awaiting_scan_out: 1 });
});

test("all pages of the list are read", async () => {
  const [a, b] = [pane(), pane()];
  const queue = new Queue(HERE);
  answer(200, { success: true, data: [a], pagination: { next: "after-a" } });
  answer(200, { success: true, data: [b], pagination: { next: null } });
  await queue.load();
  assert.deepEqual(numbers(queue.panes.value), numbers([a, b]));
  assert.match(calls[1].path, new RegExp(`station=${HERE}.*cursor=after-a`));
});

test("a pane that arrives, changes, leaves or is deleted follows its events", async () => {
  const [a, b] = [pane(), pane()];
  const queue = await queueOf(a);
  queue.receive(event(b));
  assert.deepEqual(numbers(queue.panes.value), numbers([a, b]));
  assert.equal(queue.find(b.paneNumber).order.orderNumber, "ORD-0001"); // known from `a`
  queue.receive(event({ ...a, version: 3, currentStatus: "in_progress" }));
  assert.equal(queue.find(a.paneNumber).currentStatus, "in_progress");
  queue.receive(event({ ...a, version: 2 })); // heard late
  assert.equal(queue.find(a.paneNumber).currentStatus, "in_progress");
  queue.receive(event({ ...a, version: 4, currentStation: THERE }));
  queue.receive(event({ ...b, version: 2 }, "deleted"));
  assert.deepEqual(queue.panes.value, []);
});

test("what events say during a read is not undone by it", async () => {
  const [a, b, c] = [pane(), pane(), pane()];
  const queue = await queueOf(a, b);
  list(a, b);
  const reading = queue.load();
  queue.receive(event({ ...a, version: 2, currentStation: THERE }));
  queue.receive(event({ ...b, version: 2, currentStatus: "in_progress" }));
  queue.receive(event(c));
  await reading;
  assert.deepEqual(numbers(queue.panes.value), numbers([b, c]));
  assert.equal(queue.find(b.paneNumber).currentStatus, "in_progress");
});

test("a list that cannot be read leaves what was shown, and says why", async () => {
  const a = pane();
  const queue = await queueOf(a);
  refuse(503, "busy");
  await queue.load();
  assert.deepEqual(numbers(queue.panes.value), numbers([a]));
  assert.equal(queue.error.value.status, 503);
  list();
  await queue.load();
  assert.deepEqual([queue.panes.value, queue.error.value], [[], null]);
});

test("a device that starts without network shows what it has kept", () => {
  const a = pane();
  assert.equal(new Queue(HERE, { panes: [a] }).find(a.paneNumber).order.orderNumber, "ORD-0001");
  assert.equal(new Queue(HERE).panes.value, null);
});

test("a pane is not in the queue where the device has all of it", async () => {
  const sheet = pane({ paneNumber: "PNE-0500-A" });
  const queue = await queueOf(sheet);
  const outside = (one) => ["PNE-0500", "PNE-0500-A", "PNE-050"].map((number) => one.isOutside(number));
  assert.deepEqual(outside(queue), [false, false, true]); // a unit is there with its sheets
  assert.deepEqual([queue.assume("PNE-050", []).outside, queue.isWhole], [true, true]);
  assert.deepEqual(outside(new Queue(HERE)), [false, false, false]); // it knows none
  const many = Array.from({ length: 10 }, () => Array.from({ length: 100 }, () => pane()));
  for (const panes of many) answer(200, { success: true, data: panes, pagination: { next: "more" } });
  await queue.load();
  assert.deepEqual(outside(queue), [false, false, false]);
  assert.deepEqual(outside(new Queue(HERE, { panes: [sheet], isWhole: false })), [false, false, false]);
});

test("the answer of a kept scan shows at once, but brings no pane back that has left since", async () => {
  const [a, b, gone] = [pane(), pane(), pane()];
  const queue = await queueOf(a, b);
  queue.answered("complete", { ...event(a).data, version: 2, currentStatus: "awaiting_scan_out" });
  queue.answered("scan_out", { ...event(b).data, version: 2, currentStation: THERE });
  queue.answered("scan_in", { ...event(gone).data, version: 2 }); // answered again, of an hour ago
  queue.close();
  assert.deepEqual(
    queue.panes.value.map((one) => [one.paneNumber, one.currentStatus]),
    [[a.paneNumber, "awaiting_scan_out"]],
  );
  queue.answered("scan_in", { ...event(a).data, version: 1 });
  assert.equal(queue.find(a.paneNumber).version, 2);
});

test("a pane never falls back to what it was before its kept scans, once they are answered", async () => {
  const [done, gone] = [pane(), pane()];
  const desk = new StationDesk(HERE);
  list(done, gone);
  await desk.queue.load();
  desk.open();
  const shown = () => [done, gone].map(({ paneNumber }) => desk.queue.find(paneNumber)?.currentStatus);
  const answered = (one, facts) => answer(200, { success: true, data: { pane: { ...one, version: 2, ...facts } } });
  const seen = [];
  try {
    for (const { paneNumber } of [done, gone]) await send(`/panes/${paneNumber}/scan`, { action: "complete" });
    const stop = outbox.subscribe(({ waiting }) => seen.push([waiting.length, ...shown()]));
    answered(event(done).data, { currentStatus: "awaiting_scan_out" });
    answered(event(gone).data, { currentStation: THERE });
    await sendAll();
    stop();
  } finally {
    desk.close();
  }
  const [first, ...later] = seen.map(String);
  assert.equal(first, "2,pending,pending");
  assert.deepEqual([...new Set(later)].slice(-2), ["1,awaiting_scan_out,pending", "0,awaiting_scan_out,"]);
});

/** Open a station that is not kept, with panes; `play(desk, kept, pass)`, where `kept()` are the versions that are. */
async function opened(panes, play) {
  globalThis.localStorage = new FakeStorage();
  try {
    await withClock(async (pass) => {
      const desk = new StationDesk(HERE);
      list({ _id: HERE, name: "Cutting" });
      list(...panes);
      desk.open();
      try {
        await pass(100);
        await play(desk, () => loadStation(HERE)?.panes.map((one) => one.version), pass);
      } finally {
        desk.close();
      }
    });
  } finally {
    delete globalThis.localStorage;
  }
}

test("a station is kept for a start without network as soon as its queue is read", () =>
  opened([pane()], (_, kept) => {
    assert.equal(loadStation(HERE).station.name, "Cutting");
    assert.deepEqual(kept(), [1]);
  }));

test("a queue that changes again and again is kept within 2 s of a change", () => {
  const first = pane();
  return opened([first], async (desk, kept, pass) => {
    for (let version = 2; version <= 6; version += 1) {
      desk.queue.receive(event({ ...first, version }));
      await pass(900);
    }
    assert.ok(kept()[0] >= 4, `version ${kept()} is kept`);
    await pass(2000);
    assert.deepEqual(kept(), [6]);
  });
});

test("a station that was left and is shown again goes on keeping its queue", () => {
  const first = pane();
  return opened([first], async (desk, kept, pass) => {
    desk.queue.receive(event({ ...first, version: 2 }));
    desk.close();
    await pass(3000);
    assert.deepEqual(kept(), [1]);
    desk.open();
    await pass(3000);
    assert.deepEqual(kept(), [2]);
  });
});

test("groups are by earliest deadline, keep the order of their rows, and count no pane that has left", () => {
  const [one, two, three] = [1, 2, 3].map((n) => ({ _id: `o${n}`, orderNumber: `ORD-000${n}` }));
  const due = (deadline) => ({ request: deadline && { deadline } });
  const later = pane({ order: one, ...due("2026-12-09T00:00:00Z") });
  const none = pane({ order: two, request: null });
  const soon = pane({ order: one, ...due("2026-12-02T00:00:00Z") });
  const sooner = pane({ order: three, ...due("2026-12-01T00:00:00Z") });
  const left = pane({ order: two, ...due("2026-11-01T00:00:00Z"), currentStatus: "left" });
  const loose = pane({ order: null, request: null });
  const rows = [later, none, soon, sooner, left, loose];
  const groups = (way) => view.groupsOf(rows, way).map(({ key, rows: some, first }) => [key, numbers(some), first]);
  assert.deepEqual(groups("order"), [
    ["o3", numbers([sooner]), sooner],
    ["o1", numbers([later, soon]), soon],
    ["o2", numbers([none, left]), none],
    ["", numbers([loose]), loose],
  ]);
  const glass = (glassTypeLabel, thickness) => pane({ glassTypeLabel, dimensions: { thickness } });
  const kinds = view.groupsOf([glass("Clear", 6), glass("Clear", 10), glass("Grey", 6), glass("Clear", 6)], "glass");
  assert.deepEqual(
    kinds.map(({ rows: some }) => some.length),
    [2, 1, 1],
  );
});

test("few rows have all groups open, and one more or less does not close them", () => {
  assert.deepEqual(
    [view.areFew(10), view.areFew(11), view.areFew(12, true), view.areFew(16, true)],
    [true, false, true, false],
  );
});

test("what is typed finds panes by parts of their number, their order's number and their mark", () => {
  const one = pane({ paneNumber: "PNE-0107-B", order: { orderNumber: "ORD-0032" }, mark: "W-01 ครัว" });
  const found = (text) => view.matches(one, text);
  for (const text of ["107", "0107", "107b", "pne-107", "32", "ord 32", "ORD-0032", "w1", "W-01", "ครัว", "นพก", ""])
    assert.ok(found(text), text);
  for (const text of ["108", "ord-33", "A", "w2"]) assert.ok(!found(text), text);
  const searches = (text) => view.isSearch([one], text);
  assert.deepEqual(["107", "107b", "ORD-32", "W-01", "ORD-33"].map(searches), [false, false, true, true, false]);
});

test("late panes and those due on the workshop's day are counted and filtered", () => {
  timeZone.value = "Asia/Bangkok"; // 10:00 there
  const at = (deadline, facts) => pane({ request: { deadline }, ...facts });
  const late = at("2026-11-22T02:59:00Z");
  const tonight = at("2026-11-22T16:30:00Z");
  const tomorrow = at("2026-11-22T17:30:00Z");
  const panes = [
    late,
    tonight,
    tomorrow,
    pane({ request: null }),
    at("2026-11-21T00:00:00Z", { currentStatus: "left" }),
  ];
  assert.deepEqual(view.dueCounts(panes, NOW), { late: 1, today: 1 });
  const shown = (due) => numbers(view.filtered(panes, { text: "", due }, NOW));
  assert.deepEqual([shown("late"), shown("today")], [numbers([late]), numbers([tonight])]);
  const { start, end } = view.dayOf(NOW);
  assert.deepEqual([start, end], [Date.parse("2026-11-21T17:00:00Z"), Date.parse("2026-11-22T17:00:00Z")]);
  // what a row is drawn by changes with the day and when it gets late, not each minute
  const moments = (one, ...minutes) => new Set(minutes.map((n) => view.momentFor(one, NOW + n * 60_000, start)));
  assert.deepEqual(
    [tonight, late, pane({ request: null })].map((one) => moments(one, 0, 1, 2).size),
    [1, 1, 3],
  );
  assert.equal(isLate(tonight, view.momentFor(tonight, Date.parse("2026-11-22T16:31:00Z"), start)), true);
  timeZone.value = undefined;
});

test("under a hand, rows keep their places: what has left stays as gone, what has come is last", () => {
  const [a, b, c, d] = [pane(), pane(), pane(), pane()];
  const id = ({ paneNumber }) => paneNumber;
  const changed = { ...c, currentStatus: "in_progress" };
  const held = view.holdStill([a, b, c], [d, changed, a], id);
  assert.deepEqual(numbers(held), numbers([a, b, c, d]));
  assert.deepEqual([held[0], held[2], held[1].isGone], [a, changed, true]);
  const again = view.holdStill(held, [d, changed, a], id);
  assert.deepEqual(again, held);
  assert.equal(again[1], held[1]); // is not drawn again
  assert.deepEqual(view.holdStill(again, [b, d], id)[1], b); // it has come back
});

test("what was scanned here is kept until logout: the last scans, and the panes that were made today", () => {
  globalThis.localStorage = new FakeStorage();
  try {
    const done = new DoneHere(HERE);
    const scan = (number, action, minute, version = 2, station = HERE) => {
      const occurredAt = new Date(NOW + minute * 60_000).toISOString();
      const passes = action === "pass_on";
      const body = {
        action: passes ? "scan_out" : action,
        station,
        occurredAt,
        ...(passes && { beforeComplete: true }),
      };
      done.noteAnswer({ path: `/panes/${number}/scan`, body }, { data: { pane: { version } } });
    };
    const state = () => madeToday(done.facts.value, [], NOW);
    scan("PNE-0001", "scan_in", 0, 2);
    scan("PNE-0001", "complete", 1, 3);
    scan("PNE-0001", "complete", 1, 3); // told by another tab
    scan("PNE-0001", "scan_out", 2, 4);
    scan("PNE-0002", "pass_on", 3);
    scan("PNE-0003", "complete", 4, 2, THERE);
    assert.equal(state().count, 2);
    done.noteCorrected({ paneNumber: "PNE-0002", version: 3, currentStation: HERE, currentStatus: "pending" });
    done.noteCorrected({ paneNumber: "PNE-0001", version: 4, currentStation: HERE, currentStatus: "in_progress" });
    done.noteCorrected({ paneNumber: "PNE-0001", version: 5, currentStation: THERE, currentStatus: "pending" });
    assert.equal(state().count, 1); // an older state, and a change elsewhere, take nothing back
    scan("PNE-0001", "qc_fail", 5, 6);
    assert.equal(state().count, 0);
    done.noteCorrected({
      paneNumber: "PNE-0001",
      version: 7,
      currentStation: HERE,
      currentStatus: "awaiting_scan_out",
    });
    assert.equal(state().count, 1);
    const kept = [{ number: "PNE-0009", action: "complete", at: NOW + 60_000 * 9 }];
    assert.deepEqual(madeToday(done.facts.value, kept, NOW), { count: 2, kept: 1 });
    assert.deepEqual(madeToday(done.facts.value, [], NOW + 86_400_000 * 2), { count: 0, kept: 0 });
    const shown = lastScans(new DoneHere(HERE).facts.value, kept, 4); // after a reload
    assert.deepEqual(
      shown.map((one) => [one.number, one.action, Boolean(one.isUndone), Boolean(one.isKept)]),
      [
        ["PNE-0009", "complete", false, true],
        ["PNE-0001", "qc_fail", true, false],
        ["PNE-0002", "pass_on", true, false],
        ["PNE-0001", "scan_out", false, false],
      ],
    );
    assert.deepEqual(new DoneHere(THERE).facts.value.scans, []);
    assert.ok(Object.keys(localStorage).every((name) => name.startsWith("glassflow.kept.")));
  } finally {
    delete globalThis.localStorage;
  }
});

test("an order or request that changes is shown so on all of its panes", async () => {
  const customer = { _id: "c1", shortName: "กระจกใส" };
  const order = { ...ORDER, customer, paneCount: 8 };
  const [a, b] = [pane({ order }), pane({ order })];
  const queue = new Queue(HERE, { panes: [a, b] });
  const before = queue.panes.value;
  queue.note({ ...order, customer: "c1", progressPercent: 10, version: 3 });
  assert.equal(queue.panes.value, before); // nothing of it is shown
  queue.note({ ...order, customer: "c1", paneCount: 9, priority: 2, version: 4 });
  for (const one of queue.panes.value) assert.deepEqual(one.order, { ...order, paneCount: 9, priority: 2 });
  queue.note({ _id: REQUEST._id, deadline: "2026-11-20T00:00:00Z", version: 2 });
  assert.equal(queue.find(a.paneNumber).request.deadline, "2026-11-20T00:00:00Z");
  queue.note({ _id: "another", deadline: null });
  assert.deepEqual(queue.whole({ order: "o1", request: REQUEST }).order.customer, customer);
  assert.equal(queue.whole({ order: "another" }).order, "another");
  queue.close();
});
