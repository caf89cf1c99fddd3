import assert from "node:assert/strict";
import { test } from "node:test";

const { begin, CONFIRM_AFTER_MS, PUT_WITHIN_MS, step } =
  await import("../../../glassflow/pages/static/js/pages/station/flow.js");

const A = "PNE-0107";
const B = "PNE-0108";
const pane = (number) => ({ kind: "pane", number, text: `STDPLUS:${number}` });
const command = (number) => ({ kind: "command", number, text: `STDPLUS-DO:${number}` });

/** A station: `send` takes an event a second later than the last one. */
class Desk {
  at = 1_000_000;
  commands = [];

  constructor(scans = undefined, checks = undefined) {
    this.state = begin(scans, checks);
  }
  send(type, event = {}, waitMs = CONFIRM_AFTER_MS) {
    this.at += waitMs;
    const { state, commands } = step(this.state, { type, at: this.at, ...event });
    this.state = state;
    this.commands = commands;
    return commands;
  }
  scan(number, by = "wedge", waitMs) {
    return this.send("scan", { code: pane(number), by }, waitMs);
  }
  find(number, facts = {}) {
    return this.send("found", {
      number,
      pane: { paneNumber: number },
      next: "complete",
      allowed: ["start"],
      ...facts,
    });
  }
  show(number, facts) {
    this.scan(number);
    this.find(number, facts);
    return this;
  }
  do(number, facts = {}) {
    const verdict = { action: "complete" };
    return this.send("done", {
      number,
      pane: { paneNumber: number },
      next: "scan_out",
      allowed: ["qc_fail"],
      verdict,
      ...facts,
    });
  }
}

const acts = (number, action, body = {}) => [{ do: "scan", number, action, body }];
const looks = (number) => [{ do: "lookUp", number }];
const undoable = (desk) => ({ scan: "the scan", undoableUntil: desk.at + 60_000 });
const says = (kind) => [{ do: "playSound", kind }];

test("a scan shows the pane and asks, without a sound", () => {
  const desk = new Desk();
  assert.deepEqual(desk.scan(A), looks(A));
  assert.deepEqual(desk.find(A), []);
  assert.equal(desk.state.card.verdict, null);
  assert.equal(desk.state.card.next, "complete");
});

test("the button, the command card and the same code once more do the next step", () => {
  for (const confirm of [
    (desk) => desk.send("next"),
    (desk) => desk.send("scan", { code: command("NEXT"), by: "wedge" }),
    (desk) => desk.scan(A),
  ]) {
    assert.deepEqual(confirm(new Desk().show(A)), acts(A, "complete"));
  }
});

test("a scanner that reads one label twice in a row confirms nothing", () => {
  const desk = new Desk().show(A);
  assert.deepEqual(desk.scan(A, "wedge", CONFIRM_AFTER_MS - 1), []);
  assert.equal(desk.state.busy, null);
  desk.send("next");
  assert.deepEqual(desk.scan(A), []); // not while the answer is under way either
  assert.deepEqual(desk.state.waiting, []);
});

test("the camera never confirms, and the same number typed again is looked up again", () => {
  const desk = new Desk().show(A);
  assert.deepEqual(desk.scan(A, "camera"), []);
  assert.deepEqual(desk.scan(A, "typed"), looks(A));
});

test("another pane takes the place of the one that asks", () => {
  const desk = new Desk().show(A).show(B);
  assert.equal(desk.state.card.number, B);
  assert.deepEqual(desk.send("next"), acts(B, "complete"));
});

test("a refused pane is looked up again by its code, and never confirmed", () => {
  const desk = new Desk();
  desk.scan(A);
  const refusal = { code: "WRONG_STATION" };
  assert.deepEqual(desk.find(A, { refusal }), says("no"));
  assert.deepEqual(desk.state.card.verdict, { kind: "no", error: refusal });
  assert.deepEqual(desk.send("next"), []);
  assert.deepEqual(desk.scan(A), looks(A));
});

