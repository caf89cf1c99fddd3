import assert from "node:assert/strict";
import { test } from "node:test";

const STATIC = "../../../glassflow/pages/static/js";
const { countsOf, deliveryOfPane, groupsOf, isOverdue, isUndoable, judge, listOf, withRecord, withRequests } =
  await import(`${STATIC}/pages/deliveries/rules.js`);
const { EMPTY, forPanes, leftOf, panesOf, withCommon, withReason, withTicks } = await import(
  `${STATIC}/pages/deliveries/form.js`
);
const { timeZone } = await import(`${STATIC}/core/preferences.js`);
const { deliveryOf, deliveryPath } = await import(`${STATIC}/pages/scan_page/requests.js`);

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
  deliveredAt: null,
  undoableUntil: null,
  driver: null,
  version: 1,
  panes,
  missingPanes: [],
  handOvers: [],
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
const numbers = (panes) => panes.map(({ paneNumber }) => paneNumber);
const states = (panes) => panes.map(({ paneNumber, state }) => [paneNumber, state]);
/** A delivery of which A was handed over, and B came back. */
const half = (rest = pane("B"), facts = {}) =>
  delivery("1", [pane("A", "delivered")], {
    status: "delivered",
    missingPanes: [rest],
    handOvers: [handOver(1, "A")],
    ...facts,
  });
const handOver = (number, name, facts = {}) => ({
  number,
  at: `2026-11-28T09:0${number}:00Z`,
  worker: "w",
  receivedBy: "Nok",
  panes: name ? [`id-${name}`] : [],
  left: [],
  undoableUntil: "2026-11-28T10:30:00Z",
  undone: null,
  ...facts,
});
const handing = (paneNumbers, left = [], facts = {}) => ({
  ...request("hand-over"),
  body: { paneNumbers, left, receivedBy: "Noi", occurredAt: "2026-11-28T09:30:00.000Z", ...facts },
});
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
  const unsent = handing(["B"], [{ paneNumber: "A", reason: "broken" }]);
  const [after] = withRequests(two(), [request("load", "A"), unsent, { isKept: true }]);
  const { status, deliveredAt, isKept, panes, missingPanes, handOvers } = after;
  assert.deepEqual([status, deliveredAt, isKept], ["delivered", unsent.body.occurredAt, true]);
  assert.deepEqual([states(panes), states(missingPanes)], [[["B", "delivered"]], [["A", "claimed"]]]);
  assert.deepEqual(
    handOvers.map((one) => [one.number, one.receivedBy, one.panes, one.isKept]),
    [[null, "Noi", ["id-B"], true]],
  );
  const on = { isLoaded: true };
  const [taken] = withRequests(
    [delivery("1", [pane("A"), pane("B", "ready", on), pane("C", "ready", on)])],
    [
      handing(
        ["A"],
        [
          { paneNumber: "B", reason: "refused" },
          { paneNumber: "C", reason: "later" },
        ],
      ),
    ],
  );
  assert.deepEqual(
    taken.missingPanes.map(({ isLoaded }) => isLoaded),
    [false, true],
  );
  const nobody = ["A", "B"].map((paneNumber) => ({ paneNumber, reason: "absent" }));
  const [returned] = withRequests(two(), [handing([], nobody, { receivedBy: undefined })]);
  assert.deepEqual([returned.status, returned.panes, returned.deliveredAt], ["returned", [], null]);
  assert.deepEqual(
    returned.missingPanes.map(({ state, reason }) => [state, reason]),
    [
      ["ready", "absent"],
      ["ready", "absent"],
    ],
  );
});

