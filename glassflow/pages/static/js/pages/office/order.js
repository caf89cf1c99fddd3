// One order: its progress, what it is for, and its panes by station; live.
import { html, useState } from "../../../vendor/ui.js";
import { api } from "../../core/api.js";
import { number, t } from "../../core/i18n.js";
import { may } from "../../core/permissions.js";
import { OPEN_ORDERS } from "../../core/record_terms.js";
import { idOf, lacksPopulated, updated } from "../../core/records.js";
import { session } from "../../core/session.js";
import { Form } from "../../ui/form.js";
import { Lazy } from "../../ui/lazy.js";
import { Icon } from "../../ui/parts.js";
import { Table } from "../../ui/table.js";
import { Loaded, useResource } from "../../ui/use_resource.js";
import { Back } from "./back.js";
import { CopyRequest } from "./copy_request.js";
import { Head, Office, OFFICE, passportOf, REQUESTS } from "./layout.js";
import { paneColumns, Rest, usePanesOf } from "./panes_of.js";
import { breakdown, Deadline, Empty, Progress, Station, Status } from "./parts.js";
import { Cancel, Warnings, TakeBack } from "./request_actions.js";
import { orderFields, routeField } from "./order_fields.js";
import { JobCard } from "./job_card.js";
import { Standing } from "./standing/slot.js";

export const title = "office.order";
export const styles = ["ui/station_colors", "pages/office/requests/requests", "pages/office/standing/standing"];

const POPULATE = "request,customer,material,assignedTo";

async function readOrder(id) {
  return (await api(`/orders/${encodeURIComponent(id)}?populate=${POPULATE}`)).data;
}

export default function Order({ id }) {
  const order = useResource(`order ${id}`, () => [
    () => readOrder(id),
    {
      "order:updated": (value, { action, data }, readAgain) => {
        if (data._id !== id) return value;
        if (action === "deleted") return undefined;
        const next = updated(value, data);
        if (lacksPopulated(value, next, POPULATE)) readAgain();
        return next;
      },
      "request:updated": (value, { data }) => (idOf(value.request) === data._id ? undefined : value),
    },
  ]);
  const panes = usePanesOf("order", id, true);
  // most orders have them, so it is not assumed that there are none before they are read
  const hasPanes = panes.value ? panes.value.rows.length > 0 : !panes.error;
  return html`<${Office}>
    <${Head}>
      <${Back} section="orders" record=${order.value} />
      <h1 tabindex="-1">${order.value?.orderNumber ?? t("field.order")}</h1>
      ${order.value && html`<${Status} status=${order.value.status} />`}
    <//>
    <${Loaded} of=${order} missing=${html`<${Empty} icon="circle-help"
      title=${t("office.noOrder")} hint=${t("office.noOrderHint")} />`}>${() => html`
      <${Standing} kind="order" id=${order.value._id} />
      <${Summary} order=${order.value} hasPanes=${hasPanes} />
      <${Change} order=${order.value} panes=${panes.value} hasPanes=${hasPanes} onStale=${order.load} />
      ${panes.value?.rows.length > 0 && html`<${Lazy} load=${() => import("./order_kinds.js")} order=${order.value} panes=${panes.value} />`}
      <${Panes} order=${order.value} panes=${panes} />
      <${Lazy} load=${() => import("./deliveries/of_order.js")} order=${order.value} />
      <${Lazy} load=${() => import("./history.js")} path=${`/orders/${order.value._id}`} version=${order.value.version} />`}
    <//>
  <//>`;
}

/** Whether stations have more pieces of an order than it has open panes: sheets of units count there. */
const countsSheets = (order) =>
  breakdown(order).reduce((sum, [, count]) => sum + count, 0) > order.paneCount - order.panesCompleted;

const isToDeliver = ({ status, panesDelivered, paneCount }) => status !== "cancelled" && panesDelivered < paneCount;

