import assert from "node:assert/strict";
import { test } from "node:test";

const STATIC = new URL("../../../glassflow/pages/static/js/", import.meta.url);
const { answerByCard, emptyForm, isAnswered, LAST, withDefect } = await import(
  new URL("pages/station/defect_form.js", STATIC)
);
const { DEFECTS } = await import(new URL("core/record_terms.js", STATIC));
const { COMMANDS } = await import(new URL("scan/codes.js", STATIC));

const card = (number) => ({ kind: "command", number });
const poster = (number) => ({ kind: "station", number });
const STATIONS = ["cutting", "edging", "washing"];

/** The form after cards, each of which has to be an answer. */
function after(cards, options = { stations: STATIONS }) {
  let form = emptyForm();
  for (const one of cards) {
    const { form: changed, notice } = answerByCard(form, one, options);
    assert.ok(changed, notice);
    form = changed;
  }
  return form;
}

test("cards alone answer every question and confirm", () => {
  const form = after([card("DEFECT-STAIN"), card("NEXT"), card("NEXT")]);
  assert.deepEqual(form, { ...emptyForm(), step: LAST, reason: "stain" });
  assert.deepEqual(answerByCard(form, card("CONFIRM")), { confirmed: true });
});

test("there is a card for every defect, and every card of a defect is one", () => {
  const chosen = COMMANDS.filter((one) => one.startsWith("DEFECT-")).map(
    (one) => answerByCard(emptyForm(), card(one)).form.reason,
  );
  assert.deepEqual(chosen.sort(), [...DEFECTS].sort());
  assert.equal(answerByCard(emptyForm(), card("DEFECT-UNKNOWN")).form, undefined);
});

test("another defect corrects the first one and stays at its question", () => {
  const form = after([card("DEFECT-STAIN"), card("NEXT"), card("DEFECT-BROKEN")]);
  assert.deepEqual([form.reason, form.step], ["broken", 2]);
  assert.equal(withDefect(emptyForm(), "other").step, 1);
});

test("back goes to the question before and keeps the answers", () => {
  const form = after([card("DEFECT-STAIN"), card("NEXT"), card("BACK"), card("BACK"), card("BACK")]);
  assert.deepEqual([form.step, form.reason], [0, "stain"]);
});

test("nothing is confirmed or passed over before it is answered", () => {
  const notices = (form, options) => ["NEXT", "CONFIRM"].map((one) => answerByCard(form, card(one), options).notice);
  assert.deepEqual(notices(emptyForm()), ["answerFirst", "answerFirst"]);
  const describing = { ...emptyForm(), step: 2, reason: "other", note: " " };
  assert.deepEqual(notices(describing, { needsNote: true }), ["answerFirst", "answerFirst"]);
  assert.equal(isAnswered({ ...describing, note: "crack" }, true), true);
  const last = { ...describing, step: LAST };
  assert.deepEqual(notices(last), ["confirmByCard", undefined]);
  assert.deepEqual(answerByCard(last, card("FAIL")), { notice: "sheetOpen" });
});

test("the poster of a station on the route chooses where the pane is made again from", () => {
  const last = { ...emptyForm(), step: LAST, reason: "other" };
  const scanned = (station) => answerByCard(last, poster(station), { stations: STATIONS });
  assert.equal(scanned("washing").form.remakeAt, "washing");
  assert.equal(scanned("cutting").form.remakeAt, ""); // the first one, as without a choice
  assert.equal(scanned("painting").notice, "notOnRoute");
  assert.equal(answerByCard(emptyForm(), poster("washing"), { stations: STATIONS }).notice, "answerFirst");
});
