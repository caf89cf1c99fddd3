// What a station does with a scan, a key, a tap or an answer. `step(state, event)` returns
// {state, commands}; it knows neither page nor network, which desk.js has. Every event
// carries `at`, its moment in epoch milliseconds.
//
// state.card is the pane on the screen:
//   {number, pane, next, allowed, unit, survivor, offline, moveHere, verdict, shownAt}
// or, of many panes that were lost together, {numbers, verdict, shownAt}; or a rack,
//   {number, rack, panes, next, verdict, shownAt}, where `next` is "rack": what its one button does
// follows from the panes that are on it, see racks.js.
// `next` is the action that the button does, `allowed` are the others. `verdict` is null
// while the card asks, else {kind: "yes" | "no" | "kept" | "outside", ...}; "outside" asks too.
// `moveHere` is what is left out ({skippedStations}) if a refused pane is taken in here, where who
// works here may do that.
// state.last is the scan that can be undone: {number, scan, undoableUntil}, or {number, kept} (the
// number of its row) while this device keeps it; with `numbers` it is of all these panes.
//
// state.scans is how many scans this station asks for: 3 (in, done, on), each shown first;
// 2 (in; done and on) or 1 (done and on), done at once where nothing is to be asked.
// "pass_on" is the action "done and on", which an event allows by `passes`.
//
// state.checks is whether this is a check station. Its step is "check": somebody says "passed" or
// "failed", and no second scan of the pane does. What was measured before that is `card.measured`, and
// `card.wrongSize` whether that is beyond the tolerance.
import { LEAVING } from "../../core/pane_flow.js";
import { STAYS } from "./assumed.js";

// A scanner may read one label twice in a row; later, the same code is meant to confirm.
export const CONFIRM_AFTER_MS = 1000;
// A rack that is scanned so soon after a pane gets the pane; later, somebody wants to see the rack.
export const PUT_WITHIN_MS = 60_000;
const MAX_WAITING = 50;
// Forms whose questions are answered by printed cards, too; see defect_form.js.
const FORMS = ["fail", "claim", "lost"];
const CLEAR = "UNDO-VIEW";
// Steps that neither Enter nor a second scan does, and the notice that says what does.
const DECIDED = { check: "passedOrFailed", laminate: "holdToLaminate" };

export function begin(scans = 3, checks = false) {
  return { scans, checks, card: null, busy: null, waiting: [], sheet: null, last: null, notice: null };
}

/** The state after an event, and the commands that follow from it. */
export function step(state, event) {
  const done = REDUCERS[event.type](state, event);
  return { state: done.state, commands: done.commands ?? [] };
}

const REDUCERS = {
  scan: scanned,
  next: goOn,
  action: (state, { action, body }) => {
    const { busy, card } = state;
    return busy || !card ? { state } : act({ ...state, sheet: null }, card.number, action, body);
  },
  look: (state, { number }) => (state.busy ? { state } : look({ ...state, sheet: null }, number)),
  fail: openFail,
  pass: (state) => (isAsked(state, "check") && !state.sheet ? pass(state) : { state }),
  measured: (state, { measured, wrongSize }) =>
    state.card
      ? { state: { ...withCard(state, { measured, wrongSize }).state, sheet: "fail", notice: null } }
      : { state },
  // the station may become a check station, or cease to be one
  place: (state, { checks }) =>
    checks === state.checks ? { state } : { state: { ...state, checks, card: null, notice: null } },
  laminate: (state) => (isAsked(state, "laminate") && !state.sheet ? laminate(state) : { state }),
  undo: takeBack,
  clear: (state) => ({ state: { ...state, [state.sheet ? "sheet" : "card"]: null, notice: null } }),
  stepRack: (state) => (isAsked(state, "rack") && !state.sheet ? stepRack(state, true) : { state }),
  takeOff: (state, { numbers }) => {
    const { busy, card } = state;
    return busy || !card?.rack
      ? { state }
      : asks(state, { do: "moveOnRack", number: card.number, act: "take-off", numbers });
  },
  open: (state, { sheet }) => ({ state: { ...state, sheet, notice: null } }),
  answered: (state) => ({ state: { ...state, notice: null } }),
  notify: (state, { notice }) => notify(state, notice),
  // what was scanned before, to be shown, is not done at once
  scans: (state, { scans }) => {
    const shown = (scan) => scan && { ...scan, by: "typed" };
    const [busy, waiting] = [shown(state.busy), state.waiting.map(shown)];
    return { state: { ...state, scans, busy, waiting, card: null, notice: null } };
  },
  survivor: (state, { number }) => withCard(state, { survivor: number }),
  found: (state, event) => goOnWaiting(show(state, event)),
  rack: (state, event) => goOnWaiting(showRack(state, event)),
  stopped: (state, { notice }) => goOnWaiting(notify({ ...state, busy: null }, notice)),
  // a sheet of its unit, or somebody else, has changed what the card shows
  changed: (state, { number, pane, next, passes, allowed, unit, moveHere }) => {
    const { busy, card } = state;
    if (busy || card?.number !== number) return { state };
    const step = stepOf(state, next, passes);
    return withCard(state, { pane, next: step, allowed, unit, moveHere, survivor: card.survivor ?? unit?.survivor });
  },
  // the kept scans of a pane have been answered, or taken back from their list
  sent: (state, { number }) => {
    const { busy, card, sheet } = state;
    const { kind, action } = card?.verdict ?? {};
    const shown = card?.number === number && action && ["kept", "outside"].includes(kind);
    if (shown && card.numbers) return { state: { ...state, card: null, last: null } }; // see `many`
    if (!shown || busy || (sheet && sheet !== "kept")) return { state };
    return (card.rack ? lookAtRack : look)(state, number);
  },
  takenBack: (state, event) => goOnWaiting(forgetKept(state, event)),
  done: (state, event) => goOnWaiting(succeed(state, event)),
  undone: (state, event) => goOnWaiting(succeed({ ...state, last: null }, event)),
  kept: (state, event) => goOnWaiting(keep(state, event)),
  refused: (state, event) => goOnWaiting(refuse(state, event)),
  many: (state, event) => goOnWaiting(showMany(state, event)),
};

