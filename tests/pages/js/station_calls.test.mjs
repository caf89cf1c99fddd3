import assert from "node:assert/strict";
import { test } from "node:test";
import "./document.mjs";
import "./load_texts.mjs";

const STATIC = "../../../glassflow/pages/static/js";
const { lang } = await import(`${STATIC}/core/preferences.js`);
const { receive } = await import(`${STATIC}/core/events.js`);
const { soundOn } = await import(`${STATIC}/scan/sounds.js`);
const { Calls, callsAt } = await import(`${STATIC}/pages/station/calls.js`);
const { aboutOf, calledAgo, endName, sinceOf, whoComes } = await import(`${STATIC}/pages/station/call_words.js`);
const { callOf, endPath } = await import(`${STATIC}/pages/scan_page/kept_calls.js`);
const { scansOf, withFollowers } = await import(`${STATIC}/pages/scan_page/requests.js`);
const { begin, step } = await import(`${STATIC}/pages/station/flow.js`);

lang.value = "en";
const HERE = "a".repeat(24);
const THERE = "b".repeat(24);
const call = (n, facts = {}) => ({
  _id: `c${n}`,
  callNumber: `CALL-000${n}`,
  station: HERE,
  kind: "machine",
  machineStands: false,
  paneNumber: "",
  calledFrom: null,
  calledAt: `2026-11-30T0${n}:00:00Z`,
  status: "open",
  version: 1,
  ...facts,
});
const ids = (calls) => calls.map(({ _id }) => _id);

test("a station shows its own calls, without those whose end is kept", () => {
  const calls = [call(1), call(2, { station: { _id: HERE } }), call(3, { station: THERE })];
  assert.deepEqual(ids(callsAt(calls, HERE, [])), ["c1", "c2"]);
  const kept = { n: 7, path: endPath("c1"), body: { occurredAt: "2026-11-30T04:00:00Z" } };
  assert.deepEqual(ids(callsAt(calls, HERE, [kept])), ["c2"]);
});

test("a kept end of a call is no scan, and is taken back alone", () => {
  const end = { n: 1, path: endPath("c1"), body: { occurredAt: "2026-11-30T04:00:00Z" } };
  const scan = { n: 2, path: "/panes/PNE-0001/scan", body: { action: "scan_in" } };
  assert.equal(callOf(end), "c1");
  assert.equal(callOf(scan), undefined);
  assert.equal(callOf({ path: "/calls/c1/take" }), undefined);
  assert.deepEqual(scansOf(end), []);
  assert.deepEqual(withFollowers([end, scan], 1), [end]);
  assert.deepEqual(withFollowers([end, scan], 2), [scan]);
});

test("a call says what it is about, since when, and who comes", () => {
  const stationOf = (id) => (id === THERE ? { name: "ตัดกระจก (Cutting)" } : undefined);
  const about = (facts) => aboutOf(call(1, facts), stationOf);
  assert.equal(about(), "Machine");
  assert.equal(about({ machineStands: true }), "The machine stands");
  assert.equal(about({ kind: "question", machineStands: true }), "The machine stands · Question");
  assert.equal(about({ kind: "glass", paneNumber: "PNE-0237" }), "Glass, material · PNE-0237");
  assert.equal(
    about({ kind: "glass", paneNumber: "PNE-0237", calledFrom: { _id: THERE } }),
    "Cutting has PNE-0237, which was not handed on here",
  );
  const now = Date.parse("2026-11-30T01:04:10Z");
  assert.equal(calledAgo(call(1), "Machine", now), "Called 4 minutes ago: Machine");
  assert.equal(calledAgo(call(1), "Machine", now - 4 * 60_000), "Called just now: Machine");
  assert.equal(whoComes(call(1)), "nobody comes yet");
  assert.equal(whoComes(call(1, { status: "taken", takenByName: "Somchai" })), "Somchai comes");
  assert.match(sinceOf(call(1), now), /^since \d\d:\d\d$/);
  assert.match(sinceOf(call(1), now + 2 * 86_400_000), /^since 30 Nov \d\d:\d\d$|^since Nov 30 \d\d:\d\d$/);
  const ends = [{}, { kind: "glass" }, { kind: "other", machineStands: true }, { refusesScanIn: true }];
  assert.deepEqual(
    ends.map((facts) => endName(call(1, facts))),
    ["It is done", "It is done", "It runs again", "End the maintenance"],
  );
});

test("a call that arrives at this station rings once, and what happens to it does not", async (t) => {
  let rings = 0;
  Object.defineProperty(globalThis, "navigator", {
    configurable: true,
    value: { vibrate: () => (rings += 1), userActivation: { hasBeenActive: true } },
  });
  soundOn.value = false;
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const calls = new Calls(HERE);
  const stop = calls.start();
  const heard = async (...events) => {
    for (const [action, data] of events) receive("call:updated", { action, data });
    t.mock.timers.tick(300);
    await Promise.resolve();
  };
  await heard(["created", call(1)], ["created", call(2, { station: THERE })]);
  assert.equal(rings, 1);
  await heard(["taken", call(1, { status: "taken", version: 2 })]);
  await heard(["created", call(3)], ["ended", call(3, { status: "ended", version: 2 })]);
  assert.equal(rings, 1);
  assert.deepEqual(ids(calls.here), ["c1"]);
  await heard(["taken", call(3, { status: "taken", version: 1 })]); // late: it has ended
  assert.deepEqual(ids(calls.here), ["c1"]);
  await heard(["deleted", call(1, { version: 2 })]);
  assert.deepEqual(ids(calls.here), []);
  stop();
});

test("the pane of a call is shown, in a batch mode too, and a scan is refused while the sheet is open", () => {
  const open = { ...begin("scan_out"), sheet: "calls" };
  const { state, commands } = step(open, { type: "look", number: "PNE-0237", at: 1 });
  assert.equal(state.sheet, null);
  assert.deepEqual(commands, [{ do: "lookUp", number: "PNE-0237" }]);
  const code = { kind: "pane", number: "PNE-0001", text: "STDPLUS:PNE-0001" };
  const scanned = step(open, { type: "scan", code, by: "wedge", at: 1 });
  assert.equal(scanned.state.notice, "sheetOpen");
  assert.equal(scanned.state.sheet, "calls");
});