test("the half that is kept goes over the half of another phone, and over its own record", () => {
  const rest = handing(["B"], [{ paneNumber: "A", reason: "later" }]);
  const [both] = withRequests([half()], [rest]);
  assert.deepEqual([numbers(both.panes), both.missingPanes], [["A", "B"], []]);
  assert.deepEqual(
    both.handOvers.map(({ number, isKept }) => [number, isKept]),
    [
      [1, undefined],
      [null, true],
    ],
  );
  // the service has carried it out: once by its moment, once undone meanwhile
  const own = handOver(2, "B", { at: "2026-11-28T09:30:00+00:00" });
  const done = half(pane("B"), { panes: [pane("A", "delivered"), pane("B", "delivered")], missingPanes: [] });
  done.handOvers.push(own);
  assert.deepEqual(withRequests([done], [rest]), [{ ...done, isKept: true }]);
  const undone = half(pane("B"), { handOvers: [handOver(1, "A"), { ...own, undone: { at: "t" } }] });
  assert.deepEqual(withRequests([undone], [rest]), [{ ...undone, isKept: true }]);
  // another phone has handed the same panes over
  assert.deepEqual(numbers(withRequests([half()], [handing(["A"])])[0].missingPanes), ["B"]);
  const [named] = withRequests([half()], [handing(["A", "B"])]);
  assert.deepEqual([numbers(named.panes), named.handOvers.at(-1).panes], [["A", "B"], ["id-B"]]);
  // loading is of the panes that wait
  const [ready] = withRequests([half()], [request("load", "A", "B")]);
  assert.deepEqual([loaded([ready]), numbers(ready.missingPanes.filter((one) => one.isLoaded))], [[], ["B"]]);
});

test("a record changes its delivery, unless it has to be read for that", () => {
  const [changed] = withRecord(two(), record({ loadedPanes: ["id-B"], driver: { _id: "w" } }));
  assert.deepEqual([loaded([changed]), changed.driver, changed.version], [["B"], "w", 2]);
  assert.equal("loadedPanes" in changed, false);
  const left = [{ pane: "id-A", reason: "broken", claim: "c" }];
  const given = {
    status: "delivered",
    panes: ["id-B"],
    missingPanes: ["id-A"],
    handOvers: [handOver(1, "B", { left })],
  };
  const [first] = withRecord(two(), record(given));
  assert.deepEqual([states(first.panes), states(first.missingPanes)], [[["B", "delivered"]], [["A", "claimed"]]]);
  assert.equal(first.missingPanes[0].reason, "broken");
  const second = { status: "delivered", panes: ["id-A", "id-B"], handOvers: [handOver(1, "A"), handOver(2, "B")] };
  const [both] = withRecord([half()], record(second));
  assert.deepEqual([numbers(both.panes), both.missingPanes, both.handOvers.length], [["A", "B"], [], 2]);
  const list = two();
  assert.equal(withRecord(list, record({ version: 1, loadedPanes: ["id-A"] })), list);
  const unknown = [
    record({ _id: "2" }),
    record({ panes: ["id-A", "id-C"] }),
    record({ plannedFor: "2026-12-05T00:00:00Z" }),
  ];
  for (const one of unknown) assert.equal(withRecord(two(), one), undefined);
  // what panes are after a hand-over was undone
  const back = [
    [half(), record({ missingPanes: [] })],
    [half(), record({ status: "returned", panes: [], missingPanes: ["id-A", "id-B"] })],
    [
      half(),
      record({
        status: "delivered",
        panes: ["id-A"],
        missingPanes: ["id-B"],
        handOvers: [handOver(1, "A", { undone: {} })],
      }),
    ],
  ];
  for (const [before, after] of back) assert.equal(withRecord([before], after), undefined);
});

test("a pane that came back is loaded again, and belongs to the delivery where it waits", () => {
  assert.deepEqual(
    ["A", "B", "X"].map((number) => judge([half()], "1", number).code),
    ["delivered", "load", "not_planned"],
  );
  assert.equal(judge([half(pane("B", "claimed"))], "1", "B").code, "claimed");
  const elsewhere = delivery("2", [pane("B")]);
  assert.deepEqual(judge([half(), elsewhere], "2", "B"), { code: "load" });
  assert.deepEqual(judge([half(), delivery("3")], "3", "B"), { code: "other_delivery", delivery: "DLV-1" });
  assert.deepEqual(judge([half(), delivery("3")], "3", "A"), { code: "delivered" });
  assert.equal(deliveryOfPane([half(), elsewhere], "B"), elsewhere);
});

test("a hand-over is undone by its worker within the hour, and by who manages orders", () => {
  const own = handOver(1, "A");
  const over = Date.parse(own.undoableUntil);
  assert.deepEqual(
    [
      isUndoable(own, "w", false, NOW),
      isUndoable(own, "other", false, NOW),
      isUndoable(own, "other", true, NOW),
      isUndoable(own, "w", true, over),
      isUndoable({ ...own, undone: {} }, "w", true, NOW),
      isUndoable({ ...own, number: null }, "w", true, NOW),
    ],
    [true, false, true, false, false, false],
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
    { ...half(pane("B", "claimed"), { undoableUntil: "2026-11-28T10:01:00Z" }), _id: "broken" },
    { ...half(), _id: "rest" },
    delivery("back", [], { status: "returned", undoableUntil: "2026-11-28T10:50:00Z", handOvers: [handOver(9)] }),
  ];
  const groups = listOf(list, NOW);
  assert.deepEqual(Object.values(groups).map(ids), [
    ["overdue", "today", "rest"],
    ["tomorrow"],
    ["kept", "done", "back", "broken"],
  ]);
  assert.deepEqual(
    groups.today.map((one) => isOverdue(one, NOW)),
    [true, false, false],
  );
});