function scanned(state, { code, by, at }) {
  if (answersForm(state, code)) return { state, commands: [{ do: "answer", code }] };
  if (code.kind === "command") return commanded(state, code);
  if (state.sheet) return notify(state, "sheetOpen");
  if (code.kind === "station") return { state, commands: [{ do: "go", station: code.number }] };
  if (code.kind === "worker") return notify(state, "badge");
  if (code.kind === "lot") return notify(state, "lot");
  const isKnown = ["pane", "rack"].includes(code.kind);
  const scan = { code: isKnown ? code : { kind: "unknown", number: code.text }, by, at };
  return (state.busy ? wait : scannedCode)(state, scan);
}

function answersForm({ sheet }, { kind, number }) {
  return FORMS.includes(sheet) && ["command", "station"].includes(kind) && number !== CLEAR;
}

function scannedCode(state, { code: { kind, number }, by, at }) {
  const { card } = state;
  if (kind === "unknown") return refuse(state, { number, error: { code: "UNKNOWN_CODE" }, at });
  const again = card?.number === number;
  if (again && by !== "typed" && at - card.shownAt < CONFIRM_AFTER_MS) return { state };
  if (again && by === "camera") return { state }; // it cannot tell "still" from "again"
  if (again && by === "wedge" && canGoOn(state)) return goOn(state);
  if (kind === "pane")
    return takesPane(state, { number, by, at }) ? put(state, card.number, [number]) : look(state, number, by);
  const numbers = again ? [] : justScanned(state, at);
  return numbers.length ? put(state, number, numbers) : lookAtRack(state, number);
}

// Whether a pane that was scanned is put on the rack of the card: the rack was scanned before, or got
// another pane, and does not have this one.
function takesPane({ card }, { number, by, at }) {
  const isOpen = card?.rack && (!card.verdict || card.verdict.action === "put");
  const isOn = card?.panes?.some(({ paneNumber }) => paneNumber === number);
  return isOpen && !isOn && by !== "typed" && at - card.shownAt < PUT_WITHIN_MS;
}

// The panes of the card that a rack gets which is scanned after them.
function justScanned({ card }, at) {
  const { rack, number, numbers, verdict, shownAt } = card ?? {};
  const isGone = verdict?.kind === "no" || verdict?.action === "qc_fail";
  return rack || isGone || !(at - shownAt < PUT_WITHIN_MS) ? [] : (numbers ?? [number]);
}

// While an answer is under way, scans are kept in their order. The pane or rack that it is about
// is left out: its card is not shown yet, so a second scan cannot mean it.
function wait(state, scan) {
  const { busy, waiting } = state;
  if (scan.code.number === (waiting.at(-1)?.code.number ?? busy.number)) return { state };
  if (waiting.length >= MAX_WAITING) return notify(state, "tooMany");
  return { state: { ...state, waiting: [...waiting, scan] } };
}

function goOnWaiting({ state, commands = [] }) {
  if (state.busy || !state.waiting.length) return { state, commands };
  const [scan, ...waiting] = state.waiting;
  const next = scannedCode({ ...state, waiting }, scan);
  return goOnWaiting({ state: next.state, commands: [...commands, ...(next.commands ?? [])] });
}