test("after a step the same card offers the next one", () => {
  const desk = new Desk().show(A);
  desk.send("next");
  assert.deepEqual(desk.do(A), says("yes"));
  assert.deepEqual(desk.state.card.verdict, { kind: "yes", action: "complete" });
  assert.deepEqual(desk.scan(A), acts(A, "scan_out"));
});

test("scans during an answer wait in their order, each once, and none is lost", () => {
  const desk = new Desk();
  desk.scan(A);
  for (const number of [B, B, "PNE-0109"]) assert.deepEqual(desk.scan(number), []);
  assert.deepEqual(desk.find(A), looks(B));
  assert.deepEqual(desk.send("refused", { number: B, error: { code: "BUSY" } }), [...says("no"), ...looks("PNE-0109")]);
  assert.deepEqual(desk.find("PNE-0109"), []);
  assert.equal(desk.state.busy, null);
});

test("a code that nobody understands waits its turn, so that the answer before it does not hide its refusal", () => {
  const desk = new Desk();
  desk.scan(A);
  assert.deepEqual(desk.send("scan", { code: { kind: "unknown", number: "", text: "8850" }, by: "wedge" }), []);
  desk.scan(B);
  assert.deepEqual(
    desk.state.waiting.map(({ code }) => code.number),
    ["8850", B],
  );
  assert.deepEqual(desk.find(A), [...says("no"), ...looks(B)]);
  assert.equal(desk.state.card.verdict.error.code, "UNKNOWN_CODE");
});

test("random scans and answers: every pane is acted on in the order of its first scan", () => {
  for (let seed = 1; seed <= 200; seed += 1) {
    let random = seed;
    const draw = (n) => (random = (random * 48271) % 2147483647) % n;
    const desk = new Desk(1);
    const scanned = [];
    const acted = [];
    const note = (commands) => acted.push(...commands.filter((c) => c.do === "scan"));
    let number = 0;
    while (number < 12 || desk.state.busy) {
      if (number < 12 && draw(3)) {
        number += 1;
        scanned.push(`PNE-${number}`);
        note(desk.scan(`PNE-${number}`, "wedge", draw(40)));
      } else if (desk.state.busy?.action) note(desk.do(desk.state.busy.number));
      else if (desk.state.busy) note(desk.find(desk.state.busy.number, HERE));
    }
    assert.deepEqual(
      acted.map((one) => one.number),
      scanned,
      `seed ${seed}`,
    );
  }
});

test("a failed check is opened only where it is allowed, and says why not", () => {
  const desk = new Desk();
  assert.deepEqual(desk.send("fail"), says("no"));
  assert.equal(desk.state.notice, "noPane");
  desk.show(A);
  desk.send("scan", { code: command("FAIL"), by: "wedge" });
  assert.deepEqual([desk.state.sheet, desk.state.notice], [null, "failNotHere"]);
  desk.show(B, { next: "scan_in", allowed: ["qc_fail"] });
  desk.send("scan", { code: command("FAIL"), by: "wedge" });
  assert.equal(desk.state.sheet, "fail");
});

test("a pane that is refused may fail where the service allows it", () => {
  const desk = new Desk();
  desk.scan(A);
  desk.find(A, { refusal: { code: "STATION_IN_MAINTENANCE" }, allowed: ["qc_fail"] });
  desk.send("fail");
  assert.equal(desk.state.sheet, "fail");
});

const HERE = { pane: { _id: "p", paneNumber: A }, passes: true };

test("a station that asks for one scan records a pane as done and hands it on at once", () => {
  for (const [next, action] of [
    ["scan_in", "pass_on"],
    ["complete", "pass_on"],
    ["scan_out", "scan_out"],
  ]) {
    const desk = new Desk(1);
    desk.scan(A);
    assert.deepEqual(desk.find(A, { ...HERE, next }), acts(A, action));
    desk.scan(B); // which waits for the answer
    assert.deepEqual(desk.do(A, { next: undefined }), [...says("yes"), ...looks(B)]);
  }
});

