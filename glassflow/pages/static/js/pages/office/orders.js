// The orders: late ones, those due today or within two days, open ones, or all; live.
import { html, useLayoutEffect } from "../../../vendor/ui.js";
import { date, number, t } from "../../core/i18n.js";
import { may } from "../../core/permissions.js";
import { OPEN_ORDERS, ORDER_STATUSES } from "../../core/record_terms.js";
import { idOf, updated } from "../../core/records.js";
import { query } from "../../core/router.js";
import { dayFilters, referenceFilter } from "../../ui/filters.js";
import { ImportLink } from "../../ui/imports.js";
import { address, RecordList } from "../../ui/record_list.js";
import { Icon } from "../../ui/parts.js";
import { lateOrders } from "./counts.js";
import { Head, Office, ORDERS } from "./layout.js";
import { Deadline, Empty, Progress, Status } from "./parts.js";

export const title = "office.orders";
export const styles = ["pages/office/requests/requests", "ui/station_colors"];

const TABS = ["late", "today", "soon", "open", "all"];
const READ_AGAIN_MS = 300_000; // deadlines pass without an event
const FILTERS = ["customer", "request"]; // those that other pages lead to
const POPULATE = "request,customer,material,assignedTo";

const isOpen = ({ status }) => OPEN_ORDERS.includes(status);

/** The tabs of orders that the worker may read: the deadline of an order is that of its request. */
const tabs = () => (may("requests:view") ? TABS : ["all"]);

/** A list of open orders after an event of an order; undefined where it has to be read again. */
function withOrder(list, { action, data }) {
  const row = list.rows.find(({ _id }) => _id === data._id);
  if (!row) return action === "updated" && isOpen(data) ? list : undefined;
  const next = updated(row, data);
  const stays = action !== "deleted" && isOpen(next) && idOf(next.request) === idOf(row.request);
  if (!stays) return undefined;
  return { ...list, rows: list.rows.map((one) => (one === row ? next : one)) };
}

/** All orders after an event of a request, whose deadline is shown. */
function withRequest(list, { data }) {
  return list.rows.some(({ request }) => idOf(request) === data._id) ? undefined : list;
}

export default function Orders() {
  const given = query.value.get("due");
  const due = tabs().includes(given) ? given : tabs()[0];
  return html`<${Office}>
    <${Head}><h1 tabindex="-1">${t("office.orders")}</h1><${ImportLink} resource="orders" /><//>
    ${due === "all" ? html`<${All} />` : html`<${Due} due=${due} />`}<//>`;
}

/** All orders, as other lists of records. */
function All() {
  return html`<${List} due="all" resource="orders" filters=${filters()} on=${{ "request:updated": withRequest }} />`;
}

/**
 * The open orders that are late, due soon, or all of them: by their deadlines, which only the
 * list of the orders that are due sorts by, unless the address names another order.
 */
function Due({ due }) {
  const offered = filters().filter(({ name }) => name !== "status");
  const isFiltered = ["search", ...offered.map(({ name }) => name)].some((name) => query.value.get(name));
  const isSorted = Boolean(query.value.get("sort"));
  const isPlain = !isFiltered && !isSorted; // else the change of an order may move it, or add it
  const on = { "request:updated": () => undefined, ...(isPlain && { "order:updated": withOrder }) };
  return html`<${List} due=${due} resource=${isSorted ? "orders" : "orders/due"} sort="" fixed=${{ due }}
    filters=${offered} isFiltered=${isFiltered} on=${on} everyMs=${READ_AGAIN_MS} exported=${{ resource: "orders" }} />`;
}

function List({ due, filters, isFiltered, ...list }) {
  return html`<${RecordList} name="orders" event="order:updated" label=${t("office.orders")} populate=${POPULATE}
    actions=${(may("orders:manage") || may("panes:view")) && (() => import("./orders_batch.js"))} rowName=${({ orderNumber }) => orderNumber}
    columns=${columns()} filters=${filters} href=${({ _id }) => `${ORDERS}/${_id}`}
    head=${({ value }) => html`<${Tabs} due=${due} pagination=${value?.pagination} isFiltered=${isFiltered} />`}
    above=${(rows) => html`<${Filter} filters=${filters} rows=${rows} due=${due} />`} empty=${html`<${NoOrders} due=${due} />`} ...${list} />`;
}

function filters() {
  const statuses = ORDER_STATUSES.map((value) => ({ value, label: t(`status.${value}`) }));
  const reference = (key, filter) => (may(key) ? [referenceFilter(filter)] : []);
  return [
    { name: "status", label: t("field.status"), options: statuses },
    ...reference("customers:view", { name: "customer", resource: "customers", label: t("field.customer") }),
    ...reference("workers:view", { name: "assignedTo", resource: "workers", label: t("field.assignedTo") }),
    ...reference("requests:view", {
      name: "request",
      resource: "requests",
      label: t("field.request"),
      more: true,
      nameOf: ({ requestNumber }) => requestNumber,
    }),
    ...reference("materials:view", {
      name: "material",
      resource: "materials",
      label: t("field.material"),
      more: true,
    }),
    ...dayFilters({ name: "createdAt", from: t("requests.createdFrom"), to: t("requests.dueTo"), more: true }),
  ];
}