function commanded(state, { number }) {
  if (number === CLEAR) return REDUCERS.clear(state);
  if (state.sheet) return notify(state, "sheetOpen");
  if (number === "FAIL") return openFail(state);
  if (number === "NEXT" && !canGoOn(state)) return notify(state, "noPane");
  if (number === "NEXT" && isAsked(state, "rack")) return stepRack(state, true);
  if (number === "NEXT") return (isAsked(state, "check") ? pass : goOn)(state);
  if (number === "CONFIRM" && isAsked(state, "laminate")) return laminate(state);
  return notify(state, number === "COPY" ? "officeCard" : "noForm");
}

function canGoOn({ busy, card }) {
  return !busy && Boolean(card?.next) && card.verdict?.kind !== "no";
}

const isAsked = (state, next) => canGoOn(state) && state.card.next === next;

function goOn(state) {
  if (!canGoOn(state) || state.sheet) return { state };
  const { number, next } = state.card;
  if (next === "rack") return stepRack(state);
  return next in DECIDED ? notify(state, DECIDED[next]) : act(state, number, next);
}

function pass(state) {
  const { number, measured } = state.card;
  return act(state, number, "qc_pass", measured && { measured });
}

function laminate(state) {
  const { number, survivor } = state.card;
  return act(state, number, "laminate", { laminateSurvivorPaneNumber: survivor });
}

function openFail(state) {
  const { busy, card, sheet } = state;
  if (busy || sheet) return { state };
  if (!card) return notify(state, "noPane");
  if (!card.allowed?.includes("qc_fail")) return notify(state, "failNotHere");
  return { state: { ...state, sheet: "fail", notice: null } };
}

function takeBack(state, { at }) {
  const { busy, last } = state;
  if (busy || !last || at >= last.undoableUntil) return { state };
  const { number, numbers, scan, kept } = last;
  const about = numbers ? { numbers } : { number };
  const command = kept ? { do: "takeBack", ...about, kept } : { do: "undo", ...about, scan };
  return { state: { ...state, busy: about }, commands: [command] };
}

function look(state, number, by = undefined) {
  return { state: { ...state, busy: { number, by }, notice: null }, commands: [{ do: "lookUp", number }] };
}

const asks = (state, command) => ({
  state: { ...state, busy: { number: command.number }, notice: null },
  commands: [command],
});

// `sure` is whether it was a button or a card, which may also say that panes have passed a check.
const stepRack = (state, sure = false) => asks(state, { do: "stepRack", number: state.card.number, sure });

const lookAtRack = (state, number) => asks(state, { do: "lookAtRack", number });

// `number` is that of the rack; "take-off" is of its card.
const put = (state, number, numbers) => asks(state, { do: "moveOnRack", number, act: "put", numbers });

// The step of the card, at a check station and at one that asks for fewer scans.
function stepOf({ scans, checks }, next, passes) {
  if (checks && passes && (next === "complete" || LEAVING.includes(next) || (scans === 1 && next === "scan_in")))
    return "check";
  if (checks) return next;
  const whole = scans === 1 ? next && next !== "scan_out" : scans === 2 && next === "complete";
  return passes && whole ? "pass_on" : next;
}

/**
 * What the scan of a pane does at once, that was read `by` "wedge" or "camera"; null where it is shown
 * first: a pane that this device does not know, one to check before work, a sheet to laminate, and
 * what was typed or tapped.
 */
export function stepAtOnce(state, by, { pane, next: expected, passes = undefined, outside = undefined }) {
  const next = stepOf(state, expected, passes);
  const isRead = state.scans < 3 && ["wedge", "camera"].includes(by);
  const isClear = passes && pane?._id && !outside && !pane.makeability?.length;
  return isRead && isClear && next && !(next in DECIDED) ? next : null;
}

function act(state, number, action, body = {}) {
  const busy = { number, action };
  return { state: { ...state, busy, notice: null }, commands: [{ do: "scan", number, action, body }] };
}

function show(before, event) {
  const { number, pane, next: expected, passes, allowed, refusal, unit, undo, offline, outside, at } = event;
  const state = { ...before, last: lastOf(before, number, undo) };
  const { verdict } = sentAway(before.card, number, undo) ?? {};
  // it is elsewhere since this device has handed it on, or failed it
  if (refusal && verdict) return succeed(state, { number, pane, next: null, passes, allowed, unit, verdict, undo, at });
  if (refusal) return refuse(state, { ...event, error: refusal });
  const survivor = unit?.survivor;
  const action = stepAtOnce(state, state.busy?.by, event);
  if (action) return act(state, number, action);
  const next = stepOf(state, expected, passes);
  const shown = { number, pane, next, allowed, unit, survivor, offline, shownAt: at };
  const card = { ...shown, verdict: outside ? { kind: "outside" } : null };
  return { state: { ...state, busy: null, card, notice: null }, commands: outside ? [playSound("outside")] : [] };
}

