// What is wrong with a pane, one question a step: for a failed check and for a claim.
import { html, useLayoutEffect, useRef, useState } from "../../../vendor/ui.js";
import { number, t } from "../../core/i18n.js";
import { send } from "../../core/outbox.js";
import { actor } from "../../core/person.js";
import { DEFECTS } from "../../core/record_terms.js";
import { nameOf } from "../../core/station_names.js";
import { Icon } from "../../ui/parts.js";
import { Photos } from "../../ui/photos.js";
import { Reason, reasonOf } from "../../ui/verdict.js";
import { answerByCard, emptyForm, isAnswered, LAST, withDefect } from "./defect_form.js";
import { Measured } from "./pane.js";
import { CLAIM, sendPhotos } from "../scan_page/photos.js";
import { HoldButton, Sheet } from "../scan_page/sheet.js";

const MAX_PHOTOS = 3;
// What each defect looks like, on a pane of 32 × 36.
const PICTURES = {
  broken: "M8 6h32v36H8zM25 6l-5 11 7 5-9 8 6 12M27 22l13-5M18 30 8 27",
  chipped: "M8 6h20l3 7 9 3v26H8z",
  dimension_wrong: "M8 6h32v36H8zM13 24h22M17 19l-5 5 5 5M31 19l5 5-5 5",
  scratch: "M8 6h32v36H8zM15 33l14-18M20 36l14-18",
  stain: "M8 6h32v36H8zM20 16a5 5 0 1 0 .1 0zM30 27a4 4 0 1 0 .1 0zM18 32a2 2 0 1 0 .1 0z",
  other: "M8 6h32v36H8zM16 24h.1M24 24h.1M32 24h.1",
};

export function FailSheet({ desk, card }) {
  const { pane, measured, wrongSize } = card;
  // a laminated pane is made again from its sheets on, at their first station
  const stations = pane.laminateMergedAt ? [] : [...new Set(pane.routing ?? [])];
  const first = stations.length
    ? t("station.firstStation", { station: nameOf(desk.stationOf(stations[0])) })
    : t("station.firstOfSheets");
  const confirm = ({ reason, photos, note, remakeAt }) =>
    desk.send({
      type: "action",
      action: "qc_fail",
      body: {
        reason,
        photos,
        ...(measured && { measured }),
        ...(note && { description: note }),
        ...(remakeAt && { remakeStationId: remakeAt }),
      },
    });
  return html`<${Questions} desk=${desk} title=${t("station.failTitle", { number: card.number })}
    stations=${stations} onConfirm=${confirm} begin=${wrongSize ? { reason: "dimension_wrong", step: LAST } : {}}
    last=${(form, change) => html`${measured && html`<${Measured} measured=${measured} />`}<fieldset class="options"><legend>${t("station.remakeAt")}</legend>
      <${Option} checked=${!form.remakeAt} onChoose=${() => change({ remakeAt: "" })} label=${first} />
      ${stations.slice(1).map((id) => html`<${Option} key=${id} checked=${form.remakeAt === id}
        onChoose=${() => change({ remakeAt: id })} label=${nameOf(desk.stationOf(id))} />`)}</fieldset>
      <${HoldButton} icon="x" label=${t("station.confirmFail")} onHeld=${() => confirm(form)} />`} />`;
}

export function ClaimSheet({ desk, card }) {
  const [sending, setSending] = useState(false);
  const [reason, setReason] = useState(null);
  const [sent, setSent] = useState(null);
  const confirm = async (form) => {
    if (sending) return;
    setSending(true);
    setReason(null);
    try {
      const answer = await sendClaim(desk, card, form);
      if (answer.kind === "refused") throw answer.error;
      setSent(answer);
    } catch (error) {
      setReason(reasonOf(error));
    }
    setSending(false);
  };
  if (sent)
    return html`<${Sheet} desk=${desk} title=${t("station.claim")}><p class="done" role="status">
    <${Icon} name=${sent.kind === "kept" ? "upload" : "circle-check"} />${sent.kind === "kept"
      ? `${t("station.kept")}: ${t("station.keptHint", { action: t("station.claim") })}`
      : t("station.claimed", { number: sent.envelope.data.claimNumber })}</p><//>`;
  return html`<${Questions} desk=${desk} title=${t("station.claimTitle", { number: card.number })} needsNote
    onConfirm=${confirm} alert=${reason && html`<${Reason} reason=${reason} />`}
    last=${(form) => html`<p>${t("station.claimHint")}</p>
      <button type="button" class="main-button" disabled=${sending} onClick=${() => confirm(form)}>
        <${Icon} name=${sending ? "hourglass" : "check"} />${t("station.confirmClaim")}</button>`} />`;
}

