import assert from "node:assert/strict";
import { test } from "node:test";

const PAGE = "../../../glassflow/pages/static/js/pages/board";
globalThis.document ??= { documentElement: { dataset: {} }, addEventListener() {} };
globalThis.location ??= { pathname: "/floor/board", search: "", origin: "http://localhost" };
globalThis.addEventListener ??= () => {};
const { effect } = await import("../../../glassflow/pages/static/vendor/ui.js");
const { timeZone } = await import("../../../glassflow/pages/static/js/core/preferences.js");
const { session } = await import("../../../glassflow/pages/static/js/core/session.js");
const { Board, chosen, isOver, usualBy } = await import(`${PAGE}/model.js`);
const { lateOrders } = await import(`${PAGE}/foot.js`);
const { rotation } = await import(`${PAGE}/views.js`);
const { layOut } = await import(`${PAGE}/rack.js`);

const FIELDS = [
  "_id",
  "paneNumber",
  "currentStation",
  "currentStatus",
  "request",
  "arrivedAt",
  "version",
  "width",
  "height",
];
const AT = "2026-11-22T01:00:00.000Z";
const record = (_id, currentStation, version, more = {}) => ({
  _id,
  paneNumber: `PNE-${_id}`,
  currentStation,
  currentStatus: "pending",
  request: "r1",
  arrivedAt: AT,
  updatedAt: AT,
  version,
  dimensions: { width: 1, height: 2 },
  ...more,
});
const rowOf = (pane) => FIELDS.map((name) => ({ ...pane.dimensions, ...pane })[name]);

function snapshot(seq, panes, more = {}) {
  const stations = ["a", "b"].map((_id, index) => ({
    _id,
    name: _id,
    position: index + 3,
    version: 1,
    outToday: 4,
    stay: null,
  }));
  const orders = [{ _id: "o1", request: "r1", version: 1, status: "pending", customerShortName: "Nok" }];
  return {
    seq,
    stations,
    panes: { fields: FIELDS, rows: panes.map(rowOf) },
    orders,
    deadlines: { r1: AT },
    alerts: [],
    ...more,
  };
}

function boardWith(seq, panes) {
  const board = new Board();
  board.load(snapshot(seq, panes), 1);
  return board;
}

const event = (board, seq, name, data, action) => board.receive(name, { action, data }, { seq });
const at = (board, station) => [...board.at(station).keys()];

test("a pane is where its newest record says", () => {
  const board = boardWith(5, [record("1", "a", 3), record("2", "a", 1)]);
  assert.deepEqual(at(board, "a"), ["1", "2"]);
  event(board, 6, "pane:updated", record("1", "b", 4), "scanned");
  assert.deepEqual([at(board, "a"), at(board, "b")], [["2"], ["1"]]);
  event(board, 7, "pane:updated", record("1", "a", 3), "scanned"); // older
  assert.deepEqual(at(board, "b"), ["1"]);
  for (const [seq, status] of [
    [8, "completed"],
    [9, "defected"],
  ])
    event(board, seq, "pane:updated", record("1", "b", seq, { currentStatus: status }), "scanned");
  event(board, 10, "pane:updated", { _id: "2" }, "deleted");
  assert.deepEqual([at(board, "a"), at(board, "b"), board.panes.size], [[], [], 0]);
  event(board, 11, "pane:updated", record("3", { _id: "b", name: "B" }, 1), "created");
  assert.deepEqual(at(board, "b"), ["3"]); // references may be expanded
});

test("an event that the snapshot contains, or that comes twice, changes nothing", () => {
  const board = boardWith(5, [record("1", "a", 3)]);
  const createdAt = new Date().toISOString();
  const log = { paneLog: { action: "scan_out", station: "a", movedTo: "b", createdAt } };
  const out = () => board.stations.value[0].outToday;
  event(board, 5, "log:updated", log, "pane_scanned");
  assert.equal(out(), 4);
  event(board, 6, "log:updated", log, "pane_scanned");
  event(board, 6, "log:updated", log, "pane_scanned");
  assert.equal(out(), 5);
  event(board, 7, "log:updated", { paneLog: { action: "scan_in", station: "a", createdAt } }, "pane_scanned");
  assert.equal(out(), 5);
  const undone = { paneLog: { action: "correction", station: "a", createdAt, undone: [log.paneLog] } };
  event(board, 8, "log:updated", undone, "pane_scanned");
  assert.equal(out(), 4);
});