test("panes that cannot leave are a group of their own", () => {
  const panes = [pane("A"), pane("B", "claimed", { isLoaded: true }), pane("C", "ready", { orderNumber: "ORD-2" })];
  const { orders, missing, given } = groupsOf(delivery("1", panes));
  const named = (groups) => groups.map(([order, group]) => [order, numbers(group)]);
  assert.deepEqual(named(orders), [
    ["ORD-1", ["A"]],
    ["ORD-2", ["C"]],
  ]);
  assert.deepEqual([numbers(missing), given], [["B"], []]);
  assert.deepEqual(countsOf(delivery("1", panes)), { total: 3, loaded: 1, ready: 2, claimed: 1, given: 0, all: 3 });
  const groups = groupsOf(half());
  assert.deepEqual([named(groups.orders), named(groups.given)], [[["ORD-1", ["B"]]], [["ORD-1", ["A"]]]]);
  assert.deepEqual(countsOf(half()), { total: 1, loaded: 0, ready: 1, given: 1, all: 2 });
});

test("a pane that was on the vehicle and stays needs a reason, one that was not loaded needs none", () => {
  const on = { isLoaded: true };
  const panes = [
    pane("A", "ready", on),
    pane("B", "ready", on),
    pane("C"),
    pane("D", "unfinished"),
    pane("E", "claimed", on),
  ];
  const shown = (form, isChecked) => {
    const { given, left, lacking, asked } = panesOf(form, panes, isChecked);
    return [given, left, lacking, asked].map((some) => numbers(some).join(""));
  };
  assert.deepEqual(shown(EMPTY), ["AB", "CDE", "", ""]);
  let form = { ...EMPTY, ...withTicks(EMPTY, [panes[1]], false) };
  assert.deepEqual(shown(form), ["A", "BCDE", "B", "B"]);
  form = { ...form, ...withReason(form, "B", "broken"), notes: { B: " a corner " }, panePhotos: { B: ["data:"] } };
  assert.deepEqual(shown(form), ["A", "BCDE", "", "B"]);
  const broken = { paneNumber: "B", reason: "broken", note: "a corner", photos: ["data:"] };
  assert.deepEqual(leftOf(form, panesOf(form, panes).left), [broken]);
  // one reason for all that stay, but for the one that has its own; then another one
  form = { ...form, ...withTicks(form, panes, false) };
  assert.deepEqual(shown(form), ["", "ABCDE", "A", "ABC"]);
  for (const reason of ["refused", "absent"])
    form = { ...form, ...withCommon(form, panesOf(form, panes).asked, reason) };
  assert.deepEqual(form.reasons, { A: "absent", B: "broken", C: "absent" });
  assert.deepEqual(shown({ ...form, ...withReason(form, "A", null) })[2], "A");
});

test("where nothing was loaded, reasons are asked for once nothing is to be handed over", () => {
  const panes = [pane("A"), pane("B"), pane("C", "lost")];
  const asked = (form, isChecked) => numbers(panesOf(form, panes, isChecked).asked);
  assert.deepEqual([asked(EMPTY, false), asked(EMPTY, true)], [[], ["A", "B"]]);
  assert.deepEqual(numbers(panesOf(EMPTY, panes).lacking), ["A", "B"]);
  const form = { ...EMPTY, ...withTicks(EMPTY, [panes[0]], true) };
  assert.deepEqual([asked(form, true), panesOf(form, panes).lacking], [[], []]);
});

test("what was filled in for a pane that is gone is dropped", () => {
  const form = {
    ...EMPTY,
    ticks: { A: true, X: false },
    reasons: { X: "broken" },
    notes: { A: "n" },
    panePhotos: { X: ["data:"] },
  };
  const kept = { ticks: { A: true }, reasons: {}, notes: { A: "n" }, panePhotos: {} };
  assert.deepEqual(forPanes(form, [pane("A"), pane("B")]), kept);
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
