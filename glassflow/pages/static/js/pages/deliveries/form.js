// The form of a hand-over: what it says of each pane. Panes are as rules.js has them.

/** Why a pane stays, as the service has it. */
export const REASONS = ["absent", "broken", "refused", "later", "forgotten", "does_not_fit"];

/**
 * `ticks`, `reasons`, `notes` and `panePhotos` are by the number of the pane; `common` is the
 * reason that was given to all that stay.
 */
export const EMPTY = {
  ticks: {},
  reasons: {},
  notes: {},
  panePhotos: {},
  common: null,
  receivedBy: "",
  remark: "",
  strokes: [],
  photos: [],
};
const BY_PANE = ["ticks", "reasons", "notes", "panePhotos"];

/**
 * What the form says of panes that wait: {given, left (all that stay), lacking, asked}.
 *
 * `lacking` need a reason and have none. A pane that was on the vehicle needs one. One that was
 * never loaded needs none: at the door nobody knows whether it was forgotten or is on another
 * vehicle, and the service knows that it was not loaded. Where nothing at all is handed over and
 * none was loaded, as at the counter, all that are ready need one.
 *
 * `asked` have a place for a reason: those on the vehicle, those that somebody took the tick
 * from, and with `isChecked`, after the form was to be sent, all that need one.
 */
export function panesOf({ ticks, reasons }, panes, isChecked = false) {
  const isGiven = ({ paneNumber, state, isLoaded }) => state === "ready" && (ticks[paneNumber] ?? isLoaded);
  const given = panes.filter(isGiven);
  const left = panes.filter((pane) => !isGiven(pane));
  const ready = left.filter(({ state }) => state === "ready");
  const loaded = ready.filter(({ isLoaded }) => isLoaded);
  const needed = given.length || loaded.length ? loaded : ready;
  const isAsked = (pane) =>
    pane.isLoaded ||
    ticks[pane.paneNumber] === false ||
    reasons[pane.paneNumber] ||
    (isChecked && needed.includes(pane));
  return {
    given,
    left,
    lacking: needed.filter(({ paneNumber }) => !reasons[paneNumber]),
    asked: ready.filter(isAsked),
  };
}

/** The values of a form with or without a tick at each of these panes. */
export const withTicks = ({ ticks }, panes, on) => ({ ticks: { ...ticks, ...byNumber(panes, () => on) } });

/** The values of a form with a reason for a pane; null for none. */
export const withReason = ({ reasons }, number, reason) => ({ reasons: { ...reasons, [number]: reason } });

/** The values of a form with one reason for these panes, but for those that have one of their own. */
export function withCommon({ reasons, common }, panes, reason) {
  const isOpen = ({ paneNumber }) => !reasons[paneNumber] || reasons[paneNumber] === common;
  return { common: reason, reasons: { ...reasons, ...byNumber(panes.filter(isOpen), () => reason) } };
}

/** The values of a form that are by pane, for these panes only. */
export function forPanes(form, panes) {
  const here = (values) => panes.filter(({ paneNumber }) => paneNumber in values);
  return Object.fromEntries(
    BY_PANE.map((name) => [name, byNumber(here(form[name]), ({ paneNumber }) => form[name][paneNumber])]),
  );
}

/** What stays, as a hand-over names it: [{paneNumber, reason, note, photos (data URLs)}]. */
export function leftOf({ reasons, notes, panePhotos }, left) {
  return left
    .filter(({ paneNumber, state }) => state === "ready" && reasons[paneNumber])
    .map(({ paneNumber }) => ({
      paneNumber,
      reason: reasons[paneNumber],
      note: (notes[paneNumber] ?? "").trim(),
      photos: panePhotos[paneNumber] ?? [],
    }));
}

function byNumber(panes, valueOf) {
  return Object.fromEntries(panes.map((pane) => [pane.paneNumber, valueOf(pane)]));
}
