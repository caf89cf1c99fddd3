// The hand-over: which panes, why others stay, to whom, and what shows it.
import { html, useEffect, useRef, useState } from "../../../vendor/ui.js";
import { serviceTime } from "../../core/api.js";
import { number, t } from "../../core/i18n.js";
import { actor } from "../../core/person.js";
import { Icon } from "../../ui/parts.js";
import { Photos } from "../../ui/photos.js";
import { explainReason, reasonOf } from "../../ui/verdict.js";
import { sendPhotos } from "../scan_page/photos.js";
import { Sheet } from "../scan_page/sheet.js";
import { EMPTY, forPanes, leftOf, panesOf, REASONS, withCommon, withReason, withTicks } from "./form.js";
import { isPlanned, waitingOf } from "./rules.js";
import { Signature, toPicture } from "./signature.js";
import { sizeOf, Unpaid } from "./words.js";

const MAX_PHOTOS = 5;
const MAX_PANE_PHOTOS = 2;
const MAX_NOTE = 200;

/** The form, once it is known what was filled in of it before. */
export default function HandOverSheet({ desk, delivery }) {
  const draft = desk.draft.value;
  return draft === undefined
    ? null
    : html`<${Form} desk=${desk} delivery=${delivery} form=${{ ...EMPTY, ...draft }} />`;
}

function Form({ desk, delivery, form }) {
  const [worker] = useState(actor);
  // busy: the delivery as it was sent; isChecked: it was to be sent before
  const [{ busy, asking, isNameless, isChecked, fault }, setState] = useState({});
  const { receivedBy, remark, strokes, photos } = form;
  const set = (values) => {
    desk.fill(worker?._id, delivery._id, values);
    setState(({ busy: stays, isChecked: was }) => ({ busy: stays, isChecked: was }));
  };
  const latest = () => ({ ...EMPTY, ...desk.draft.peek() });
  const panes = waitingOf(busy ?? delivery);
  const found = panesOf(form, panes, isChecked);
  const { given, left, lacking, asked } = found;
  const comeBack = !given.length && asked.length > 0;
  const others = left.filter(({ state }) => state === "ready");
  const name = useRef();
  const list = useRef();
  const question = useRef();
  useEffect(() => {
    if (desk.draft.peek()) desk.fill(worker?._id, delivery._id, forPanes(latest(), panes)); // some may be gone
  }, []);
  useEffect(() => {
    if (!asking) return;
    question.current.scrollIntoView({ block: "nearest" });
    question.current.focus({ preventScroll: true });
  }, [asking]);

  const check = (event) => {
    event.preventDefault();
    if (lacking.length || !panes.some(({ state }) => state === "ready")) {
      setState({
        isChecked: true,
        fault: t(comeBack || given.length ? "deliveries.reasonMissing" : "deliveries.nothingTicked"),
      });
      return list.current.querySelector(".lacks")?.scrollIntoView({ block: "center" });
    }
    if (given.length && !receivedBy.trim()) {
      setState({ isChecked, isNameless: true });
      return name.current.focus();
    }
    return left.length ? setState({ isChecked, asking: true }) : hand();
  };
  const hand = async () => {
    setState({ isChecked, busy: delivery });
    try {
      await send(desk, delivery, worker, form, found);
    } catch (error) {
      console.warn(error);
      setState({ isChecked, fault: explainReason(reasonOf(error)) });
    }
  };
  const title = t(isPlanned(busy ?? delivery) ? "deliveries.handOverTitle" : "deliveries.restTitle", {
    number: delivery.deliveryNumber,
  });

  return html`<${Sheet} desk=${desk} title=${title}>
    <${Unpaid} unpaid=${delivery.unpaid} />
    <form class="fields hand-over" onSubmit=${check} noValidate><fieldset disabled=${Boolean(busy)}>
      <div class="ticks" role="group" aria-labelledby="ticked" ref=${list}>
        <div class="ticks-head"><p id="ticked">${t("deliveries.given", { count: number(given.length), total: number(panes.length) })}</p>
          ${others.length > 1 && html`<button type="button" class="quiet-button" onClick=${() => set(withTicks(latest(), panes, true))}>
            <${Icon} name="check" />${t("deliveries.tickAll")}</button>`}
          ${given.length > 1 && html`<button type="button" class="quiet-button" onClick=${() => set(withTicks(latest(), panes, false))}>
            ${t("deliveries.tickNone")}</button>`}</div>
        ${asked.length > 1 && html`<div class="common"><p id="common">${t("deliveries.whyAll", { count: number(asked.length) })}</p>
          <${Choice} labelledBy="common" value=${form.common} onChoose=${(reason) => set(withCommon(latest(), asked, reason))} /></div>`}
        ${panes.map((pane) => html`<${Row} key=${pane._id} pane=${pane} form=${form} latest=${latest} set=${set}
          isTicked=${given.includes(pane)} isAsked=${asked.includes(pane)} isLacking=${isChecked && lacking.includes(pane)} />`)}
      </div>
      ${!comeBack && html`<label>${t("deliveries.receivedBy")}
        <input ref=${name} type="text" maxlength="100" autocomplete="off" value=${receivedBy} required
          aria-invalid=${isNameless ? "true" : undefined} aria-describedby="name-fault"
          onInput=${(event) => set({ receivedBy: event.target.value })} />
        <span class="bad" id="name-fault" role="alert">${isNameless && t("deliveries.nameMissing")}</span></label>
      <${Signature} strokes=${strokes} onChange=${(next) => set({ strokes: next })} />`}
      <div class="part"><p>${t("deliveries.photos")}</p>
        <${Photos} photos=${photos} max=${MAX_PHOTOS} camera onChange=${(next) => set({ photos: next })} /></div>
      <label>${t("deliveries.remark")}
        <textarea rows="2" maxlength="500" value=${remark} onInput=${(event) => set({ remark: event.target.value })}></textarea></label>
      <div role="alert">${fault && html`<p class="fault"><${Icon} name="circle-alert" /><span>${fault}</span></p>`}</div>
      ${asking ? html`<div ref=${question} class="asking" role="alert" tabindex="-1">
          <p><b>${t(comeBack ? "deliveries.comesBack" : "deliveries.staysOpen", { count: number(left.length) })}</b></p>
          <ul>${byReason(form, left).map(([why, numbers]) => html`<li key=${why}><b>${why}:</b> ${numbers.join(", ")}</li>`)}</ul>
          <button type="button" class="main-button" onClick=${hand}><${Icon} name="check" />
            ${comeBack ? t("deliveries.comeBackSure") : t("deliveries.handOverSure", { count: number(given.length) })}</button>
          <button type="button" class="quiet-button" onClick=${() => setState({ isChecked })}>${t("station.back")}</button></div>`
        : html`<button class="main-button"><${Icon} name=${busy ? "hourglass" : "check"} />${t(comeBack ? "deliveries.comeBack" : "deliveries.handOver")}</button>`}
      <p role="status">${busy && t("deliveries.sending")}</p>
    </fieldset></form>
  <//>`;
}

