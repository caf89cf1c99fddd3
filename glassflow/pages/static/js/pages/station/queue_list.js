// The queue of the station: all panes in the order in which they are to be worked on, or by order or glass.
import { html, useEffect, useRef, useState } from "../../../vendor/ui.js";
import { serviceTime } from "../../core/api.js";
import { number, t } from "../../core/i18n.js";
import { workingDuration, workingSeconds } from "../../core/working_time.js";
import { useNow } from "../../ui/connection.js";
import { explain } from "../../ui/fault.js";
import { Icon } from "../../ui/parts.js";
import { useHand } from "./hand.js";
import { preference, setPreference } from "./kept.js";
import { countOf, customerOf, Due } from "./pane.js";
import { counts, hereOf, inOrder, isAway, NO_FILTER } from "./queue.js";
import { areFew, dayOf, filtered, groupsOf, holdStill, momentFor, WAYS } from "./queue_view.js";

const MINUTE_MS = 60_000;
const rowId = ({ paneNumber }) => paneNumber;
const groupId = ({ key }) => key;

export function QueueList({ desk }) {
  const now = Math.floor(serviceTime(useNow(true)) / MINUTE_MS) * MINUTE_MS;
  const error = desk.queue.error.value;
  if (!desk.queue.panes.value)
    return html`<section class="queue" aria-busy=${!error}>
    ${error ? html`<${Failed} desk=${desk} error=${error} />` : html`<div class="skeleton" />`}</section>`;
  return html`<${Open} desk=${desk} error=${error} now=${now} />`;
}

// Drawn again with each minute, not with each second.
function Open({ desk, error, now }) {
  const here = hereOf(desk);
  const section = useRef();
  const [way, setWay] = useState(WAYS.includes(preference("queueBy")) ? preference("queueBy") : "all");
  const filter = desk.queue.filter.value;
  const isHeld = useHand(section);
  // what somebody has asked for is shown at once
  const rows = useHeld(filtered(inOrder(here, now), filter, now), rowId, isHeld, filter);
  useEffect(() => void (section.current.scrollTop = 0), [way, filter]);
  useEffect(() => () => void (desk.queue.filter.value = NO_FILTER), []); // somebody else begins with all
  const choose = (one) => {
    setPreference("queueBy", one);
    setWay(one);
  };
  const shared = { desk, rows, now, dayStart: dayOf(now).start };
  const { isWhole } = desk.queue;
  const work = here.filter((pane) => !isAway(pane)).length;
  return html`<section class="queue" aria-labelledby="queue" ref=${section}>
    <div class="queue-head"><h2 id="queue">${t("station.queue")} <b>${number(work)}${!isWhole && "+"}</b></h2>
      <div class="ways" role="group" aria-label=${t("station.queueBy")}>${WAYS.map((one) => html`<button type="button" key=${one}
        aria-pressed=${String(one === way)} onClick=${() => choose(one)}>${t(`station.by_${one}`)}</button>`)}</div></div>
    <p class="counts">${Object.entries(counts(here)).map(([status, count]) => html`<span key=${status} data-status=${status}>
      <i></i>${t(`status.${status}`)} ${number(count)}</span>`)}</p>
    ${(filter.text || filter.due) && html`<${Filter} desk=${desk} count=${rows.filter((one) => !one.isGone).length} />`}
    ${error && html`<${Failed} desk=${desk} error=${error} />`}
    ${here.length === 0 && html`<div class="empty"><${Icon} name="clipboard-list" />
      <p><strong>${t("station.empty")}</strong><br />${t("station.emptyHint")}</p></div>`}
    ${way === "all" ? html`<${Rows} ...${shared} />` : html`<${Groups} key=${way} way=${way} isHeld=${isHeld} ...${shared} />`}
    ${!isWhole && html`<p class="soft">${t("station.andMore", { count: number(here.length) })}</p>`}
  </section>`;
}

// Things as they were last shown, at their places, as long as nothing may move; `asked` is what
// somebody has chosen, after which they are shown anew.
function useHeld(fresh, idOf, isHeld, asked) {
  const last = useRef({});
  const shown = isHeld && last.current.asked === asked ? holdStill(last.current.shown, fresh, idOf) : fresh;
  last.current = { shown, asked };
  return shown;
}

function Filter({ desk, count }) {
  const { text, due } = desk.queue.filter.value;
  return html`<p class="filter" role="status"><${Icon} name="search" />
    <span>${due ? t(`station.due_${due}`) : `“${text}”`} · ${t("station.panes", { count: number(count) })}</span>
    <button type="button" class="quiet-button" onClick=${() => (desk.queue.filter.value = NO_FILTER)}>${t("station.filterEnd")}</button></p>`;
}

