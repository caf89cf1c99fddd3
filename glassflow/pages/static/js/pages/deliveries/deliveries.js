// The page for drivers and the counter: what is to be delivered, loaded and handed over.
import { html, useEffect, useLayoutEffect, useMemo } from "../../../vendor/ui.js";
import { serviceTime } from "../../core/api.js";
import { connection } from "../../core/events.js";
import { dateTime, dayMonth, number, t } from "../../core/i18n.js";
import { listen } from "../../scan/wedge.js";
import { ConnectionPill, useNow } from "../../ui/connection.js";
import { explain, Fault } from "../../ui/fault.js";
import { Lazy } from "../../ui/lazy.js";
import "../../ui/page_icons.js";
import { Brand, Icon, Switches } from "../../ui/parts.js";
import { useWakeLock } from "../../ui/wake_lock.js";
import { KeptList, PersonGate, Signs } from "../scan_page/frame.js";
import { Read } from "../scan_page/read.js";
import { Delivery, UndoSheet } from "./delivery.js";
import { DeliveriesDesk } from "./desk.js";
import { countsOf, isOverdue, isPlanned, listOf, mapOf, waitingOf } from "./rules.js";
import { Handed, Lacks, Said, ToSend } from "./words.js";

export const title = "deliveries.title";
export const styles = ["pages/station/station", "pages/deliveries/deliveries", "ui/verdict", "ui/camera", "ui/photos"];
export const bare = true;

const load = () => import("./hand_over.js");
const HandOver = ({ desk, delivery }) => html`<${Lazy} load=${load} desk=${desk} delivery=${delivery} />`;
const SHEETS = { kept: KeptList, handOver: HandOver, undo: UndoSheet };

export default function Deliveries({ deliveryId = null }) {
  const desk = useMemo(() => new DeliveriesDesk(), []);
  useEffect(() => {
    desk.open();
    load().catch(console.warn); // before the network is lost
    return () => desk.close();
  }, [desk]);
  useLayoutEffect(() => {
    const onUnended = () => desk.send({ type: "notify", notice: "noEndMark" });
    return listen((text) => desk.scan(text, "wedge"), { onUnended });
  }, [desk]);
  useLayoutEffect(() => desk.show(deliveryId), [desk, deliveryId]);
  useWakeLock();
  const minute = Math.floor(serviceTime(useNow(true)) / 60_000) * 60_000;
  const shown = desk.deliveries.value?.find(({ _id }) => _id === deliveryId);
  const { sheet } = desk.state.value;
  return html`<div class="station deliveries">
    ${deliveryId ? html`<${Header} desk=${desk} delivery=${shown} />` : html`<${ListHeader} desk=${desk} />`}
    <${PersonGate} desk=${desk}><${Content} desk=${desk} deliveryId=${deliveryId} shown=${shown} now=${minute} /><//>
    ${sheet && (shown || sheet === "kept") && html`<${SHEETS[sheet]} key=${sheet} desk=${desk} delivery=${shown} />`}
  </div>`;
}

function Content({ desk, deliveryId, shown, now }) {
  const { error } = desk.list.state.value;
  const deliveries = desk.deliveries.value;
  if (error?.status === 403) return html`<${Message} icon="lock" name="notAllowed" />`;
  if (!deliveries)
    return error
      ? html`<${Fault} text=${explain(error)} requestId=${error.requestId} action=${t("fault.again")} onAgain=${desk.list.load} />`
      : html`<main><p class="starting" role="status">${t("app.starting")}</p></main>`;
  if (!deliveryId) return html`<${List} desk=${desk} deliveries=${deliveries} now=${now} />`;
  if (shown) return html`<${Delivery} key=${shown._id} desk=${desk} delivery=${shown} now=${now} />`;
  return html`<${Message} icon="truck" name="notOpen" />`;
}

