// One delivery: what is needed at the door, its panes, and the way to hand them over.
import { html } from "../../../vendor/ui.js";
import { serviceTime } from "../../core/api.js";
import { date, dateTime, number, t } from "../../core/i18n.js";
import { actor } from "../../core/person.js";
import { may } from "../../core/session.js";
import { Icon } from "../../ui/parts.js";
import { Read } from "../station/read.js";
import { Sheet } from "../station/sheet.js";
import { countsOf, groupsOf, isDelivered, mapOf } from "./rules.js";
import { Lacks, LACKS, Said, sizeOf, ToSend } from "./words.js";

export function Delivery({ desk, delivery, now }) {
  const { orders, missing } = groupsOf(delivery);
  const isDone = isDelivered(delivery);
  return html`<main>
    <${Said} desk=${desk} />
    <div class="work">
      ${isDone && html`<${Done} desk=${desk} delivery=${delivery} now=${now} />`}
      ${!isDone && html`<${Read} desk=${desk} label=${t("deliveries.load")} icon="check" />`}
      <${Facts} delivery=${delivery} />
    </div>
    <div class="panes">
      ${delivery.panes.length === 0 && html`<div class="empty"><${Icon} name="package" />
        <p><strong>${t("deliveries.noPanes")}</strong><br />${t("deliveries.noPanesHint")}</p></div>`}
      ${orders.map(([order, panes]) => html`<${Group} key=${order} desk=${desk} delivery=${delivery} panes=${panes}
        name=${order ?? t("deliveries.noOrder")} reference=${panes[0].referenceId} />`)}
      ${missing.length > 0 && html`<${Group} desk=${desk} delivery=${delivery} panes=${missing} name=${t("deliveries.missing")} isMissing />`}
    </div>
    ${!isDone && html`<${Bar} desk=${desk} delivery=${delivery} />`}
  </main>`;
}

/** What is needed at the door. */
function Facts({ delivery: { recipient, address, contact, phone, vehicle, notes, plannedFor } }) {
  return html`<article class="card facts">
    <h2>${recipient}</h2>
    ${address && html`<p class="line"><${Icon} name="map-pin" />
      <a class="address" href=${mapOf(address)} target="_blank" rel="noreferrer">${address}<span class="visually-hidden"> ${t("deliveries.map")}</span></a></p>`}
    ${(contact || phone) && html`<p class="line"><${Icon} name="smartphone" /><span>${contact}</span>
      ${phone && html`<a class="quiet-button" href=${`tel:${phone.replace(/[^\d+]/g, "")}`}>${phone}</a>`}</p>`}
    <p class="line"><${Icon} name="truck" /><span>${[vehicle, date(Date.parse(plannedFor))].filter(Boolean).join(" · ")}</span></p>
    ${notes && html`<p class="note">${notes}</p>`}
  </article>`;
}

/** That it was handed over, and the way back while there is one. */
function Done({ desk, delivery, now }) {
  const { deliveredAt, deliveredBy, receivedBy, undoableUntil, isKept } = delivery;
  const isOwn = deliveredBy === actor()?._id || may("orders:manage");
  return html`<article class="card handed">
    <p class="line good"><${Icon} name="circle-check" />
      <b>${t("deliveries.doneTo", { time: dateTime(Date.parse(deliveredAt)), name: receivedBy })}</b></p>
    ${isKept && html`<p><${ToSend} /></p>`}
    ${isOwn && Date.parse(undoableUntil) > now && html`<button type="button" class="quiet-button"
      onClick=${() => desk.send({ type: "open", sheet: "undo" })}><${Icon} name="undo-2" />${t("deliveries.undo")}</button>`}
  </article>`;
}

function Group({ desk, delivery, panes, name, reference, isMissing }) {
  return html`<section class=${isMissing ? "group missing" : "group"} aria-label=${name}>
    <h2>${name} ${reference && html`<small>${reference}</small>`} <b>${number(panes.length)}</b></h2>
    <ul>${panes.map((pane) => html`<${Pane} key=${pane._id} desk=${desk} delivery=${delivery} pane=${pane} />`)}</ul>
  </section>`;
}

function Pane({ desk, delivery, pane }) {
  const { paneNumber, state, isLoaded, isKept, glass } = pane;
  const canUnload = isLoaded && !isDelivered(delivery);
  const sign = LACKS[state] ?? (state === "delivered" || isLoaded ? "circle-check" : "square");
  const shown = state === "ready" ? (isLoaded ? "loaded" : "ready") : state;
  return html`<li data-state=${shown}>
    <${Icon} name=${sign} />
    <div><b>${paneNumber}</b> <span>${sizeOf(pane)}</span>
      <small>${[glass, t(`deliveries.state_${shown}`)].filter(Boolean).join(" · ")}</small>
      ${isKept && html`<${ToSend} />`}</div>
    ${canUnload && html`<button type="button" class="quiet-button" aria-label=${t("deliveries.unloadOne", { number: paneNumber })}
      onClick=${() => desk.unload(delivery._id, paneNumber)}>${t("deliveries.unload")}</button>`}
  </li>`;
}

/** The progress, always in sight, and the button that hands over. */
function Bar({ desk, delivery }) {
  const { loaded, total, ready = 0 } = countsOf(delivery);
  return html`<footer class="bar-below">
    <div><p role="status"><b>${t("deliveries.loaded", { loaded: number(loaded), total: number(total) })}</b> <${Lacks} delivery=${delivery} /></p>
      <progress max=${total || 1} value=${loaded} aria-hidden="true"></progress></div>
    <button type="button" class="main-button" disabled=${ready === 0}
      onClick=${() => desk.send({ type: "open", sheet: "handOver" })}><${Icon} name="arrow-right" />${t("deliveries.handOver")}</button>
  </footer>`;
}

/** The question before a hand-over is undone. */
export function UndoSheet({ desk, delivery }) {
  const isOver = !(Date.parse(delivery.undoableUntil) > serviceTime());
  return html`<${Sheet} desk=${desk} title=${t("deliveries.undo")}>
    <p>${t("deliveries.undoHint", { number: delivery.deliveryNumber, name: delivery.receivedBy })}</p>
    <button type="button" class="main-button danger" disabled=${isOver} onClick=${() => desk.undo(delivery)}>
      <${Icon} name="undo-2" />${t("deliveries.undoSure")}</button>
  <//>`;
}
