// The hand-over: which panes, to whom, and what shows it.
import { html, useEffect, useRef, useState } from "../../../vendor/ui.js";
import { number, t } from "../../core/i18n.js";
import { Icon } from "../../ui/parts.js";
import { Photos } from "../../ui/photos.js";
import { explainReason, reasonOf } from "../../ui/verdict.js";
import { Sheet } from "../station/sheet.js";
import { Signature, toPicture } from "./signature.js";
import { sizeOf } from "./words.js";

const MAX_PHOTOS = 5;
const EMPTY = { ticks: {}, receivedBy: "", remark: "", strokes: [], photos: [] };

export function HandOverSheet({ desk, delivery }) {
  const [draft, setDraft] = useState(desk.drafts.get(delivery._id) ?? EMPTY);
  // busy: the delivery as it was sent
  const [{ busy, asking, isNameless, fault }, setState] = useState({});
  const { ticks, receivedBy, remark, strokes, photos } = draft;
  const latest = useRef(draft);
  const set = (values) => {
    latest.current = { ...latest.current, ...values };
    desk.drafts.set(delivery._id, latest.current);
    setDraft(latest.current);
    setState(({ busy: stays }) => ({ busy: stays }));
  };
  const { panes } = busy ?? delivery;
  const isTicked = ({ paneNumber, state, isLoaded }) => state === "ready" && (ticks[paneNumber] ?? isLoaded);
  const given = panes.filter(isTicked);
  const left = panes.filter((pane) => !isTicked(pane));
  const others = panes.filter((pane) => pane.state === "ready" && !isTicked(pane));
  const name = useRef();
  const question = useRef();
  useEffect(() => {
    if (!asking) return;
    question.current.scrollIntoView({ block: "nearest" });
    question.current.focus({ preventScroll: true });
  }, [asking]);

  const check = (event) => {
    event.preventDefault();
    if (!given.length) return setState({ fault: t("deliveries.nothingTicked") });
    if (!receivedBy.trim()) {
      setState({ isNameless: true });
      return name.current.focus();
    }
    return left.length ? setState({ asking: true }) : hand();
  };
  const hand = async () => {
    setState({ busy: delivery });
    try {
      const numbers = given.map(({ paneNumber }) => paneNumber);
      const signature = toPicture(strokes);
      await desk.handOver(delivery._id, {
        numbers,
        receivedBy: receivedBy.trim(),
        remark: remark.trim(),
        signature,
        photos,
      });
    } catch (error) {
      console.warn(error);
      setState({ fault: explainReason(reasonOf(error)) });
    }
  };
  const tick = (pane, on) => ({ ...latest.current.ticks, [pane.paneNumber]: on });

  return html`<${Sheet} desk=${desk} title=${t("deliveries.handOverTitle", { number: delivery.deliveryNumber })}>
    <form class="fields hand-over" onSubmit=${check} noValidate><fieldset disabled=${Boolean(busy)}>
      <fieldset class="ticks"><legend>${t("deliveries.given", { count: number(given.length), total: number(panes.length) })}</legend>
        ${others.length > 1 && html`<button type="button" class="quiet-button"
          onClick=${() => set({ ticks: Object.fromEntries(panes.map(({ paneNumber }) => [paneNumber, true])) })}>
          <${Icon} name="check" />${t("deliveries.tickAll")}</button>`}
        ${panes.map((pane) => html`<label key=${pane._id} class="option">
          <input type="checkbox" checked=${isTicked(pane)} disabled=${pane.state !== "ready"}
            onChange=${(event) => set({ ticks: tick(pane, event.target.checked) })} />
          <span><b>${pane.paneNumber}</b> ${sizeOf(pane)}
            <small>${pane.state !== "ready" ? t(`deliveries.state_${pane.state}`) : pane.isLoaded ? pane.glass : t("deliveries.state_ready")}</small></span></label>`)}
      </fieldset>
      <label>${t("deliveries.receivedBy")}
        <input ref=${name} type="text" maxlength="100" autocomplete="off" value=${receivedBy} required
          aria-invalid=${isNameless ? "true" : undefined} aria-describedby="name-fault"
          onInput=${(event) => set({ receivedBy: event.target.value })} />
        <span class="bad" id="name-fault" role="alert">${isNameless && t("deliveries.nameMissing")}</span></label>
      <${Signature} strokes=${strokes} onChange=${(next) => set({ strokes: next })} />
      <div class="part"><p>${t("deliveries.photos")}</p>
        <${Photos} photos=${photos} max=${MAX_PHOTOS} camera onChange=${(next) => set({ photos: next })} /></div>
      <label>${t("deliveries.remark")}
        <textarea rows="2" maxlength="500" value=${remark} onInput=${(event) => set({ remark: event.target.value })}></textarea></label>
      <div role="alert">${fault && html`<p class="fault"><${Icon} name="circle-alert" /><span>${fault}</span></p>`}</div>
      ${asking ? html`<div ref=${question} class="asking" role="alert" tabindex="-1"><p>
          <b>${t("deliveries.staysOpen", { count: number(left.length) })}</b> ${left.map(({ paneNumber }) => paneNumber).join(", ")}</p>
          <button type="button" class="main-button" onClick=${hand}><${Icon} name="check" />${t("deliveries.handOverSure", { count: number(given.length) })}</button>
          <button type="button" class="quiet-button" onClick=${() => setState({})}>${t("station.back")}</button></div>`
        : html`<button class="main-button"><${Icon} name=${busy ? "hourglass" : "check"} />${t("deliveries.handOver")}</button>`}
      <p role="status">${busy && t("deliveries.sending")}</p>
    </fieldset></form>
  <//>`;
}