// The card of a pane with which a kept scan has left, once that was carried out: it can be undone.
function sentAway(card, number, undo) {
  const { kind, action } = card?.verdict ?? {};
  const isKept = ["kept", "outside"].includes(kind) && action && !(action in STAYS);
  return undo && card?.number === number && isKept ? card : null;
}

function succeed(state, { number, pane, next, passes, allowed, unit, verdict, undo, at }) {
  const before = state.card?.number === number ? state.card.pane : {};
  const card = {
    number: pane.paneNumber,
    pane: { ...before, ...pane },
    next: stepOf(state, next, passes),
    allowed,
    unit,
    survivor: unit?.survivor,
    verdict: { ...verdict, kind: "yes" },
    shownAt: at,
  };
  const last = undo ? { number: pane.paneNumber, ...undo } : null;
  return { state: { ...state, busy: null, card, last, notice: null }, commands: [playSound("yes")] };
}

function keep(state, { number, pane, next, passes, allowed, action, outside, undo, at }) {
  const kind = outside ? "outside" : "kept";
  const verdict = { kind, action };
  const card = { number, pane, next: stepOf(state, next, passes), allowed, offline: true, verdict, shownAt: at };
  const last = lastOf(state, number, undo);
  return {
    state: { ...state, busy: null, card, last, notice: null },
    commands: [playSound(kind)],
  };
}

// `actions` are those of the rows that are gone; none where the service may have carried them out.
function forgetKept(state, { number, numbers, pane, next: expected, passes, allowed, actions, undo, at }) {
  if (!actions.length) return notify({ ...state, busy: null }, "notTakenBack");
  const verdict = { kind: "yes", action: "undo", actions };
  if (numbers) return showMany(state, { numbers, verdict, at });
  const next = stepOf(state, expected, passes);
  const card = { number, pane, next, allowed, offline: true, verdict, shownAt: at };
  const last = lastOf(state, number, undo);
  return { state: { ...state, busy: null, card, last, notice: null }, commands: [playSound("yes")] };
}

// What was done with many panes at once. A form that is open over the card of a pane needs it.
function showMany(state, { numbers, verdict, undo = undefined, at }) {
  const sheet = state.sheet === "lost" ? null : state.sheet;
  const card = sheet ? state.card : { numbers, verdict, shownAt: at };
  const busy = state.busy?.numbers ? null : state.busy;
  const last = undo ? { numbers, ...undo } : null;
  return { state: { ...state, sheet, busy, card, last, notice: null }, commands: [playSound(verdict.kind)] };
}

// The scan to undo: that of this pane, else the one of another pane, or of many with this one.
function lastOf({ last }, number, undo) {
  const isOfMany = last?.numbers?.includes(number);
  if (!undo) return isOfMany || last?.number === number ? null : last;
  return isOfMany && !last.kept ? last : { number, ...undo };
}

// A rack as it is, or after what its panes got: `verdict` says what, with the `numbers` of the panes.
function showRack(state, { number, rack, panes, verdict = null, undo, at }) {
  const card = { number, rack, panes, next: "rack", verdict, shownAt: at };
  const numbers = verdict?.numbers ?? [];
  const last = undo ? { numbers, ...undo } : numbers.includes(state.last?.number) ? null : state.last;
  return {
    state: { ...state, busy: null, card, last, notice: null },
    commands: verdict ? [playSound(verdict.kind)] : [],
  };
}

function refuse(
  state,
  { number, pane = undefined, error, unit = undefined, allowed = undefined, moveHere = null, at },
) {
  const known = state.card?.number === number ? state.card : {};
  const card = {
    number,
    pane: pane ?? known.pane,
    unit: unit ?? known.unit,
    ...(known.rack && { rack: known.rack, panes: known.panes }),
    allowed,
    moveHere,
    verdict: { kind: "no", error },
    shownAt: at,
  };
  return { state: { ...state, busy: null, card, notice: null }, commands: [playSound("no")] };
}

// A word about something that changes nothing, beside the card.
function notify(state, notice) {
  return { state: { ...state, notice }, commands: [playSound("no")] };
}

function withCard(state, facts) {
  return { state: { ...state, card: { ...state.card, ...facts } } };
}

function playSound(kind) {
  return { do: "playSound", kind };
}
