// One delivery: what is needed at the door, its panes, and the way to hand them over.
import { html } from "../../../vendor/ui.js";
import { serviceTime } from "../../core/api.js";
import { date, dateTime, number, t } from "../../core/i18n.js";
import { actor } from "../../core/person.js";
import { may } from "../../core/session.js";
import { Icon } from "../../ui/parts.js";
import { Read } from "../scan_page/read.js";
import { Sheet } from "../scan_page/sheet.js";
import { countsOf, groupsOf, handOversOf, hasRest, isPlanned, isUndoable, mapOf } from "./rules.js";
import { Handed, handedTo, Lacks, LACKS, Said, sizeOf, ToSend, Unpaid } from "./words.js";

export function Delivery({ desk, delivery, now }) {
  const { orders, missing, given } = groupsOf(delivery);
  const isOpen = isPlanned(delivery) || hasRest(delivery);
  const group = (order, panes, more) => html`<${Group} key=${order} desk=${desk} delivery=${delivery} panes=${panes}
    name=${order ?? t("deliveries.noOrder")} reference=${panes[0].referenceId} ...${more} />`;
  return html`<main>
    <${Said} desk=${desk} />
    <div class="work">
      ${isOpen && desk.isBegun(delivery) && html`<${Begun} desk=${desk} delivery=${delivery} />`}
      ${!isPlanned(delivery) && html`<${Done} desk=${desk} delivery=${delivery} now=${now} />`}
      ${isOpen && html`<${Read} desk=${desk} label=${t("deliveries.load")} icon="check" />`}
      <${Facts} delivery=${delivery} />
    </div>
    <div class="panes">
      ${!orders.length && !missing.length && !given.length && html`<div class="empty"><${Icon} name="package" />
        <p><strong>${t("deliveries.noPanes")}</strong><br />${t("deliveries.noPanesHint")}</p></div>`}
      ${orders.map(([order, panes]) => group(order, panes))}
      ${missing.length > 0 && html`<${Group} desk=${desk} delivery=${delivery} panes=${missing}
        name=${t(isPlanned(delivery) ? "deliveries.missing" : "deliveries.stays")} isMissing />`}
      ${given.map(([order, panes]) => group(order, panes, { key: `given-${order}`, isGiven: true }))}
    </div>
    ${isOpen && html`<${Bar} desk=${desk} delivery=${delivery} />`}
  </main>`;
}

/** That a form is kept, and the way to it. */
const Begun = ({ desk, delivery }) => html`<article class="card begun" role="status">
  <p class="line warn"><${Icon} name="pencil" /><b>${t("deliveries.begun")}</b></p>
  <button type="button" class="quiet-button" onClick=${() => desk.beginHandOver(delivery)}>
    <${Icon} name="arrow-right" />${t("deliveries.goOn")}</button>
</article>`;

/** What is needed at the door. */
function Facts({
  delivery: { recipient, address, contact, phone, vehicle, notes, plannedFor, changedPlaces, unpaid },
}) {
  return html`<article class="card facts">
    <h2>${recipient}</h2>
    <${Unpaid} unpaid=${unpaid} />
    ${address && html`<p class="line"><${Icon} name="map-pin" />
      <a class="address" href=${mapOf(address)} target="_blank" rel="noreferrer">${address}<span class="visually-hidden"> ${t("deliveries.map")}</span></a></p>`}
    ${changedPlaces?.map(({ requestNumber, now }) => html`<p key=${requestNumber} class="line warn"><${Icon} name="triangle-alert" />
      <span class="address">${t("deliveries.placeChanged", { number: requestNumber, place: now || t("deliveries.placeOfCustomer") })}</span></p>`)}
    ${(contact || phone) && html`<p class="line"><${Icon} name="smartphone" /><span>${contact}</span>
      ${phone && html`<a class="quiet-button" href=${`tel:${phone.replace(/[^\d+]/g, "")}`}>${phone}</a>`}</p>`}
    <p class="line"><${Icon} name="truck" /><span>${[vehicle, date(Date.parse(plannedFor))].filter(Boolean).join(" · ")}</span></p>
    ${notes && html`<p class="note">${notes}</p>`}
  </article>`;
}