test("a station that asks for two takes a pane in, and the next scan of it does the rest", () => {
  const desk = new Desk(2);
  desk.scan(A);
  assert.deepEqual(desk.find(A, { ...HERE, next: "scan_in" }), acts(A, "scan_in"));
  desk.do(A, { ...HERE, next: undefined });
  desk.send("changed", { number: A, ...HERE, next: "complete" }, 0);
  assert.equal(desk.state.card.next, "pass_on");
  assert.deepEqual(desk.scan(A, "wedge", CONFIRM_AFTER_MS - 1), []); // the same label read twice
  assert.deepEqual(desk.scan(A), acts(A, "pass_on"));
  desk.send("kept", { number: A, ...HERE, action: "pass_on", next: null });
  assert.deepEqual(desk.state.card.verdict, { kind: "kept", action: "pass_on" });
});

test("what is to be asked is asked, however few scans a station asks for", () => {
  const shown = (facts, by = "wedge", scans = 1) => {
    const desk = new Desk(scans);
    desk.scan(A, by);
    assert.deepEqual(desk.find(A, { ...HERE, ...facts }), []);
    return desk.state.card.next;
  };
  assert.equal(shown({ next: "scan_in" }, "typed"), "pass_on"); // a tap in the queue
  assert.equal(shown({ next: "complete", pane: { ...HERE.pane, makeability: [{}] } }), "pass_on");
  assert.equal(shown({ next: "complete", passes: false }), "complete"); // a sheet to laminate
  assert.equal(shown({ next: "laminate", passes: false }), "laminate");
  assert.equal(shown({ next: "scan_in", pane: { paneNumber: A }, offline: true, passes: undefined }), "scan_in");
  assert.equal(shown({ next: "complete" }, "wedge", 3), "complete");
});

test("what was scanned before a station asked for fewer scans is shown", () => {
  const desk = new Desk();
  desk.scan(A);
  desk.scan(B);
  desk.send("scans", { scans: 1 });
  assert.deepEqual(desk.find(A, HERE), looks(B));
  assert.deepEqual(desk.find(B, HERE), []);
  assert.equal(desk.state.card.next, "pass_on");
});

test("while a form is open a scan changes nothing, and is answered", () => {
  const desk = new Desk().show(A, { allowed: ["qc_fail"] });
  desk.send("fail");
  assert.deepEqual(desk.scan(B), says("no"));
  assert.deepEqual([desk.state.card.number, desk.state.notice], [A, "sheetOpen"]);
  assert.deepEqual(desk.send("next"), []);
  desk.send("scan", { code: command("UNDO-VIEW"), by: "wedge" });
  assert.equal(desk.state.sheet, null);
  assert.equal(desk.state.card.number, A);
  desk.send("scan", { code: command("UNDO-VIEW"), by: "wedge" });
  assert.equal(desk.state.card, null);
});

test("cards and posters answer an open form, and are refused aloud where none is open", () => {
  const desk = new Desk().show(A, { allowed: ["qc_fail"] });
  assert.deepEqual(desk.send("scan", { code: command("DEFECT-SCRATCH"), by: "wedge" }), says("no"));
  assert.equal(desk.state.notice, "noForm");
  assert.deepEqual(desk.send("scan", { code: command("COPY"), by: "wedge" }), says("no"));
  assert.equal(desk.state.notice, "officeCard");
  desk.send("fail");
  const poster = { kind: "station", number: "64ab0cd1e2f3a4b5c6d7e8f9" };
  for (const code of [command("DEFECT-SCRATCH"), command("NEXT"), command("CONFIRM"), poster])
    assert.deepEqual(desk.send("scan", { code, by: "wedge" }), [{ do: "answer", code }]);
  assert.equal(desk.state.sheet, "fail");
  desk.send("notify", { notice: "answerFirst" });
  desk.send("answered");
  assert.deepEqual([desk.state.notice, desk.state.sheet], [null, "fail"]);
  desk.send("open", { sheet: "menu" });
  assert.deepEqual(desk.send("scan", { code: command("NEXT"), by: "wedge" }), says("no"));
});