function Summary({ order, hasPanes }) {
  const { request, customer, material } = order;
  const facts = [
    ["field.customer", customer?.name],
    ["field.phone", customer?.phone],
    ["field.request", request?._id && html`<a href=${`${REQUESTS}/${request._id}`}>${request.requestNumber}</a>`],
    ["field.deliveryLocation", request?.deliveryLocation],
    ["field.material", material?.name],
    ["field.orders.quantity", !hasPanes && number(order.quantity)],
    ["field.assignedTo", order.assignedTo?.name],
    ["field.referenceId", request?.referenceId],
    ["field.notes", order.notes],
  ].filter(([, value]) => value);
  return html`<section class="card summary" aria-labelledby="facts">
    <h2 id="facts">${t("field.details")}</h2>
    <div class="summary-now">
      ${may("requests:view") && html`<p class="summary-due"><span class="soft">${t("office.due")}</span>
        <${Deadline} deadline=${request?.deadline} isOpen=${OPEN_ORDERS.includes(order.status)} /></p>`}
      <p class="summary-done">${t("office.doneOf",
        { done: number(order.panesCompleted), count: number(order.paneCount) })}</p>
      <${Lazy} load=${() => import("./delivered.js")} orders=${[order]} />
      <${Progress} order=${order} />
      <ul class="legend">${breakdown(order).map(([id, count]) => html`
        <li key=${id}><${Station} station=${id} /> <b>${number(count)}</b></li>`)}</ul>
      ${countsSheets(order) && html`<p class="soft">${t("office.pieces")}</p>`}
      <div class="form-buttons"><a class="main-button" href=${`/floor/labels?order=${order._id}`}>
          <${Icon} name="printer" />${t("office.printLabels")}</a>
        ${may("panes:view") && html`<${JobCard} path=${`/orders/${order._id}/job-card`} />`}
        ${isToDeliver(order) && may("orders:manage") && html`<a class="quiet-button" href=${`${OFFICE}/deliveries/new?order=${order._id}`}>
          <${Icon} name="truck" />${t("delivery.new")}</a>`}
        <${CopyRequest} request=${request} />
        ${may("claims:create") && html`<a class="quiet-button" href=${`${OFFICE}/claims/new?order=${order._id}`}>
          <${Icon} name="triangle-alert" />${t("office.claim")}</a>`}</div>
    </div>
    <dl>${facts.map(([name, value]) => html`<dt key=${name}>${t(name)}</dt><dd>${value}</dd>`)}</dl>
  </section>`;
}

/**
 * Its fields, and what can be done with it, for those who may. Its route is one of them as long as
 * no pane has its own.
 */
function Change({ order, panes, hasPanes, onStale }) {
  const { worker } = session.value;
  const [said, setSaid] = useState([]);
  const manages = may("orders:manage") || idOf(order.assignedTo) === worker._id;
  if (!manages) return null;
  const isCancelled = order.status === "cancelled";
  const takesRoute = panes?.rows.every(({ routing }) => !routing.length);
  const isWithRequest = order.request?.status === "cancelled";
  return html`<section class="card" aria-labelledby="change">
    <h2 id="change">${t("requests.changeOrder")}</h2>
    <${Form} fields=${[...orderFields(!hasPanes), ...(takesRoute ? [routeField()] : [])]} record=${order} path="/orders" onStale=${onStale} />
    <${Warnings} of=${said} />
    <div class="form-buttons">
      ${!isCancelled && html`<${Cancel} record=${order} path="/orders" onStale=${onStale} hint=${t("requests.cancelOrderHint")} />`}
      ${isCancelled && !isWithRequest && html`<${TakeBack} record=${order} path="/orders" onStale=${onStale} hint=${t("requests.takeBackOrderHint")} onSaid=${setSaid} />`}
      ${isCancelled && isWithRequest && html`<p class="soft">${t("requests.withRequest")}</p>`}
    </div>
  </section>`;
}

function Panes({ order, panes }) {
  const canAdd = may("requests:manage") && order.request && order.status !== "cancelled";
  return html`<section class="card" aria-labelledby="panes">
    <h2 id="panes">${t("office.panesByStation")}</h2>
    <${Loaded} of=${panes}>${() => html`<${Groups} panes=${panes.value.rows} order=${order} />
      <${Rest} panes=${panes.value} owner="order" id=${order._id} />`}<//>
    ${canAdd && html`<${Lazy} load=${() => import("./requests/change_links.js")} request=${idOf(order.request)} order=${order._id} panes=${panes} />`}
  </section>`;
}

/** The panes in groups: the stations of the route in order, then those at no station. */
function Groups({ panes, order }) {
  if (!panes.length)
    return html`<${Empty} icon="layers" title=${t("office.noPanes")} hint=${t("office.noPanesHint")} />`;
  const steps = (order.stations.length ? order.stations : panes[0].routing).map(idOf);
  return groups(panes, steps).map(
    ([station, rows]) => html`<section class="group" key=${station}>
    <h3>${station ? html`<${Station} station=${station} />` : t("office.noStation")}
      <b>${number(rows.length)}</b></h3>
    <${Table} name="panes" label=${t("office.panesByStation")} columns=${paneColumns(order.material)} rows=${rows}
      href=${({ paneNumber }) => passportOf(paneNumber)} />
  </section>`,
  );
}

function groups(panes, steps) {
  const found = new Map();
  for (const pane of panes) {
    const station = idOf(pane.currentStation);
    found.set(station, [...(found.get(station) ?? []), pane]);
  }
  const place = (id) => (id === null ? Infinity : steps.includes(id) ? steps.indexOf(id) : steps.length);
  return [...found].sort(([one], [other]) => place(one) - place(other));
}