function Groups({ desk, rows, way, now, dayStart, isHeld }) {
  const [open, setOpen] = useState(null);
  const few = useRef(null);
  const groups = useHeld(groupsOf(rows, way), groupId, isHeld, desk.queue.filter.value);
  // none is opened or closed under a hand either
  if (!isHeld || few.current === null) few.current = groups.length === 1 || areFew(rows.length, few.current);
  const toggle = (key) => () => setOpen(open === key ? null : key);
  return groups.map(
    (group) => html`<${Group} key=${group.key} desk=${desk} group=${group} way=${way} now=${now} dayStart=${dayStart}
    isOpen=${few.current || group.key === open} onToggle=${few.current ? null : toggle(group.key)} />`,
  );
}

function Group({ desk, group: { rows, first }, way, now, dayStart, isOpen, onToggle }) {
  const here = rows.filter((pane) => !isAway(pane) && !pane.isGone);
  const { glassTypeLabel, dimensions, order } = first;
  const glass = [glassTypeLabel, dimensions?.thickness && `${dimensions.thickness} ${t("station.mm")}`];
  const name = way === "order" ? order?.orderNumber : glass.filter(Boolean).join(" · ");
  const content = html`<b>${name || t(`station.without_${way}`)}</b>
    <span class="group-facts">${way === "order" && html`<span>${customerOf(first)}</span>`}<span>${ofOrder(here, way, order)}</span>
      <span class="group-counts">${Object.entries(counts(here)).map(([status, count]) => count > 0 && html`<span key=${status}
        data-status=${status}><i role="img" aria-label=${t(`status.${status}`)}></i>${number(count)}</span>`)}</span></span>
    <span class="row-end">${here.length > 0 && html`<${Due} pane=${first} now=${momentFor(first, now, dayStart)} />`}</span>`;
  return html`<div class="group">
    <h3>${
      onToggle
        ? html`<button type="button" class="group-head" aria-expanded=${String(isOpen)} onClick=${onToggle}>
        ${content}<${Icon} name="chevron-down" /></button>`
        : html`<span class="group-head">${content}</span>`
    }</h3>
    ${isOpen && html`<${Rows} desk=${desk} rows=${rows} now=${now} dayStart=${dayStart} />`}</div>`;
}

// "5 of 8 here"
function ofOrder(here, way, order) {
  const own = way === "order" && order ? countOf(order._id, here) : 0;
  if (own > 0 && order.paneCount >= own)
    return t("station.hereOf", { count: number(own), total: number(order.paneCount) });
  return t("station.panes", { count: number(here.length) });
}

function Rows({ desk, rows, now, dayStart }) {
  return html`<ol>${rows.map((pane) => html`<${Row} key=${pane.paneNumber} desk=${desk} pane=${pane}
    now=${momentFor(pane, now, dayStart)} />`)}</ol>`;
}

// Drawn again only with another pane or moment: there may be a thousand.
function Row({ desk, pane, now }) {
  const { paneNumber, currentStatus, dimensions, order, request, arrivedAt, createdAt, kept, isGone } = pane;
  const { width, height } = dimensions ?? {};
  const age = Math.max(60, workingSeconds(Date.parse(arrivedAt ?? createdAt), now, desk.id));
  const tap = () => !isGone && desk.scan(paneNumber, "typed");
  return html`<li><button type="button" data-status=${currentStatus} aria-disabled=${isGone ? "true" : null} onClick=${tap}>
    <i role="img" aria-label=${t(kept ? `station.did_${kept}` : `status.${currentStatus}`)}></i><b>${paneNumber}</b>
    <span class="row-size">${width ? `${width}×${height}` : "–"}</span>
    <span class="row-customer">${customerOf(pane)}</span>
    <span class="row-end">${isGone && html`<span>${t("station.rowGone")}</span>`}
      ${kept && html`<span class="kept"><${Icon} name="upload" />${t("station.toSend")}</span>`}
      ${currentStatus === "outside" && html`<span class="outside"><${Icon} name="map-pin-off" />${t("station.outside")}</span>`}
      ${order?.priority > 0 && html`<span class="urgent">${t("station.urgent")}</span>`}
      ${!isGone && (request?.deadline ? html`<${Due} pane=${pane} now=${now} />` : !kept && workingDuration(age, { station: desk.id }))}</span>
  </button></li>`;
}

function Failed({ desk, error }) {
  return html`<div class="fault" role="alert"><${Icon} name="circle-alert" /><p>${explain(error)}
    ${error.requestId && html`<small>${t("fault.request")} ${error.requestId}</small>`}
    <button type="button" class="quiet-button" onClick=${() => desk.queue.load()}>${t("fault.again")}</button></p></div>`;
}