test("a form sends its action once and closes", () => {
  const desk = new Desk().show(A, { allowed: ["qc_fail"] });
  desk.send("fail");
  const body = { reason: "scratch" };
  assert.deepEqual(desk.send("action", { action: "qc_fail", body }), acts(A, "qc_fail", body));
  assert.equal(desk.state.sheet, null);
  assert.deepEqual(desk.send("action", { action: "qc_fail", body }), []);
});

test("a complete set is merged into the chosen sheet", () => {
  const unit = { ready: true, survivor: `${A}-A` };
  const desk = new Desk().show(`${A}-A`, { next: "laminate", unit });
  desk.send("survivor", { number: `${A}-B` });
  const card = { code: command("CONFIRM"), by: "wedge" };
  for (const [event, facts] of [
    ["laminate", {}],
    ["scan", card],
  ]) {
    const copy = Object.assign(new Desk(), { state: desk.state, at: desk.at });
    assert.deepEqual(copy.send(event, facts), acts(`${A}-A`, "laminate", { laminateSurvivorPaneNumber: `${A}-B` }));
  }
  desk.send("laminate");
  desk.do(`${A}-A`, { pane: { paneNumber: `${A}-B` } });
  assert.equal(desk.state.card.number, `${A}-B`);
});

test("no set is merged by Enter, a second scan of the sheet or the card of the next step", () => {
  const desk = new Desk().show(`${A}-A`, { next: "laminate", unit: { ready: true, survivor: `${A}-A` } });
  const next = { code: command("NEXT"), by: "wedge" };
  for (const press of [() => desk.send("next"), () => desk.scan(`${A}-A`), () => desk.send("scan", next)]) {
    assert.deepEqual(press(), says("no"));
    assert.deepEqual([desk.state.busy, desk.state.notice], [null, "holdToLaminate"]);
  }
  desk.send("open", { sheet: "pane" });
  assert.deepEqual(desk.send("laminate"), []);
});

// ---- at a check station ------------------------------------------------------------------

const CHECK = { next: "complete", allowed: ["qc_fail"], passes: true, pane: { _id: "a", paneNumber: A } };

test("a check is decided by a button, a key or a card, and by no second scan of the pane", () => {
  const desk = new Desk(3, true).show(A, CHECK);
  assert.equal(desk.state.card.next, "check");
  for (const press of [() => desk.send("next"), () => desk.scan(A)]) {
    assert.deepEqual(press(), says("no"));
    assert.deepEqual([desk.state.busy, desk.state.notice], [null, "passedOrFailed"]);
  }
  const next = { code: command("NEXT"), by: "wedge" };
  for (const [event, facts] of [
    ["pass", {}],
    ["scan", next],
  ]) {
    const copy = Object.assign(new Desk(), { state: desk.state, at: desk.at });
    assert.deepEqual(copy.send(event, facts), acts(A, "qc_pass"));
  }
  desk.send("fail");
  assert.equal(desk.state.sheet, "fail");
  assert.deepEqual(desk.send("pass"), []);
});

test("a check station takes a pane in before, unless it asks for one scan only", () => {
  const step = (scans, facts, by = "wedge") => {
    const desk = new Desk(scans, true);
    desk.scan(A, by);
    return desk.find(A, { ...CHECK, ...facts }).length ? desk.state.busy.action : desk.state.card.next;
  };
  assert.equal(step(3, { next: "scan_in" }), "scan_in");
  assert.equal(new Desk(3, true).show(A, { ...CHECK, next: "scan_in" }).state.busy, null);
  assert.equal(step(2, { next: "scan_in" }), "scan_in"); // at once
  assert.equal(step(1, { next: "scan_in" }), "check");
  for (const next of ["complete", "scan_out", "qc_pass"])
    for (const scans of [1, 2, 3]) assert.equal(step(scans, { next }), "check");
  assert.equal(step(1, { next: "complete", passes: false }), "complete"); // a sheet
  assert.equal(step(1, { next: "laminate", passes: false }), "laminate");
});