/** The hand-overs, and the way back of each while there is one. */
function Done({ desk, delivery, now }) {
  const { given, all } = countsOf(delivery);
  const worker = actor()?._id;
  const handOvers = handOversOf(delivery);
  return html`<article class="card handed">
    ${((given > 0 && given < all) || !handOvers.length) && html`<p class="line"><${Handed} delivery=${delivery} /></p>`}
    ${handOvers.map((one) => html`<div key=${one.at} class="hand-over-row"><p class="line ${one.panes.length ? "good" : "warn"}">
        <${Icon} name=${one.panes.length ? "circle-check" : "undo-2"} />
        <span><b>${handedTo(one, dateTime)}</b>
          ${one.panes.length > 0 && html` <small>${t("deliveries.panes", { count: number(one.panes.length) })}</small>`}</span></p>
      ${one.isKept && html`<p><${ToSend} /></p>`}
      ${isUndoable(one, worker, may("orders:manage"), now) && html`<button type="button" class="quiet-button"
        onClick=${() => desk.send({ type: "open", sheet: "undo", about: one.number })}><${Icon} name="undo-2" />${t("deliveries.undo")}</button>`}</div>`)}
  </article>`;
}

function Group({ desk, delivery, panes, name, reference, isMissing, isGiven }) {
  const title = isGiven ? `${name}: ${t("deliveries.state_delivered")}` : name;
  return html`<section class=${isMissing ? "group missing" : "group"} aria-label=${title}>
    <h2>${name} ${isGiven && html`<small>${t("deliveries.state_delivered")}</small>`} ${reference && html`<small>${reference}</small>`} <b>${number(panes.length)}</b></h2>
    <ul>${panes.map((pane) => html`<${Pane} key=${pane._id} desk=${desk} delivery=${delivery} pane=${pane} />`)}</ul>
  </section>`;
}

function Pane({ desk, delivery, pane }) {
  const { paneNumber, state, isLoaded, isKept, mark, glass, rack, reason } = pane;
  const sign = LACKS[state] ?? (state === "delivered" || isLoaded ? "circle-check" : "square");
  const stays = reason && state !== "delivered";
  const shown = state === "ready" ? (isLoaded ? "loaded" : "ready") : state;
  return html`<li data-state=${shown}>
    <${Icon} name=${sign} />
    <div><b>${paneNumber}</b> <span>${sizeOf(pane)}</span>
      <small>${[mark, glass, rack && !isLoaded && `${rack.rackNumber} ${rack.place}`.trim(), t(`deliveries.state_${shown}`), stays && t(`deliveries.reason_${reason}`)].filter(Boolean).join(" · ")}</small>
      ${isKept && html`<${ToSend} />`}</div>
    ${isLoaded && state !== "delivered" && html`<button type="button" class="quiet-button" aria-label=${t("deliveries.unloadOne", { number: paneNumber })}
      onClick=${() => desk.unload(delivery._id, paneNumber)}>${t("deliveries.unload")}</button>`}
  </li>`;
}

/** The progress, always in sight, and the button that hands over. */
function Bar({ desk, delivery }) {
  const { loaded, total, ready } = countsOf(delivery);
  return html`<footer class="bar-below">
    <div><p role="status"><b>${t("deliveries.loaded", { loaded: number(loaded), total: number(total) })}</b> <${Lacks} delivery=${delivery} /></p>
      <progress max=${total || 1} value=${loaded} aria-hidden="true"></progress></div>
    <button type="button" class="main-button" disabled=${ready === 0}
      onClick=${() => desk.beginHandOver(delivery)}><${Icon} name="arrow-right" />${t(isPlanned(delivery) ? "deliveries.handOver" : "deliveries.handOverRest")}</button>
  </footer>`;
}

/** The question before a hand-over is undone. */
export function UndoSheet({ desk, delivery }) {
  const { about } = desk.state.value;
  const handOver = handOversOf(delivery).find((one) => one.number === about);
  const isOver = !(Date.parse(handOver?.undoableUntil) > serviceTime());
  const hint = handOver?.panes.length ? "deliveries.undoHint" : "deliveries.undoReturnHint";
  return html`<${Sheet} desk=${desk} title=${t("deliveries.undo")}>
    <p>${t(hint, { number: delivery.deliveryNumber, name: handOver?.receivedBy })}</p>
    <button type="button" class="main-button danger" disabled=${isOver} onClick=${() => desk.undo(delivery, handOver)}>
      <${Icon} name="undo-2" />${t("deliveries.undoSure")}</button>
  <//>`;
}