// Through the outbox, as its photos and before anything later: the service refuses a claim
// whose photos it does not have yet.
async function sendClaim(desk, { number: paneNumber }, { reason, photos, note }) {
  const worker = actor();
  const ids = await sendPhotos(photos, worker);
  return send(
    CLAIM,
    {
      paneNumber,
      source: "worker",
      reportedBy: worker._id,
      defectCode: reason,
      description: note,
      defectStation: desk.id,
      photos: ids,
    },
    { worker },
  );
}

/**
 * Asks for the defect, photos and a note; `last(form, change)` is what the last step shows, `first`
 * what stands above the defects, `begin` what is answered already. A scanner answers with printed cards, and `onConfirm(form)` is
 * what the last one does. `missing` is a notice that says what has to be chosen before.
 */
export function Questions({ desk, title, begin, first, last, onConfirm, stations, needsNote, missing, alert }) {
  const [form, setForm] = useState(() => ({ ...emptyForm(), ...begin }));
  const heading = useRef();
  const change = (facts) => setForm((now) => ({ ...now, ...facts }));
  const { step } = form;
  // before the step is painted: a key pressed at once must not reach an element of the last one
  useLayoutEffect(() => heading.current?.focus(), [step]);
  useLayoutEffect(() => {
    desk.onCard = (code) => {
      const { form: changed, notice, confirmed } = answerByCard(form, code, { needsNote, stations });
      if (notice || missing) return desk.send({ type: "notify", notice: notice ?? missing });
      desk.send({ type: "answered" });
      return confirmed ? onConfirm(form) : setForm(changed);
    };
    return () => (desk.onCard = null);
  });
  const onDefect = (code) => {
    if (missing) desk.send({ type: "notify", notice: missing });
    else setForm(withDefect(form, code));
  };
  return html`<${Sheet} desk=${desk} title=${title} alert=${alert}>
    ${step === 0 && first}
    <h3 id="question" ref=${heading} tabindex="-1"><small>${t("station.step", { step: number(step + 1), steps: number(LAST + 1) })}</small>
      ${t(`station.${["which", "photos", needsNote ? "describe" : "note", "check"][step]}`)}</h3>
    <${Question} form=${form} change=${change} onDefect=${onDefect} last=${last} />
    <div class="steps">
      ${step > 0 && html`<button type="button" class="quiet-button" onClick=${() => change({ step: step - 1 })}>
        <${Icon} name="arrow-left" />${t("station.back")}</button>`}
      ${step > 0 && step < LAST && html`<button type="button" class="main-button" disabled=${!isAnswered(form, needsNote)}
        onClick=${() => change({ step: step + 1 })}>${t("station.onward")}<${Icon} name="arrow-right" /></button>`}
    </div>
  <//>`;
}

function Question({ form, change, onDefect, last }) {
  const { step, reason, photos, note } = form;
  if (step === 0)
    return html`<div class="tiles">${DEFECTS.map((code) => html`
    <button type="button" key=${code} aria-pressed=${String(reason === code)} onClick=${() => onDefect(code)}>
      <svg viewBox="0 0 48 48" aria-hidden="true"><path d=${PICTURES[code]} /></svg>${t(`defect.${code}`)}</button>`)}</div>`;
  if (step === 1)
    return html`<${Photos} camera max=${MAX_PHOTOS} photos=${photos} onChange=${(changed) => change({ photos: changed })} />`;
  if (step === 2)
    return html`<textarea rows="3" aria-labelledby="question" value=${note}
    onInput=${(event) => change({ note: event.target.value })}></textarea>`;
  return html`<p class="summary">${t(`defect.${reason}`)}
    ${photos.length > 0 && ` · ${t("station.photoCount", { count: number(photos.length) })}`}
    ${note && html`<br />${note}`}</p>${last(form, change)}`;
}

export function Option({ checked, onChoose, label, name = "option" }) {
  return html`<label class="option"><input type="radio" name=${name} checked=${checked} onChange=${onChoose} />${label}</label>`;
}
