// What answers the questions about a defect, for a failed check or a claim: taps, and the
// printed command cards, so that a scanner alone is enough. It knows no page.
//
// A form is {step, reason, photos, note, remakeAt}; `remakeAt` is the id of the station to
// make the pane again from, "" for the first one.
import { DEFECTS } from "../../core/record_terms.js";

const DEFECT = "DEFECT-";
const [WHICH, PHOTOS, NOTE, CHECK] = [0, 1, 2, 3];
export const LAST = CHECK;

export function emptyForm() {
  return { step: WHICH, reason: "", photos: [], note: "", remakeAt: "" };
}

/** The form with a defect; from the first question it goes on to the next one. */
export function withDefect(form, reason) {
  return { ...form, reason, step: Math.max(form.step, PHOTOS) };
}

/**
 * What a command card or a station's poster does: {form}; {notice}, a text that says why it
 * does nothing; or {confirmed: true}. `stations` are the ids of those where the pane can be
 * made again from, the first one first.
 */
export function answerByCard(form, { kind, number }, { needsNote = false, stations = [] } = {}) {
  if (kind === "station") return remakeFrom(form, number, stations);
  const reason = defectOf(number);
  if (reason) return { form: withDefect(form, reason) };
  if (number === "BACK") return { form: { ...form, step: Math.max(form.step - 1, WHICH) } };
  if (number === "NEXT") return onward(form, needsNote);
  if (number !== "CONFIRM") return { notice: "sheetOpen" };
  return form.step === LAST ? { confirmed: true } : { notice: "answerFirst" };
}

/** Whether the form's step has its answer, without which it does not go on. */
export function isAnswered({ step, reason, note }, needsNote) {
  if (step === WHICH) return Boolean(reason);
  return !(step === NOTE && needsNote && !note.trim());
}

function onward(form, needsNote) {
  if (form.step === LAST) return { notice: "confirmByCard" };
  if (!isAnswered(form, needsNote)) return { notice: "answerFirst" };
  return { form: { ...form, step: form.step + 1 } };
}

function remakeFrom(form, station, stations) {
  if (form.step !== LAST) return { notice: "answerFirst" };
  if (!stations.includes(station)) return { notice: "notOnRoute" };
  return { form: { ...form, remakeAt: station === stations[0] ? "" : station } };
}

function defectOf(command) {
  if (!command.startsWith(DEFECT)) return null;
  const reason = command.slice(DEFECT.length).toLowerCase().replaceAll("-", "_");
  return DEFECTS.includes(reason) ? reason : null;
}
