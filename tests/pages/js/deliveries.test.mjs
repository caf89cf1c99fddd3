import assert from "node:assert/strict";
import { test } from "node:test";

const STATIC = "../../../glassflow/pages/static/js";
const { countsOf, groupsOf, isOverdue, judge, listOf, withRecord, withRequests } = await import(
  `${STATIC}/pages/deliveries/rules.js`
);
const { timeZone } = await import(`${STATIC}/core/preferences.js`);
const { deliveryOf, deliveryPath } = await import(`${STATIC}/pages/station/requests.js`);

const NOW = Date.parse("2026-11-28T10:00:00Z");
const STATES = ["ready", "unfinished", "claimed", "lost", "delivered"];

const pane = (number, state = "ready", facts = {}) => ({
  _id: `id-${number}`,
  paneNumber: number,
  state,
  isLoaded: false,
  orderNumber: "ORD-1",
  ...facts,
});
const delivery = (id, panes = [], facts = {}) => ({
  _id: id,
  deliveryNumber: `DLV-${id}`,
  status: "planned",
  plannedFor: "2026-11-28T00:00:00Z",
  receivedBy: "",
  deliveredBy: null,
  driver: null,
  version: 1,
  panes,
  ...facts,
});
const request = (action, ...paneNumbers) => ({ delivery: "1", action, body: { paneNumbers }, isKept: true });
const record = (facts) => ({
  ...delivery("1"),
  version: 2,
  panes: ["id-A", "id-B"],
  loadedPanes: [],
  missingPanes: [],
  ...facts,
});
const two = () => [delivery("1", [pane("A"), pane("B")])];
const loaded = ([{ panes }]) => panes.filter(({ isLoaded }) => isLoaded).map(({ paneNumber }) => paneNumber);
const ids = (list) => list.map(({ _id }) => _id);

test("a scan is judged by the state of the pane, and by the delivery that it is on", () => {
  const here = delivery("1", [...STATES.map((state) => pane(state, state)), pane("L", "ready", { isLoaded: true })]);
  const other = delivery("2", [pane("O")]);
  const gone = delivery("3", [pane("G", "delivered"), pane("O", "delivered")], { status: "delivered" });
  const verdict = (number) => judge([gone, here, other], "1", number);
  assert.deepEqual(
    STATES.map((state) => verdict(state).code),
    ["load", "unfinished", "claimed", "lost", "delivered"],
  );
  assert.deepEqual(["L", "G", "X"].map(verdict), [{ code: "loaded" }, { code: "delivered" }, { code: "not_planned" }]);
  assert.deepEqual(verdict("O"), { code: "other_delivery", delivery: "DLV-2" });
  assert.deepEqual(judge([other], null, "O"), { code: "other_delivery", delivery: "DLV-2" });
});

test("what is not sent yet shows at once, in its order", () => {
  assert.deepEqual(loaded(withRequests(two(), [request("load", "A"), request("load", "B"), request("unload", "A")])), [
    "B",
  ]);
  const handed = { ...request("hand-over", "B"), body: { paneNumbers: ["B"], receivedBy: "Nok", occurredAt: "t" } };
  const [after] = withRequests(two(), [request("load", "A"), handed, { isKept: true }]);
  const { status, receivedBy, deliveredAt, isKept, panes } = after;
  assert.deepEqual([status, receivedBy, deliveredAt, isKept], ["delivered", "Nok", "t", true]);
  assert.deepEqual(
    panes.map(({ paneNumber, state }) => [paneNumber, state]),
    [["B", "delivered"]],
  );
});

test("a record changes its delivery, unless it has to be read for that", () => {
  const populated = { loadedPanes: ["id-B"], deliveredBy: { _id: "w" } };
  const [changed] = withRecord(two(), record(populated));
  assert.deepEqual([loaded([changed]), changed.deliveredBy, changed.version], [["B"], "w", 2]);
  assert.equal("loadedPanes" in changed, false);
  const [gone] = withRecord(two(), record({ status: "delivered", panes: ["id-B"], missingPanes: ["id-A"] }));
  assert.deepEqual(
    gone.panes.map(({ paneNumber, state }) => [paneNumber, state]),
    [["B", "delivered"]],
  );
  const list = two();
  assert.equal(withRecord(list, record({ version: 1, loadedPanes: ["id-A"] })), list);
  const unknown = [
    record({ _id: "2" }),
    record({ panes: ["id-A", "id-C"] }),
    record({ plannedFor: "2026-12-05T00:00:00Z" }),
  ];
  for (const one of unknown) assert.equal(withRecord(two(), one), undefined);
  assert.equal(
    withRecord([delivery("1", [pane("A")], { status: "delivered" })], record({ panes: ["id-A"] })),
    undefined,
  );
});

test("overdue ones come first, then today's, tomorrow's, and what can still be undone", () => {
  timeZone.value = "Asia/Bangkok";
  const done = { status: "delivered", deliveredAt: "2026-11-28T09:50:00Z" };
  const list = [
    delivery("tomorrow", [], { plannedFor: "2026-11-28T17:00:00Z" }), // midnight in Bangkok
    delivery("today", [], { plannedFor: "2026-11-28T16:59:00Z" }),
    delivery("overdue", [], { plannedFor: "2026-11-27T16:59:00Z" }),
    delivery("final", [], { ...done, undoableUntil: "2026-11-28T09:59:00Z" }),
    delivery("done", [], { ...done, undoableUntil: "2026-11-28T10:50:00Z" }),
    delivery("kept", [], { ...done, deliveredAt: "2026-11-28T09:55:00Z", undoableUntil: null }),
  ];
  const groups = listOf(list, NOW);
  assert.deepEqual(Object.values(groups).map(ids), [["overdue", "today"], ["tomorrow"], ["kept", "done"]]);
  assert.deepEqual(
    groups.today.map((one) => isOverdue(one, NOW)),
    [true, false],
  );
});

test("panes that cannot leave are a group of their own", () => {
  const panes = [pane("A"), pane("B", "claimed", { isLoaded: true }), pane("C", "ready", { orderNumber: "ORD-2" })];
  const { orders, missing } = groupsOf({ panes });
  const named = ({ paneNumber }) => paneNumber;
  assert.deepEqual(
    orders.map(([order, group]) => [order, group.map(named)]),
    [
      ["ORD-1", ["A"]],
      ["ORD-2", ["C"]],
    ],
  );
  assert.deepEqual(missing.map(named), ["B"]);
  assert.deepEqual(countsOf({ panes }), { total: 3, loaded: 1, ready: 2, claimed: 1 });
});

test("a request of a delivery is known by its path", () => {
  const body = { paneNumbers: ["A"] };
  assert.deepEqual(deliveryOf({ path: deliveryPath("1", "hand-over"), body }), {
    delivery: "1",
    action: "hand-over",
    body,
  });
  assert.equal(deliveryOf({ path: "/panes/A/scan", body }), null);
});
