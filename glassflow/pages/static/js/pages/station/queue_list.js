// The queue of the station, in the order in which the panes are to be worked on.
import { html, useState } from "../../../vendor/ui.js";
import { serviceTime } from "../../core/api.js";
import { outbox } from "../../core/outbox.js";
import { duration, number, t } from "../../core/i18n.js";
import { useNow } from "../../ui/connection.js";
import { explain } from "../../ui/fault.js";
import { Icon } from "../../ui/parts.js";
import { isLate, Late } from "./pane.js";
import { counts, inOrder, isAway, withKept } from "./queue.js";
import { scansOf } from "../scan_page/requests.js";

const FIRST = 40; // rows; the others on demand

export function QueueList({ desk }) {
  const [all, setAll] = useState(false);
  const now = Math.floor(serviceTime(useNow(true)) / 60_000) * 60_000; // ages are in minutes
  const panes = desk.queue.panes.value;
  const error = desk.queue.error.value;
  if (!panes)
    return html`<section class="queue" aria-busy=${!error}>
    ${error ? html`<${Failed} desk=${desk} error=${error} />` : html`<div class="skeleton" />`}</section>`;
  const scans = outbox.value.kept.filter(({ body }) => body.station === desk.id).flatMap(scansOf);
  const { isLaminateStation } = desk.place.value?.station ?? {};
  const here = withKept(panes, scans, isLaminateStation, (one) => desk.queue.isOutside(one));
  const rows = inOrder(here, now);
  const away = rows.filter(isAway).length;
  const shown = all ? rows : rows.slice(0, FIRST);
  return html`<section class="queue" aria-labelledby="queue">
    <h2 id="queue">${t("station.queue")} <b>${number(rows.length - away)}</b></h2>
    <p class="counts">${Object.entries(counts(here)).map(([status, count]) => html`<span key=${status} data-status=${status}>
      <i></i>${t(`status.${status}`)} ${number(count)}</span>`)}</p>
    ${error && html`<${Failed} desk=${desk} error=${error} />`}
    ${rows.length === 0 && html`<div class="empty"><${Icon} name="clipboard-list" />
      <p><strong>${t("station.empty")}</strong><br />${t("station.emptyHint")}</p></div>`}
    <ol>${shown.map((pane) => html`<${Row} key=${pane._id} desk=${desk} pane=${pane} now=${now} />`)}</ol>
    ${shown.length < rows.length && html`<button type="button" class="quiet-button" onClick=${() => setAll(true)}>
      ${t("station.showAll", { count: number(rows.length) })}</button>`}
  </section>`;
}

function Row({ desk, pane, now }) {
  const { paneNumber, currentStatus, dimensions, order, arrivedAt, createdAt, kept } = pane;
  const { width, height } = dimensions ?? {};
  const ageS = Math.max(60, (now - Date.parse(arrivedAt ?? createdAt)) / 1000);
  return html`<li><button type="button" data-status=${currentStatus} onClick=${() => desk.scan(paneNumber, "typed")}>
    <i></i><b>${paneNumber}</b>
    <span class="row-size">${width ? `${width}×${height}` : "–"}</span>
    <span class="row-order">${order?.orderNumber}</span>
    <span class="row-status">${t(kept ? `station.did_${kept}` : `status.${currentStatus}`)}</span>
    <span class="row-age">${kept && html`<span class="kept"><${Icon} name="upload" />${t("station.toSend")}</span>`}
      ${currentStatus === "outside" && html`<span class="outside"><${Icon} name="map-pin-off" />${t("station.outside")}</span>`}
      ${order?.priority > 0 && html`<span class="urgent">${t("station.urgent")}</span>`}
      ${isLate(pane, now) ? html`<${Late} />` : !kept && duration(ageS)}</span>
  </button></li>`;
}

function Failed({ desk, error }) {
  return html`<div class="fault" role="alert"><${Icon} name="circle-alert" /><p>${explain(error)}
    ${error.requestId && html`<small>${t("fault.request")} ${error.requestId}</small>`}
    <button type="button" class="quiet-button" onClick=${() => desk.queue.load()}>${t("fault.again")}</button></p></div>`;
}
