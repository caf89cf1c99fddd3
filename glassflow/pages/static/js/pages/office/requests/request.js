// One request: what the customer wants, what was made of it, and what can be done with it.
import { html, useState } from "../../../../vendor/ui.js";
import { api, styled } from "../../../core/api.js";
import { number, t } from "../../../core/i18n.js";
import { may, seesPrices } from "../../../core/permissions.js";
import { REQUEST_STATUSES } from "../../../core/record_terms.js";
import { idOf, withChange } from "../../../core/records.js";
import { Lazy } from "../../../ui/lazy.js";
import { Icon } from "../../../ui/parts.js";
import { Table } from "../../../ui/table.js";
import { Loaded, useResource } from "../../../ui/use_resource.js";
import { CopyRequest } from "../copy_request.js";
import { ORDERS, passportOf } from "../layout.js";
import { paneColumns, Rest, usePanesOf } from "../panes_of.js";
import { Deadline, Empty, Progress, Status } from "../parts.js";
import { KnownRecordPage } from "../known_record.js";
import { Standing } from "../standing/slot.js";
import { Cancel, ChangeDeadline, TakeBack, Warnings } from "../request_actions.js";
import { agreedPrice, customer, expectedDelivery, facts } from "../request_fields.js";
import { isOpenRequest } from "../statuses.js";

export const title = "requests.one";
export const styles = [
  "ui/station_colors",
  "ui/grid",
  "pages/office/choice_groups",
  "pages/office/requests/requests",
  "pages/office/standing/standing",
];

const delivered = () => import("../delivered.js");
const agreed = () => import("./agreed.js");
const makeOrder = () => import("./make_order.js");
const forecast = () => import("../forecast/forecast.js").then(styled);

export default function RequestPage({ id }) {
  return html`<${KnownRecordPage} section="requests" resource="requests" id=${id} event="request:updated"
    populate="customer,assignedTo,cancelledBy" manage="requests:manage" nameOf=${({ requestNumber }) => requestNumber}
    fields=${fields()} actions=${(request) => html`<${Status} status=${request.status} />`}
    above=${({ _id }) => html`<${Standing} kind="request" id=${_id} />`}
    below=${(request, load) => html`<${Below} request=${request} load=${load} />`} />`;
}

function Below({ request, load }) {
  const panes = usePanesOf("request", request._id);
  const orders = useOrdersOf(request._id);
  return html`<${Now} request=${request} panes=${panes} orders=${orders} onStale=${load} />
    ${isOpenRequest(request) && may("orders:view") && html`<${Lazy} load=${forecast} path="/requests" record=${request} onStale=${load} />`}
    ${seesPrices() && html`<${Lazy} load=${agreed} request=${request} />`}
    <${Lazy} load=${() => import("./attachments.js")} request=${request} /><${Orders} list=${orders} /><${Panes} request=${request} panes=${panes} />`;
}

function fields() {
  const open = REQUEST_STATUSES.filter((status) => status !== "cancelled");
  return [
    customer(),
    { name: "details.type", label: t("requests.type"), required: true },
    { name: "details.quantity", label: t("field.quantity"), kind: "number", min: 1, step: 1, required: true },
    { ...agreedPrice(), hint: t("agreed.fieldHint") },
    expectedDelivery(),
    ...facts(),
    {
      name: "status",
      label: t("field.status"),
      kind: "select",
      hint: t("requests.statusHint"),
      isShown: ({ status }) => status !== "cancelled",
      options: open.map((value) => ({ value, label: t(`status.${value}`) })),
    },
  ];
}

