// The orders: late ones, those due within two days, open ones, or all; live.
import { html } from "../../../vendor/ui.js";
import { api } from "../../core/api.js";
import { addTexts, date, number, t } from "../../core/i18n/index.js";
import { may } from "../../core/permissions.js";
import { idOf, updated } from "../../core/records.js";
import { query } from "../../core/router.js";
import { ExportButton } from "../../ui/export_button.js";
import { dayFilters, referenceFilter } from "../../ui/filters.js";
import { RecordList } from "../../ui/record_list.js";
import { Pages, Table, useLastPage } from "../../ui/table.js";
import { Icon } from "../../ui/parts.js";
import { Loaded, useResource } from "../../ui/use_resource.js";
import { lateOrders } from "./counts.js";
import { ImportLink } from "./import/link.js";
import { Head, Office, ORDERS } from "./layout.js";
import { Deadline, Empty, isOpen, Progress, Status } from "./parts.js";
import { texts } from "./requests/texts.js";

addTexts(texts);

export const title = "office.orders";
export const styles = ["office", "records", "requests", "station_colors"];

const TABS = ["late", "soon", "open", "all"];
const STATUSES = ["pending", "in_progress", "completed", "cancelled"];
const PAGE = 50;
const READ_AGAIN_MS = 300_000; // deadlines pass without an event
const FILTERS = ["customer", "request"];
const POPULATE = "request,customer";

/** The tabs of orders that the worker may read: the deadline of an order is that of its request. */
const tabs = () => (may("requests:view") ? TABS : ["all"]);

/** What the address asks for: {due, page, filter: {customer, request}}. */
function wanted(parameters) {
  const given = parameters.get("due");
  const filter = FILTERS.map((name) => [name, parameters.get(name)]).filter(([, id]) => id);
  return {
    due: tabs().includes(given) ? given : tabs()[0],
    page: Math.max(1, Number.parseInt(parameters.get("page")) || 1),
    filter: Object.fromEntries(filter),
  };
}

const href = (parameters) => `${ORDERS}?${new URLSearchParams(parameters)}`;

async function read({ due, page, filter }) {
  const common = { ...filter, page, limit: PAGE, populate: POPULATE };
  const { data: rows, pagination } = await api(`/orders/due?${new URLSearchParams({ ...common, due })}`);
  if (pagination.counts && !Object.keys(filter).length) lateOrders.value = pagination.counts.late;
  return { rows, pagination };
}

/** The list after an event of an order; undefined where it has to be read again. */
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
  const asked = wanted(query.value);
  const { due, filter } = asked;
  return html`<${Office}>${due === "all" ? html`<${All} filter=${filter} />` : html`<${Due} asked=${asked} />`}<//>`;
}

function Top({ children }) {
  return html`<${Head}><h1 tabindex="-1">${t("office.orders")}</h1>${children}<${ImportLink} resource="orders" /><//>`;
}

/** All orders, as other lists of records. */
function All({ filter }) {
  return html`<${Top} /><${Tabs} due="all" filter=${filter} />
    <${RecordList} resource="orders" event="order:updated" label=${t("office.orders")} populate="request,customer,material,assignedTo"
      columns=${[...columns(), ...moreColumns()]} filters=${filters()} href=${({ _id }) => `${ORDERS}/${_id}`}
      on=${{ "request:updated": withRequest }}
      above=${(rows) => html`<${Filter} filter=${filter} rows=${rows} due="all" />`} empty=${html`<${NoOrders} due="all" />`} />`;
}

function filters() {
  const statuses = STATUSES.map((value) => ({ value, label: t(`officestatus.${value}`) }));
  const reference = (key, filter) => (may(key) ? [referenceFilter(filter)] : []);
  return [
    { name: "status", label: t("requests.status"), options: statuses },
    ...reference("customers:view", { name: "customer", resource: "customers", label: t("office.customer") }),
    ...reference("workers:view", { name: "assignedTo", resource: "workers", label: t("requests.assignedTo") }),
    ...reference("requests:view", { name: "request", resource: "requests", label: t("office.request"), more: true,
      nameOf: ({ requestNumber }) => requestNumber }),
    ...reference("materials:view", { name: "material", resource: "materials", label: t("office.material"), more: true }),
    ...dayFilters({ name: "createdAt", from: t("requests.createdFrom"), to: t("requests.dueTo"), more: true }),
  ];
}