/** A pane, and why it stays: in one line once that is said, where there is no more to show of it. */
function Row({ pane, form, latest, set, isTicked, isAsked, isLacking }) {
  const { paneNumber, state, isLoaded, mark, glass } = pane;
  const [isOpen, setOpen] = useState(false);
  const reason = form.reasons[paneNumber];
  const [note, photos] = [form.notes[paneNumber] ?? "", form.panePhotos[paneNumber] ?? []];
  const isUnfolded = isAsked && (!reason || isOpen || reason === "broken" || note || photos.length > 0);
  const why = t("deliveries.why", { number: paneNumber });
  const id = `why-${paneNumber}`;
  const unfold = () => (isAsked ? setOpen(true) : set(withTicks(latest(), [pane], false)));
  const said =
    isAsked && reason
      ? t(`deliveries.reason_${reason}`)
      : isLoaded
        ? [mark, glass].filter(Boolean).join(" · ")
        : t("deliveries.state_ready");
  return html`<div class=${isLacking ? "row lacks" : "row"}>
    <label class="option">
      <input type="checkbox" checked=${isTicked} disabled=${state !== "ready"}
        onChange=${(event) => set(withTicks(latest(), [pane], event.target.checked))} />
      <span><b>${paneNumber}</b> ${sizeOf(pane)}
        <small>${state === "ready" ? said : t(`deliveries.state_${state}`)}</small></span></label>
    ${!isTicked && state === "ready" && !isUnfolded && html`<button type="button" class="icon-button" aria-label=${why} title=${why}
      onClick=${unfold}><${Icon} name="pencil" /></button>`}
    ${isUnfolded && html`<div class="why">
      <p id=${id} class=${isLacking ? "bad" : "visually-hidden"}>${why}</p>
      <${Choice} labelledBy=${id} value=${reason} onChoose=${(chosen) => {
        setOpen(false);
        set(withReason(latest(), paneNumber, chosen));
      }} />
      ${reason && html`<label>${t("deliveries.note")}
          <input type="text" maxlength=${MAX_NOTE} autocomplete="off" value=${note} aria-describedby=${id}
            onInput=${(event) => set({ notes: { ...latest().notes, [paneNumber]: event.target.value } })} /></label>
        <${Photos} photos=${photos} max=${MAX_PANE_PHOTOS} camera
          onChange=${(next) => set({ panePhotos: { ...latest().panePhotos, [paneNumber]: next } })} />`}</div>`}
  </div>`;
}

/** All reasons; a tap on one chooses it. */
function Choice({ labelledBy, value, onChoose }) {
  return html`<div class="reasons" role="group" aria-labelledby=${labelledBy}>
    ${REASONS.map((reason) => html`<button key=${reason} type="button" class="reason" aria-pressed=${reason === value ? "true" : "false"}
      onClick=${() => onChoose(reason)}>${t(`deliveries.reason_${reason}`)}</button>`)}</div>`;
}

// [[reason or state in words, numbers of panes], ...]
function byReason({ reasons }, left) {
  const groups = new Map();
  for (const { paneNumber, state } of left) {
    const reason = state === "ready" && reasons[paneNumber];
    const why = t(reason ? `deliveries.reason_${reason}` : `deliveries.state_${state}`);
    groups.set(why, [...(groups.get(why) ?? []), paneNumber]);
  }
  return [...groups];
}

/** Send a hand-over as it was filled in: the signature and the photos first. */
async function send(desk, delivery, worker, form, { given, left }) {
  const occurredAt = new Date(serviceTime()).toISOString();
  const picture = given.length ? toPicture(form.strokes) : null;
  const sent = (photos) => sendPhotos(photos, worker);
  const [signature] = await sent(picture ? [picture] : []);
  const photos = await sent(form.photos);
  const stays = [];
  for (const one of leftOf(form, left)) stays.push({ ...one, photos: await sent(one.photos) });
  const body = {
    paneNumbers: given.map(({ paneNumber }) => paneNumber),
    ...(given.length && { receivedBy: form.receivedBy.trim() }),
    ...(form.remark.trim() && { remark: form.remark.trim() }),
    ...(signature && { signature }),
    ...(photos.length && { photos }),
    ...(stays.length && { left: stays }),
  };
  await desk.handOver(delivery._id, body, { worker, occurredAt });
}