test("what was measured goes with either answer, and a wrong size leads to the failed check", () => {
  const measured = { width: 803 };
  const desk = new Desk(3, true).show(A, CHECK);
  desk.send("open", { sheet: "measure" });
  desk.send("measured", { measured, wrongSize: true });
  assert.deepEqual([desk.state.sheet, desk.state.card.wrongSize], ["fail", true]);
  desk.send("open", { sheet: null });
  desk.send("changed", { number: A, ...CHECK }); // by somebody else
  assert.deepEqual(desk.send("pass"), acts(A, "qc_pass", { measured }));
  desk.do(A, { ...CHECK });
  assert.equal(desk.state.card.measured, undefined);
});

test("a station that becomes a check station, or is none any more, begins without a card", () => {
  const desk = new Desk().show(A);
  desk.send("place", { checks: false }); // read again
  assert.equal(desk.state.card.number, A);
  desk.send("place", { checks: true });
  assert.deepEqual([desk.state.checks, desk.state.card], [true, null]);
});

// ---- racks -------------------------------------------------------------------------------

const R = "RCK-0003";
const rackOn = (desk, panes = [], facts = {}) =>
  desk.send("rack", { number: R, rack: { rackNumber: R }, panes: panes.map((one) => ({ paneNumber: one })), ...facts });
const scanRack = (desk, by = "wedge", waitMs = undefined) =>
  desk.send("scan", { code: { kind: "rack", number: R }, by }, waitMs);
const puts = (...numbers) => [{ do: "moveOnRack", number: R, act: "put", numbers }];

test("a rack gets the pane that was scanned just before it, and one that was lost gets none", () => {
  const desk = new Desk().show(A);
  desk.send("next");
  desk.do(A);
  assert.deepEqual(scanRack(desk), puts(A));
  assert.deepEqual(rackOn(desk, [A], { verdict: { kind: "yes", action: "put", numbers: [A] } }), says("yes"));
  assert.deepEqual([desk.state.card.number, desk.state.busy], [R, null]);
  for (const show of [
    () => new Desk(),
    () => new Desk().show(A, { refusal: { code: "WRONG_STATION" } }),
    () => {
      const failed = new Desk().show(A);
      failed.do(A, { verdict: { action: "qc_fail" } });
      return failed;
    },
  ])
    assert.deepEqual(scanRack(show()), [{ do: "lookAtRack", number: R }]);
  assert.deepEqual(scanRack(new Desk().show(A), "wedge", PUT_WITHIN_MS), [{ do: "lookAtRack", number: R }]);
});

test("a rack that was scanned gets the panes that are scanned after it, until it is done or its step is", () => {
  const desk = new Desk();
  assert.deepEqual(scanRack(desk), [{ do: "lookAtRack", number: R }]);
  desk.scan(A); // while it is looked up
  assert.deepEqual(rackOn(desk, [B]), puts(A));
  rackOn(desk, [B, A], { verdict: { kind: "yes", action: "put", numbers: [A] } });
  assert.deepEqual(desk.scan("PNE-0109"), puts("PNE-0109"));
  rackOn(desk, [B, A, "PNE-0109"], { verdict: { kind: "yes", action: "put", numbers: ["PNE-0109"] } });
  assert.deepEqual(desk.scan(B), looks(B)); // it is on the rack
  for (const facts of [{ verdict: { kind: "yes", action: "scan_in", numbers: [B] } }, {}]) {
    rackOn(desk, [B], facts);
    if (!facts.verdict) desk.send("clear");
    assert.deepEqual(desk.scan(A), looks(A));
    desk.send("refused", { number: A, error: {} });
  }
  rackOn(desk);
  assert.deepEqual(desk.scan(A, "typed"), looks(A)); // a tap in the queue
});

test("the same rack once more does its step, and the button or the card says that panes have passed", () => {
  const steps = (sure) => [{ do: "stepRack", number: R, sure }];
  for (const [press, sure] of [
    [(desk) => scanRack(desk), false],
    [(desk) => desk.send("next"), false],
    [(desk) => desk.send("stepRack"), true],
    [(desk) => desk.send("scan", { code: command("NEXT"), by: "wedge" }), true],
  ]) {
    const desk = new Desk();
    rackOn(desk, [A]);
    assert.deepEqual(press(desk), steps(sure));
    assert.deepEqual(desk.send("stopped", { notice: "passedOrFailed" }), says("no"));
    assert.deepEqual([desk.state.busy, desk.state.notice], [null, "passedOrFailed"]);
  }
  const desk = new Desk();
  rackOn(desk, [A, B]);
  rackOn(desk, [A, B], { verdict: { kind: "yes", action: "scan_in", numbers: [A, B] }, undo: undoable(desk) });
  assert.deepEqual(desk.send("undo"), [{ do: "undo", numbers: [A, B], scan: "the scan" }]);
});