/** The open orders that are late, due soon, or all of them. */
function Due({ asked }) {
  const { due, filter } = asked;
  const list = useResource(`orders ${JSON.stringify(asked)}`, () => [
    () => read(asked),
    {
      "order:updated": withOrder,
      "request:updated": () => undefined,
    },
    { everyMs: READ_AGAIN_MS },
  ]);
  const isBehind = useLastPage(list);
  return html`<${Top}><${ExportButton} resource="orders" parameters=${{ ...filter, due }} columns=${columns()}
      total=${list.value?.pagination.total} /><//>
    <${Tabs} due=${due} filter=${filter} counts=${list.value?.pagination.counts} />
    <${Filter} filter=${filter} rows=${list.value?.rows} due=${due} />
    <${Loaded} of=${list}>${() => !isBehind && html`<${List} ...${list.value} asked=${asked} />`}<//>`;
}

function Tabs({ due, filter, counts }) {
  return html`<nav class="tabs" aria-label=${t("office.tabs")}>${tabs().map((tab) => html`
    <a key=${tab} href=${href({ due: tab, ...filter })} aria-current=${tab === due ? "page" : undefined}>
      ${t(`officetab.${tab}`)}${counts && tab in counts && html` <b>${number(counts[tab])}</b>`}
    </a>`)}</nav>`;
}

/** Whose orders are shown, where the address names a customer or a request. */
function Filter({ filter, rows, due }) {
  const [name] = Object.keys(filter);
  if (!name) return null;
  const record = rows?.[0]?.[name];
  const of = record?.name ?? record?.requestNumber;
  const fallback = name === "customer" ? "office.filteredCustomer" : "office.filteredRequest";
  return html`<p class="filter">
    <span>${of ? t("office.filtered", { name: of }) : t(fallback)}</span>
    <a class="quiet-button" href=${href({ due })}><${Icon} name="x" />${t("office.unfiltered")}</a>
  </p>`;
}

function List({ rows, pagination, asked }) {
  if (!rows.length) return html`<${NoOrders} due=${asked.due} />`;
  return html`<${Table} name="orders" label=${t("office.orders")} columns=${columns()} rows=${rows}
      href=${({ _id }) => `${ORDERS}/${_id}`} />
    <${Pages} pagination=${pagination}
      href=${(page) => href({ due: asked.due, ...asked.filter, page })} />`;
}

function NoOrders({ due }) {
  const hint = t(due === "all" || due === "open" ? "office.emptyAllHint" : "office.emptyHint");
  return html`<${Empty} icon=${due === "all" ? "clipboard-list" : "circle-check"}
    title=${t(`officeempty.${due}`)} hint=${hint} />`;
}

function columns() {
  return [
    { name: "number", title: t("office.number"), width: "120px", sort: "orderNumber", cell: (order) => html`<strong>${order.orderNumber}</strong>` },
    { name: "customer", title: t("office.customer"), width: "2fr", fields: "customer", cell: (order) => order.customer?.name ?? "–" },
    { name: "due", title: t("office.due"), width: "170px", fields: "request,status", cell: (order) => isOpen(order) && may("requests:view")
      ? html`<${Deadline} deadline=${order.request?.deadline} isOpen />`
      : html`<${Status} status=${order.status} />` },
    { name: "stations", title: t("office.progress"), width: "3fr", fields: "stationBreakdown", cell: (order) => html`<${Progress} order=${order} />` },
    { name: "done", title: t("office.done"), width: "90px", fields: "panesCompleted,paneCount", cell: (order) =>
      html`<span aria-hidden="true">${number(order.panesCompleted)}/${number(order.paneCount)}</span>` },
  ];
}

function moreColumns() {
  return [
    { name: "request", fields: "request", title: t("office.request"), width: "120px", hidden: true, cell: ({ request }) => request?.requestNumber },
    { name: "material", fields: "material", title: t("office.material"), width: "2fr", hidden: true, cell: ({ material }) => material?.name },
    { name: "assignedTo", fields: "assignedTo", title: t("requests.assignedTo"), width: "1fr", hidden: true, cell: ({ assignedTo }) => assignedTo?.name },
    { name: "quantity", title: t("office.quantity"), width: "110px", sort: "quantity", hidden: true, cell: ({ quantity }) => number(quantity) },
    { name: "priority", title: t("requests.priority"), width: "110px", sort: "priority", hidden: true, cell: ({ priority }) => number(priority) },
    { name: "created", title: t("requests.created"), width: "130px", sort: "createdAt", hidden: true, cell: ({ createdAt }) => date(new Date(createdAt)) },
  ];
}