test("finished panes are counted on the day of their scan, until it is undone, and never below 0", () => {
  const now = new Date().toISOString();
  const board = boardWith(5, []);
  board.load(snapshot(5, [], { finished: { today: 1, usual: null } }), 1);
  const hear = (paneLog) => event(board, board.seq + 1, "log:updated", { paneLog }, "pane_scanned");
  const today = () => board.finished.value.today;
  const last = { action: "qc_pass", station: "a", createdAt: now };
  hear({ ...last, movedTo: { _id: "b" } }); // to another station
  hear({ ...last, occurredAt: "2026-11-20T05:00:00Z" }); // kept on a device
  hear({ ...last, action: "qc_fail" });
  assert.deepEqual([today(), board.stations.value[0].outToday], [1, 5]);
  hear(last);
  assert.equal(today(), 2);
  // what was undone had implied that the pane left the station before
  const implied = { ...last, action: "scan_out", movedTo: null };
  const undo = (...undone) => hear({ action: "correction", station: "a", createdAt: now, movedTo: null, undone });
  undo(implied, { ...last, action: "complete" });
  assert.equal(today(), 2);
  for (let left = 0; left < 3; left += 1) undo(last);
  assert.equal(today(), 0);
  assert.deepEqual(board.dump().finished, { today: 0, usual: null });
  board.load(snapshot(board.seq, [], { finished: null }), 1); // without its key
  hear(last);
  assert.equal(board.finished.value, null);
});

test("a change that is no scan and may finish a pane, or take that back, asks for a snapshot", () => {
  const more = (status, currentStation = null) => ({ currentStatus: status, currentStation });
  const asks = (action, values, figures = { today: 1, usual: null }) => {
    const board = new Board();
    board.load(snapshot(5, [record("1", "a", 1)], { finished: figures }), 1);
    const before = board.incomplete.value;
    event(board, 6, "pane:updated", record(values._id ?? "1", "a", 2, values), action);
    return board.incomplete.value > before;
  };
  const closed = { _id: "2" }; // not open on this board
  assert.ok(asks("updated", more("completed")));
  assert.ok(asks("created", { ...closed, ...more("completed") }));
  for (const values of [{}, more("cancelled"), more("defected")]) assert.ok(asks("updated", { ...closed, ...values }));
  assert.ok(asks("deleted", closed));
  assert.ok(!asks("updated", closed, null)); // without its key
  assert.ok(!asks("scanned", more("completed"))); // its log tells of it
  assert.ok(!asks("created", closed));
  assert.ok(!asks("deleted", {}));
  for (const values of [{}, more("cancelled"), more("claimed")]) assert.ok(!asks("updated", values));
  for (const values of [more("completed"), more("merged_into"), more("pending")])
    assert.ok(!asks("updated", { ...closed, ...values }));
});

test("how many panes are usually finished rises within the hour of the workshop", () => {
  timeZone.value = "Asia/Bangkok";
  const usual = [4, ...Array(22).fill(10), 20];
  const at = (time) => usualBy(usual, Date.parse(`2026-11-22T${time}+07:00`));
  assert.deepEqual(["00:00", "00:30", "01:30", "02:00", "22:59", "23:06", "23:59"].map(at), [0, 2, 7, 10, 10, 11, 20]);
  assert.equal(usualBy(null, Date.now()), null);
  assert.equal(usualBy(undefined, Date.now()), null);
});

test("events that were heard while a snapshot was fetched follow it", () => {
  const board = boardWith(5, [record("1", "a", 1)]);
  board.await();
  event(board, 6, "pane:updated", record("1", "b", 2), "scanned");
  event(board, 7, "pane:updated", record("2", "b", 1), "created");
  assert.deepEqual(at(board, "b"), ["1", "2"]); // shown at once
  board.load(snapshot(6, [record("1", "b", 2)]), 2); // the second is not in it
  assert.deepEqual([at(board, "a"), at(board, "b")], [[], ["1", "2"]]);
  board.load(snapshot(8, []), 3);
  assert.equal(board.panes.size, 0);
});

test("what is kept of a board shows the same board", () => {
  const board = boardWith(5, [record("1", "a", 3)]);
  event(board, 9, "pane:updated", record("2", "b", 1), "created");
  const copy = new Board();
  copy.load(JSON.parse(JSON.stringify(board.dump())), 1);
  assert.deepEqual(copy.dump(), JSON.parse(JSON.stringify(board.dump())));
  assert.deepEqual(at(copy, "b"), ["2"]);
  assert.equal(copy.dump().seq, 9);
});