test("a refused act shows why over the same rack, which is scanned again before anything is put on it", () => {
  const desk = new Desk();
  rackOn(desk, [A]);
  desk.scan(B);
  assert.deepEqual(desk.send("refused", { number: R, error: { code: "NOT_ON_FLOOR" } }), says("no"));
  assert.deepEqual([desk.state.card.rack.rackNumber, desk.state.card.panes.length], [R, 1]);
  assert.deepEqual(desk.scan(B), looks(B));
  desk.send("refused", { number: B, error: {} });
  rackOn(desk, [A]);
  assert.deepEqual(desk.send("takeOff", { numbers: [A] }), [
    { do: "moveOnRack", number: R, act: "take-off", numbers: [A] },
  ]);
});

test("a set that becomes complete has a survivor, and keeps the one that was chosen", () => {
  const desk = new Desk().show(`${A}-A`, { next: null });
  const unit = { ready: true, survivor: `${A}-A` };
  desk.send("changed", { number: `${A}-A`, next: "laminate", unit });
  assert.equal(desk.state.card.survivor, `${A}-A`);
  desk.send("survivor", { number: `${A}-B` });
  desk.send("changed", { number: `${A}-A`, next: "laminate", unit });
  assert.equal(desk.state.card.survivor, `${A}-B`);
});

test("changes of others reach the card that shows the pane, but no other", () => {
  const desk = new Desk().show(A);
  desk.send("changed", { number: B, next: "scan_out" });
  assert.equal(desk.state.card.next, "complete");
  desk.send("changed", { number: A, next: "scan_out", allowed: [] });
  assert.deepEqual([desk.state.card.next, desk.state.card.verdict], ["scan_out", null]);
});

test("the last scan is undone until its time is over, also when another pane is shown", () => {
  const desk = new Desk().show(A);
  desk.send("next");
  desk.do(A, { undo: undoable(desk) });
  desk.show(B);
  assert.deepEqual(desk.send("undo"), [{ do: "undo", number: A, scan: "the scan" }]);
  assert.deepEqual(desk.send("undo"), []);
  desk.send("undone", { number: A, pane: { paneNumber: A }, next: "complete", verdict: { action: "undo" } });
  assert.deepEqual([desk.state.last, desk.state.card.number], [null, A]);
  desk.do(A, { undo: undoable(desk) });
  assert.deepEqual(desk.send("undo", {}, 60_000), []);
});

test("a pane that is shown brings the undo of its last scan, also with a refusal", () => {
  for (const refusal of [null, { code: "NOT_HERE" }]) {
    const desk = new Desk().show(A, { refusal, undo: undoable(new Desk()) });
    assert.deepEqual(desk.state.last, { number: A, ...undoable(new Desk()) });
    desk.show(B);
    assert.equal(desk.state.last.number, A);
    desk.show(A); // it cannot be undone any more
    assert.equal(desk.state.last, null);
  }
});

test("a kept scan is amber, and the card goes on with what the device assumes", () => {
  const desk = new Desk().show(A);
  desk.send("next");
  const kept = { number: A, pane: { paneNumber: A }, action: "complete", next: "scan_out" };
  assert.deepEqual(desk.send("kept", kept), says("kept"));
  assert.deepEqual(desk.state.card.verdict, { kind: "kept", action: "complete" });
  assert.deepEqual(desk.send("sent", { number: B }), []);
  assert.deepEqual(desk.send("sent", { number: A }), looks(A)); // the service says what is next
  desk.find(A, { next: "scan_out" });
  assert.deepEqual(desk.send("sent", { number: A }), []);
  assert.deepEqual(desk.send("next"), acts(A, "scan_out"));
});