/** The tabs; each shows its orders in its own order again. */
function Tabs({ due, pagination, isFiltered }) {
  const counts = pagination?.counts ?? { all: pagination?.total };
  const late = isFiltered ? undefined : counts.late;
  useLayoutEffect(() => void (late >= 0 && (lateOrders.value = late)), [late]);
  return html`<nav class="tabs" aria-label=${t("office.tabs")}>${tabs().map((tab) => html`
    <a key=${tab} href=${address({ due: tab, sort: null, page: null })} aria-current=${tab === due ? "page" : undefined}>
      ${t(`officetab.${tab}`)}${counts[tab] >= 0 && html` <b>${number(counts[tab])}</b>`}
    </a>`)}</nav>`;
}

/** Whose orders are shown, where the address names a customer or a request. */
function Filter({ filters, rows, due }) {
  const name = FILTERS.find((one) => query.value.get(one) && filters.some((filter) => filter.name === one));
  if (!name) return null;
  const record = rows[0][name];
  const of = record?.name ?? record?.requestNumber;
  const fallback = name === "customer" ? "office.filteredCustomer" : "office.filteredRequest";
  return html`<p class="filter">
    <span>${of ? t("office.filtered", { name: of }) : t(fallback)}</span>
    <a class="quiet-button" href=${`${ORDERS}?due=${due}`}><${Icon} name="x" />${t("office.unfiltered")}</a>
  </p>`;
}

function NoOrders({ due }) {
  const hint = t(due === "all" || due === "open" ? "office.emptyAllHint" : "office.emptyHint");
  return html`<${Empty} icon=${due === "all" ? "clipboard-list" : "circle-check"}
    title=${t(`officeempty.${due}`)} hint=${hint} />`;
}

export function columns() {
  return [
    {
      name: "number",
      title: t("field.orderNumber"),
      width: "120px",
      sort: "orderNumber",
      cell: (order) => html`<strong>${order.orderNumber}</strong>`,
    },
    {
      name: "customer",
      title: t("field.customer"),
      width: "2fr",
      fields: "customer",
      sort: may("customers:view") && "customer.name",
      cell: (order) => order.customer?.name ?? "–",
    },
    {
      name: "due",
      title: t("office.due"),
      width: "170px",
      fields: "request,status",
      sort: may("requests:view") && "request.deadline",
      cell: (order) =>
        isOpen(order) && may("requests:view")
          ? html`<${Deadline} deadline=${order.request?.deadline} isOpen />`
          : html`<${Status} status=${order.status} />`,
    },
    {
      name: "stations",
      title: t("field.stationBreakdown"),
      width: "3fr",
      fields: "stationBreakdown",
      sort: "progressPercent",
      cell: (order) => html`<${Progress} order=${order} />`,
    },
    {
      name: "done",
      title: t("office.done"),
      width: "90px",
      fields: "panesCompleted,paneCount",
      sort: "panesCompleted",
      cell: (order) => html`<span aria-hidden="true">${number(order.panesCompleted)}/${number(order.paneCount)}</span>`,
    },
    {
      name: "delivered",
      title: t("field.panesDelivered"),
      width: "90px",
      sort: "panesDelivered",
      hidden: true,
      cell: ({ panesDelivered }) => number(panesDelivered),
    },
    {
      name: "request",
      fields: "request",
      sort: may("requests:view") && "request.requestNumber",
      title: t("field.request"),
      width: "120px",
      hidden: true,
      cell: ({ request }) => request?.requestNumber,
    },
    {
      name: "material",
      fields: "material",
      sort: may("materials:view") && "material.name",
      title: t("field.material"),
      width: "2fr",
      hidden: true,
      cell: ({ material }) => material?.name,
    },
    {
      name: "assignedTo",
      fields: "assignedTo",
      sort: may("workers:view") && "assignedTo.name",
      title: t("field.assignedTo"),
      width: "1fr",
      hidden: true,
      cell: ({ assignedTo }) => assignedTo?.name,
    },
    {
      name: "priority",
      title: t("field.priority"),
      width: "110px",
      sort: "priority",
      hidden: true,
      cell: ({ priority }) => number(priority),
    },
    {
      name: "created",
      title: t("field.createdAt"),
      width: "130px",
      sort: "createdAt",
      hidden: true,
      cell: ({ createdAt }) => date(new Date(createdAt)),
    },
  ];
}