test("only the lanes that have changed are drawn again", () => {
  const board = boardWith(5, [record("1", "a", 1)]);
  const draws = { a: 0, b: 0 };
  const stops = ["a", "b"].map((id) => effect(() => (board.at(id), (draws[id] += 1))));
  event(board, 6, "pane:updated", record("1", "a", 2), "scanned");
  stops.forEach((stop) => stop());
  assert.equal(draws.b, 1);
  assert.ok(draws.a > 1);
});

test("orders keep their customer, and leave when they are done", () => {
  const board = boardWith(5, []);
  const order = () => board.orders.value.get("o1");
  event(board, 6, "order:updated", { _id: "o1", request: "r1", version: 2, status: "in_progress" }, "updated");
  assert.deepEqual([order().customerShortName, order().status], ["Nok", "in_progress"]);
  event(board, 8, "order:updated", { _id: "o1", request: "r1", version: 3, status: "completed" }, "updated");
  assert.equal(order(), undefined);
  assert.equal(board.incomplete.value, 0);
  event(board, 9, "order:updated", { _id: "o2", request: "r1", version: 1, status: "pending" }, "created");
  assert.equal(board.incomplete.value, 1); // only a snapshot tells its customer
});

test("a delivery is asked for again when it changes, and when a pane that it lacks is finished", () => {
  const board = new Board();
  const deliveries = [{ _id: "d1", status: "planned", paneCount: 2, lacking: ["1"] }];
  board.load(snapshot(5, [record("1", "a", 1), record("2", "a", 1)], { deliveries }), 1);
  assert.deepEqual(board.dump().deliveries, deliveries);
  event(board, 6, "pane:updated", record("1", "b", 2), "scanned");
  event(board, 7, "pane:updated", record("2", null, 2, { currentStatus: "completed" }), "scanned");
  assert.equal(board.incomplete.value, 0);
  event(board, 8, "pane:updated", record("1", null, 3, { currentStatus: "completed" }), "scanned");
  assert.equal(board.incomplete.value, 1);
  event(board, 9, "delivery:updated", { _id: "d1", version: 2 }, "updated");
  assert.equal(board.incomplete.value, 2);
});

test("an order and its panes are late once their request is, also panes that no order has taken", () => {
  const board = boardWith(5, [record("1", "a", 1), record("2", "a", 1, { request: null })]);
  const now = Date.parse(AT) + 1;
  const late = () =>
    [...board.panes.values(), ...board.orders.value.values()]
      .filter((one) => board.isLate(one, now))
      .map((one) => one._id);
  assert.deepEqual(late(), ["1", "o1"]);
  assert.equal(board.isLate(board.panes.get("1"), now - 1), false);
  for (const deadline of [null, "2026-12-01T00:00:00Z"]) {
    event(board, board.seq + 1, "request:updated", { _id: "r1", deadline }, "updated");
    assert.deepEqual(late(), []);
  }
  event(board, board.seq + 1, "request:updated", { _id: "r1", deadline: AT }, "updated");
  event(board, board.seq + 1, "pane:updated", record("3", "b", 1), "created");
  assert.deepEqual(late(), ["1", "3", "o1"]);
  assert.equal(board.incomplete.value, 0);
  const unknown = { request: { _id: "r9", requestNumber: "REQ-9" } };
  for (const version of [1, 2])
    event(board, board.seq + 1, "pane:updated", record("4", "b", version, unknown), "updated");
  assert.deepEqual([late(), board.incomplete.value], [["1", "3", "o1"], 1]); // one snapshot tells it
});

test("calls are shown until they end, are deleted, or the board is read without them", () => {
  const call = (_id, version, more = {}) => ({ _id, version, station: "a", status: "open", ...more });
  const board = boardWith(5, []);
  assert.deepEqual(board.calls.value, []); // an older snapshot has none
  board.load(snapshot(5, [], { calls: [call("1", 1)] }), 1);
  event(board, 6, "call:updated", call("1", 3, { status: "taken", takenByName: "Nok" }), "taken");
  event(board, 7, "call:updated", call("1", 2), "updated"); // older
  event(board, 8, "call:updated", call("2", 1, { station: { _id: "b", name: "B" } }), "created");
  const shown = () => board.calls.value.map((one) => [one._id, one.station, one.takenByName]);
  assert.deepEqual(shown(), [
    ["1", "a", "Nok"],
    ["2", "b", undefined],
  ]);
  const copy = new Board();
  copy.load(JSON.parse(JSON.stringify(board.dump())), 1);
  assert.deepEqual(copy.calls.value, JSON.parse(JSON.stringify(board.calls.value)));
  event(board, 9, "call:updated", call("1", 4, { status: "ended" }), "ended");
  event(board, 10, "call:updated", { _id: "2" }, "deleted");
  assert.deepEqual(shown(), []);
  event(board, 11, "call:updated", call("3", 1), "created");
  board.load(snapshot(12, [], { calls: null }), 2); // without their key
  assert.deepEqual(shown(), []);
});