/** Its deadline, why it was cancelled, and what can be done. */
function Now({ request, panes, orders, onStale }) {
  const { _id: id, status, deadline, deadlineChangeReason, cancelReason, cancelledBy } = request;
  const isCancelled = status === "cancelled";
  const [said, setSaid] = useState([]);
  const [manages, mayOrder] = [may("requests:manage"), may("orders:create") || may("orders:manage")];
  return html`<section class="card request-now" aria-labelledby="now">
    <h2 id="now">${t("requests.now")}</h2>
    <p class="summary-due"><span class="soft">${t("field.deadline")}</span>
      <${Deadline} deadline=${deadline} isOpen=${isOpenRequest(request)} />
      ${deadlineChangeReason && html`<span class="soft">${t("requests.movedBecause", { reason: deadlineChangeReason })}</span>`}</p>
    ${isOpenRequest(request) && request.leftOut.map(({ kind, name }) => html`<p key=${kind + name} class="status-line"><${Icon} name="triangle-alert" /> ${t(`requestsleft.${kind}`, { name: name || "–" })}</p>`)}
    ${isCancelled && html`<p><${Icon} name="ban" /> ${t("requests.cancelledBy", { name: cancelledBy?.name ?? "–", reason: cancelReason || "–" })}</p>`}
    <${Warnings} of=${said} />
    <div class="form-buttons">
      ${mayOrder && !isCancelled && html`<${Lazy} load=${makeOrder} request=${request} panes=${panes} orders=${orders} />`}
      <a class="quiet-button" href=${`/floor/labels?request=${id}`}><${Icon} name="printer" />${t("office.printLabels")}</a>
      <${CopyRequest} request=${request} />
      ${manages && !isCancelled && html`<${ChangeDeadline} request=${request} onStale=${onStale} /><${Cancel} record=${request} path="/requests"
        onStale=${onStale} hint=${t("requests.cancelHint")} reason="cancelReason" />`}
      ${manages && isCancelled && html`<${TakeBack} record=${request} path="/requests" onStale=${onStale} hint=${t("requests.takeBackHint")} onSaid=${setSaid} />`}
    </div>
  </section>`;
}

function useOrdersOf(id) {
  return useResource(`orders of ${id}`, () => [
    async () => (await api(`/orders?request=${id}&limit=100&sort=createdAt`)).data,
    {
      "order:updated": (rows, payload) => {
        const isListed = rows.some(({ _id }) => _id === payload.data._id);
        return isListed || idOf(payload.data.request) === id ? withChange(rows, payload) : rows;
      },
    },
  ]);
}

function Orders({ list }) {
  return html`<section class="card" aria-labelledby="orders"><h2 id="orders">${t("requests.orders")}</h2>
    <${Loaded} of=${list}>${() => list.value.length
      ? html`<${Lazy} load=${delivered} orders=${list.value} /><${Table} name="request-orders" label=${t("requests.orders")} columns=${ORDER_COLUMNS} rows=${list.value}
          href=${({ _id }) => `${ORDERS}/${_id}?from=request`} />`
      : html`<${Empty} icon="clipboard-list" title=${t("requests.noOrders")} hint=${t("requests.noOrdersHint")} />`}<//></section>`;
}

const ORDER_COLUMNS = [
  { name: "number", width: "136px", cell: ({ orderNumber }) => html`<strong>${orderNumber}</strong>` },
  { name: "state", width: "160px", cell: ({ status }) => html`<${Status} status=${status} />` },
  { name: "stations", width: "2fr", cell: (order) => html`<${Progress} order=${order} />` },
  {
    name: "done",
    width: "80px",
    cell: ({ panesCompleted, paneCount }) => `${number(panesCompleted)}/${number(paneCount)}`,
  },
];

function Panes({ request, panes }) {
  return html`<section class="card" aria-labelledby="panes"><h2 id="panes">${t("requests.panes")}</h2>
    <${Loaded} of=${panes}>${() => panes.value.rows.length
      ? html`<${Table} name="panes" label=${t("requests.panes")} columns=${paneColumns()} rows=${panes.value.rows}
          href=${({ paneNumber }) => `${passportOf(paneNumber)}?from=request`} />
        <${Rest} panes=${panes.value} owner="request" id=${request._id} />`
      : html`<${Empty} icon="layers" title=${t("requests.noPanes")} hint=${t("requests.noPanesHint")} />`}<//>
    ${may("requests:manage") && isOpenRequest(request) && html`<${Lazy} load=${() => import("./change_links.js")} request=${request._id} panes=${panes} />`}</section>`;
}