test("a pane that a kept scan handed on is not refused for being elsewhere once it was sent", () => {
  const away = (undo) => {
    const desk = new Desk(1);
    desk.scan(A);
    desk.find(A, { ...HERE, next: "complete" });
    desk.send("kept", { number: A, pane: { paneNumber: A }, action: "pass_on", next: null });
    assert.deepEqual(desk.send("sent", { number: A }), looks(A));
    const heard = desk.find(A, { refusal: { code: "WRONG_STATION" }, undo: undo && undoable(desk) });
    return [heard, desk];
  };
  const [heard, desk] = away(true);
  assert.deepEqual(heard, says("yes"));
  assert.deepEqual(desk.state.card.verdict, { kind: "yes", action: "pass_on" });
  assert.equal(desk.send("undo")[0].do, "undo");
  assert.deepEqual(away(false)[0], says("no")); // refused, or somebody has gone on since
});

test("a kept scan is taken back while this device has it, with what follows from it", () => {
  const desk = new Desk().show(A);
  desk.send("next");
  const facts = { number: A, pane: { paneNumber: A } };
  desk.send("kept", { ...facts, action: "complete", undo: { kept: 7 } });
  assert.deepEqual(desk.send("undo"), [{ do: "takeBack", number: A, kept: 7 }]);
  assert.deepEqual(desk.send("sent", { number: A }), []); // its row is gone: the answer says more
  assert.deepEqual(desk.send("takenBack", { ...facts, actions: [] }), says("no")); // it was sent
  assert.deepEqual([desk.state.notice, desk.state.busy, desk.state.card.verdict.kind], ["notTakenBack", null, "kept"]);
  desk.send("undo");
  const before = { ...facts, next: "complete", undo: { kept: 6 } };
  assert.deepEqual(desk.send("takenBack", { ...before, actions: ["complete"] }), says("yes"));
  assert.deepEqual(desk.state.card.verdict, { kind: "yes", action: "undo", actions: ["complete"] });
  assert.deepEqual(desk.state.last, { number: A, kept: 6 }); // the one before it
  assert.deepEqual(desk.send("next"), acts(A, "complete"));
});

test("a pane that is not in the queue has its own sign and sound, and is kept nevertheless", () => {
  const facts = { number: A, pane: { paneNumber: A }, outside: true };
  const desk = new Desk();
  desk.scan(A);
  assert.deepEqual(desk.find(A, { ...facts, offline: true }), says("outside"));
  assert.deepEqual(desk.state.card.verdict, { kind: "outside" });
  assert.deepEqual(desk.send("sent", { number: A }), []); // nothing was
  assert.deepEqual(desk.send("next"), acts(A, "complete"));
  assert.deepEqual(desk.send("kept", { ...facts, action: "complete" }), says("outside"));
  assert.deepEqual(desk.state.card.verdict, { kind: "outside", action: "complete" });
  assert.deepEqual(desk.send("sent", { number: A }), looks(A));
});

test("a scan is not taken back any more once a later one of its pane is kept", () => {
  const desk = new Desk().show(A);
  desk.send("next");
  desk.do(A, { undo: undoable(desk) });
  const keep = (number) => desk.send("kept", { number, pane: { paneNumber: number }, action: "complete" });
  keep(B);
  assert.equal(desk.state.last.number, A);
  keep(A);
  assert.deepEqual(desk.send("undo"), []);
});

test("a station's poster leads there; a badge, a lot and a foreign code are answered", () => {
  const desk = new Desk();
  const station = { kind: "station", number: "5f0", text: "" };
  assert.deepEqual(desk.send("scan", { code: station, by: "wedge" }), [{ do: "go", station: "5f0" }]);
  desk.send("scan", { code: { kind: "worker", number: "nok" }, by: "wedge" });
  assert.equal(desk.state.notice, "badge");
  assert.deepEqual(desk.send("scan", { code: { kind: "lot", number: "INV-0012" }, by: "wedge" }), says("no"));
  assert.deepEqual([desk.state.notice, desk.state.card], ["lot", null]);
  desk.send("scan", { code: { kind: "unknown", number: "", text: "8850" }, by: "wedge" });
  assert.equal(desk.state.card.verdict.error.code, "UNKNOWN_CODE");
  assert.equal(desk.state.card.number, "8850");
});