test("stations are in the order of their positions, with their figures", () => {
  const board = boardWith(5, []);
  event(
    board,
    6,
    "station:updated",
    { _id: "b", name: "b", version: 2, position: 1, status: "maintenance" },
    "updated",
  );
  const [first, second] = board.stations.value;
  assert.deepEqual([first._id, first.maintenance, first.outToday, second._id], ["b", true, 4, "a"]);
  event(board, 7, "station:updated", { _id: "a" }, "deleted");
  assert.deepEqual(
    board.stations.value.map((one) => one._id),
    ["b"],
  );
});

test("alerts come once, and a laminated unit is none any more", () => {
  const board = boardWith(5, [record("1", "a", 1)]);
  const ready = { parentPaneId: "p", parentPaneNumber: "PNE-9", sheetsPresent: 2, sheetsTotal: 2 };
  board.receive("laminate:ready", ready, { seq: 6 });
  board.receive("laminate:ready", ready, { seq: 7 });
  event(board, 8, "pane:updated", record("1", null, 2, { currentStatus: "defected" }), "qc_failed");
  event(board, 9, "material:updated", { _id: "m", name: "ใส" }, "low_stock");
  assert.deepEqual(
    board.alerts.value.map((one) => one.kind),
    ["low_stock", "failed", "laminate_ready"],
  );
  board.receive("pane:laminated", { survivor: { parentPane: "p" } }, { seq: 10 });
  assert.deepEqual(
    board.alerts.value.map((one) => one.kind),
    ["low_stock", "failed"],
  );
  event(board, 11, "pane:updated", record("1", "a", 3), "updated"); // the failure is undone
  assert.deepEqual(
    board.alerts.value.map((one) => one.kind),
    ["low_stock"],
  );
  event(board, 12, "inventory:updated", { _id: "i", material: "n" }, "updated");
  assert.equal(board.incomplete.value, 0);
  event(board, 13, "inventory:updated", { _id: "i", material: "m" }, "adjusted");
  assert.equal(board.incomplete.value, 1); // only a snapshot tells whether it is still low
  board.receive("notification", { priority: "high", title: "x" }, { seq: 14 });
  assert.equal(board.urgent.value, null);
  board.receive("system_alert", { message: "Fire" }, { seq: 15 });
  assert.equal(board.urgent.value.message, "Fire");
});

test("an event that was too large to be sent changes nothing but asks for a snapshot", () => {
  const board = boardWith(5, [record("1", "a", 1)]);
  board.receive("pane:updated", { action: "updated", data: { _id: "1" }, truncated: true }, { seq: 6 });
  board.receive("order:updated", { action: "updated", data: { _id: "o1" }, truncated: true }, { seq: 7 });
  assert.deepEqual([at(board, "a"), [...board.orders.value.keys()]], [["1"], ["o1"]]);
  assert.equal(board.incomplete.value, 2);
});

test("a unit is ready to laminate until one of its sheets is not there any more", () => {
  const sheet = (version, more) =>
    record("1", "a", version, {
      currentStatus: "in_progress",
      laminateRole: "sheet",
      laminateStation: "a",
      parentPane: "p",
      ...more,
    });
  const board = boardWith(5, [sheet(1)]);
  let seq = 5;
  const hear = (name, data, action) => event(board, (seq += 1), name, data, action);
  const ready = (parentPaneId) =>
    board.receive("laminate:ready", { parentPaneId, parentPaneNumber: "PNE-9" }, { seq: (seq += 1) });
  const alerts = () => board.alerts.value.map((one) => one.parentPane);
  ready("p");
  ready("q");
  hear("pane:updated", sheet(2, { currentStatus: "awaiting_scan_out" }), "scanned"); // still there
  assert.deepEqual(alerts(), ["q", "p"]);
  // its scan is undone, it fails its check, it is claimed, or it is put elsewhere
  const gone = [
    { currentStatus: "pending" },
    { currentStatus: "defected", currentStation: null },
    { currentStatus: "claimed" },
    { currentStation: { _id: "b" } },
  ];
  gone.forEach((more, index) => {
    ready("p");
    hear("pane:updated", sheet(3 + index, { ...more, parentPane: { _id: "p" } }), "updated");
    assert.deepEqual(alerts(), ["q"], JSON.stringify(more));
  });
  hear("pane:updated", sheet(8, { currentStatus: "pending" }), "updated");
  assert.equal(board.incomplete.value, 0);
  hear("pane:updated", sheet(9), "scanned"); // the event of its unit says whether it is complete
  assert.equal(board.incomplete.value, 0);
  hear("pane:updated", sheet(10, { currentStatus: "claimed" }), "updated");
  hear("pane:updated", sheet(11), "updated"); // after a claim nothing does but a snapshot
  assert.equal(board.incomplete.value, 1);
  hear("pane:updated", { _id: "q" }, "deleted");
  assert.deepEqual(alerts(), []);
});