function Message({ icon, name }) {
  const Heading = name === "notOpen" ? "h2" : "h1";
  const href = name === "notOpen" ? "/floor/deliveries" : "/floor/";
  return html`<main class="message">
    <${Icon} name=${icon} />
    <${Heading}>${t(`deliveries.${name}`)}<//>
    <p>${t(`deliveries.${name}Hint`)}</p>
    <a class="main-button" href=${href}><${Icon} name=${name === "notOpen" ? "list" : "house"} />
      ${t(name === "notOpen" ? "deliveries.all" : "station.home")}</a>
  </main>`;
}

function ListHeader({ desk }) {
  return html`<header class="list-header"><${Brand} href="/floor/" />
    <div class="signs"><${Signs} desk=${desk} /><${ConnectionPill} /></div><${Switches} /></header>`;
}

function Header({ desk, delivery }) {
  return html`<header>
    <a class="icon-button back" href="/floor/deliveries" aria-label=${t("deliveries.all")} title=${t("deliveries.all")}>
      <${Icon} name="arrow-left" /></a>
    <div class="place"><h1 tabindex="-1">${delivery?.deliveryNumber ?? t("deliveries.title")}</h1>
      ${delivery && html`<p>${delivery.recipient}</p>`}</div>
    <div class="signs"><${Signs} desk=${desk} /><${ConnectionPill} /></div>
  </header>`;
}

function List({ desk, deliveries, now }) {
  const groups = listOf(deliveries, now);
  const isEmpty = Object.values(groups).every((group) => group.length === 0);
  const { error } = desk.list.state.value;
  const readAt = desk.readAt.value;
  return html`<main class="all">
    <h1 tabindex="-1">${t("deliveries.title")}</h1>
    <${Said} desk=${desk} />
    ${connection.value.state === "lost" && readAt > 0 && html`<p class="as-of" role="status"><${Icon} name="cloud-off" />
      ${t("deliveries.asOf", { time: dateTime(readAt) })}</p>`}
    ${error && connection.value.state !== "lost" && html`<p class="fault" role="alert"><${Icon} name="circle-alert" />
      <span>${explain(error)}</span></p>`}
    <${Read} desk=${desk} label=${t("deliveries.find")} />
    ${isEmpty && html`<div class="empty"><${Icon} name="truck" />
      <p><strong>${t("deliveries.empty")}</strong><br />${t("deliveries.emptyHint")}</p></div>`}
    ${Object.entries(groups).map(([name, group]) => group.length > 0 && html`<section key=${name} aria-labelledby=${`group-${name}`}>
      <h2 id=${`group-${name}`}>${t(`deliveries.${name}`)} <b>${number(group.length)}</b></h2>
      <ul>${group.map((one) => html`<${Entry} key=${one._id} delivery=${one} now=${now} />`)}</ul></section>`)}
  </main>`;
}

function Entry({ delivery, now }) {
  const { _id, deliveryNumber, status, recipient, address, vehicle, plannedFor, isKept } = delivery;
  const { loaded, total } = countsOf(delivery);
  const isOpen = isPlanned(delivery);
  return html`<li data-status=${status}>
    <h3><a href=${`/floor/deliveries/${_id}`}><span>${deliveryNumber}</span> ${recipient}</a></h3>
    ${address && html`<p class="line"><${Icon} name="map-pin" /><span class="address">${address}</span>
      <a class="quiet-button" href=${mapOf(address)} target="_blank" rel="noreferrer">${t("deliveries.map")}</a></p>`}
    ${vehicle && html`<p class="line"><${Icon} name="truck" /><span>${vehicle}</span></p>`}
    <p class="state">${isOpen
      ? html`<b>${t("deliveries.loaded", { loaded: number(loaded), total: number(total) })}</b>
        ${isOverdue(delivery, now) && html`<span class="bad"><${Icon} name="clock" />${t("deliveries.overdue", { day: dayMonth(Date.parse(plannedFor)) })}</span>`}`
      : html`<${Handed} delivery=${delivery} />`}
      <${Lacks} delivery=${delivery} />
      ${(isKept || waitingOf(delivery).some((pane) => pane.isKept)) && html`<${ToSend} />`}</p>
  </li>`;
}