const LOST = [A, B];
const lose = (desk, facts) =>
  desk.send("many", { numbers: LOST, verdict: { kind: "yes", action: "qc_fail", remakes: [] }, ...facts });

test("panes that were lost together have one verdict and one undo, also after a look at one of them", () => {
  const desk = new Desk().show(A);
  desk.send("open", { sheet: "lost" });
  assert.deepEqual(desk.send("scan", { code: command("NEXT"), by: "wedge" })[0].do, "answer");
  assert.deepEqual(lose(desk, { undo: undoable(desk) }), says("yes"));
  assert.deepEqual([desk.state.sheet, desk.state.card.numbers], [null, LOST]);
  desk.show(B, { refusal: { code: "ALREADY_DEFECTED" }, undo: undoable(desk) });
  assert.deepEqual(desk.send("undo"), [{ do: "undo", numbers: LOST, scan: "the scan" }]);
  desk.send("many", { numbers: LOST, verdict: { kind: "yes", action: "undo" } });
  assert.deepEqual([desk.state.busy, desk.state.last, desk.state.card.verdict.action], [null, null, "undo"]);
  lose(desk, { undo: undoable(desk) });
  desk.show(A); // whose failure somebody else has undone
  assert.equal(desk.state.last, null);
});

test("lost panes that this device keeps are taken back together, and their card ends once they are sent", () => {
  const keep = (desk) => lose(desk, { verdict: { kind: "kept", action: "qc_fail" }, undo: { kept: 7 } });
  const desk = new Desk();
  assert.deepEqual(keep(desk), says("kept"));
  desk.show(A, { undo: { kept: 7, numbers: LOST } });
  assert.deepEqual(desk.send("undo"), [{ do: "takeBack", numbers: LOST, kept: 7 }]);
  assert.deepEqual(desk.send("takenBack", { numbers: LOST, actions: ["qc_fail"] }), says("yes"));
  assert.deepEqual([desk.state.busy, desk.state.last, desk.state.card.numbers], [null, null, LOST]);
  keep(desk);
  desk.send("sent", { number: undefined });
  assert.deepEqual([desk.state.card, desk.state.last], [null, null]);
});

test("the answer about lost panes takes no card from an open form, and no scan that is under way", () => {
  const desk = new Desk().show(A);
  desk.send("open", { sheet: "pane" });
  lose(desk, { undo: undoable(desk) });
  assert.deepEqual([desk.state.sheet, desk.state.card.number, desk.state.last.numbers], ["pane", A, LOST]);
  desk.send("clear");
  desk.scan("PNE-0109");
  lose(desk);
  assert.equal(desk.state.busy.number, "PNE-0109");
});

test("a pane that is recorded elsewhere is taken in here by who may say so", () => {
  const desk = new Desk();
  desk.scan(A);
  desk.find(A, { refusal: { code: "WRONG_STATION" }, moveHere: { skippedStations: [] } });
  assert.deepEqual(desk.state.card.moveHere, { skippedStations: [] });
  desk.send("open", { sheet: "here" });
  assert.deepEqual(desk.send("action", { action: "move_here", body: {} }), acts(A, "move_here"));
  assert.equal(desk.state.sheet, null);
  desk.send("kept", { number: A, pane: {}, next: "complete", action: "move_here", undo: { kept: 7 } });
  assert.deepEqual(desk.send("sent", { number: A }), looks(A));
  // it was refused: that is no pane with which the scan has left
  assert.deepEqual(desk.find(A, { refusal: { code: "WRONG_STATION" }, undo: undoable(desk) }), says("no"));
  assert.equal(desk.state.card.moveHere, null);
  desk.send("changed", { number: A, next: null, moveHere: { skippedStations: [] } });
  assert.deepEqual(desk.state.card.moveHere, { skippedStations: [] });
});