test("a pane's age is judged by how long panes stay at its station", () => {
  const over = (stay, seconds) => isOver({ since: 0 }, stay, seconds * 1000);
  assert.deepEqual([over({ p85: 20 }, 20), over({ p85: 20 }, 21)], [false, true]);
  assert.deepEqual([over(null, 24 * 3600), over(null, 25 * 3600)], [false, true]);
});

test("a pane's age is judged in working time of its station, by a working day where no stays are known", () => {
  const [HOUR_MIN, NIGHT_MIN] = [60, 900];
  const runs = [0, 9 * HOUR_MIN, NIGHT_MIN, 9 * HOUR_MIN, NIGHT_MIN, 9 * HOUR_MIN];
  const oven = { runs: [0, 3 * 24 * HOUR_MIN], dayMinutes: 24 * HOUR_MIN };
  const workingHours = { since: AT, runs, dayMinutes: 9 * HOUR_MIN, stations: { oven } };
  session.value = { ...session.value, workingHours };
  const since = Date.parse(AT);
  const over = (currentStation, stay, hours) => isOver({ since, currentStation }, stay, since + hours * 3_600_000);
  assert.deepEqual([over("a", null, 24), over("a", null, 25)], [false, true]);
  assert.deepEqual([over("a", { p85: 10 * 3600 }, 25), over("a", { p85: 10 * 3600 }, 26)], [false, true]);
  assert.deepEqual([over("oven", null, 24), over("oven", null, 25)], [false, true]);
  assert.deepEqual([over("oven", { p85: 10 * 3600 }, 10), over("oven", { p85: 10 * 3600 }, 11)], [false, true]);
  session.value = { state: "asking" };
});

test("late orders are listed from the latest on", () => {
  const board = boardWith(5, []);
  const order = (_id, deadline) => {
    board.deadlines.value = new Map(board.deadlines.value).set(_id, deadline ? Date.parse(deadline) : Infinity);
    return [_id, { _id, request: _id }];
  };
  board.orders.value = new Map([
    order("x", null),
    order("y", "2026-11-21T00:00:00Z"),
    order("z", "2026-11-20T00:00:00Z"),
    order("w", "2026-11-23T00:00:00Z"),
  ]);
  assert.deepEqual(
    lateOrders(board, Date.parse(AT)).map((one) => one._id),
    ["z", "y"],
  );
});

test("the address chooses the views and the stations", () => {
  assert.deepEqual(rotation("overview:25, late:12,nothing:9,spotlight:1"), [
    ["overview", 25],
    ["late", 12],
    ["spotlight", 5],
  ]);
  assert.deepEqual(rotation("late:9e9"), [["late", 86400]]); // a timer overflows after 24 days
  for (const text of [null, "", "x:1"]) assert.deepEqual(rotation(text), [["overview", Infinity]]);
  const stations = [
    { _id: "1", name: "ตัด (Cutting)" },
    { _id: "2", name: "QC" },
  ];
  const ids = (text) => chosen(stations, text).map((one) => one._id);
  assert.deepEqual([ids(null), ids("2"), ids("cutting, qc"), ids("x")], [["1", "2"], ["2"], ["1", "2"], []]);
});

test("slips get narrower and lower until all of them fit", () => {
  for (const count of [1, 30, 120, 600, 2000]) {
    const { shelf, perShelf } = layOut(count, 190, 330);
    const rows = Math.ceil(count / perShelf);
    assert.ok(count > 1200 || rows * shelf <= 330, `${count} in ${rows} rows`);
  }
  assert.ok(layOut(20, 1000, 500, 2).step > layOut(20, 1000, 500).step);
});
