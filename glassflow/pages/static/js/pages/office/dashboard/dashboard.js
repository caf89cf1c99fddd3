// The workshop at a glance: what is to be done, what arrived, what was made over a day, a week
// or a month, and what each station has; live.
import { html } from "../../../../vendor/ui.js";
import { api } from "../../../core/api.js";
import { dayMonth, hourMinute, number, t } from "../../../core/i18n.js";
import { OPEN } from "../../../core/pane_flow.js";
import { may } from "../../../core/permissions.js";
import { OPEN_ORDERS } from "../../../core/record_terms.js";
import { query } from "../../../core/router.js";
import { Lazy } from "../../../ui/lazy.js";
import { toLocal } from "../../../ui/moments.js";
import { Icon } from "../../../ui/parts.js";
import { Loaded, useResource } from "../../../ui/use_resource.js";
import { ANY_CHANGE, READ_AGAIN_MS } from "../any_change.js";
import { lateOrders, pendingClaims } from "../counts.js";
import { Head, Office, OFFICE, ORDERS, REQUESTS } from "../layout.js";
import { Deadline, Station, Status } from "../parts.js";
import { isOpenRequest } from "../statuses.js";
import { Chart } from "./chart.js";

export const title = "office.dashboard";
export const styles = ["ui/station_colors", "../vendor/uPlot.min", "pages/office/dashboard/dashboard"];

const calls = () => import("../calls/lately.js");

const RANGES = ["1d", "7d", "30d"];

async function read(range) {
  const { data } = await api(`/dashboard/stats?chartRange=${range}`);
  lateOrders.value = data.toDo.late ?? 0;
  pendingClaims.value = pending(data.claims) ?? 0;
  return data;
}

export default function Dashboard() {
  const asked = query.value.get("range");
  const range = RANGES.includes(asked) ? asked : "7d";
  const stats = useResource(`dashboard ${range}`, () => [() => read(range), ANY_CHANGE, { everyMs: READ_AGAIN_MS }]);
  return html`<${Office}>
    <${Head}><h1 tabindex="-1">${t("office.dashboard")}</h1><//>
    <${Loaded} of=${stats}>${() => html`
      <${ToDo} stats=${stats.value} />
      ${may("panes:view") && html`<p class="calls-line"><${Lazy} load=${calls} /></p>`}
      ${stats.value.toDo.cameBack?.deliveries > 0 && html`<${CameBack} ...${stats.value.toDo.cameBack} />`}
      <div class="work">${stats.value.toDo.arrived && html`<${Arrived} requests=${stats.value.toDo.arrived} />`}<${Work} stats=${stats.value} /></div>
      <section class="card" aria-labelledby="made"><header class="card-head"><h2 id="made">${t("dashboard.made")}</h2>
        <nav class="tabs" aria-label=${t("dashboard.range")}>${RANGES.map((one) => html`
          <a key=${one} href=${`?range=${one}`} aria-current=${one === range ? "page" : undefined}>${t(`dashboardrange.${one}`)}</a>`)}</nav>
        </header><${Chart} rows=${stats.value.chart} range=${stats.value.chartRange} /></section>
      <${Stations} stations=${stats.value.stations} range=${stats.value.chartRange} />`}<//>
  <//>`;
}

/** The list of the open panes, or of those at a station: as many rows as were counted. No link for who may not read it. */
const openPanes = (at = "") =>
  may("panes:view") ? `${OFFICE}/panes?status=${OPEN}${at && `&station=${at}`}` : undefined;

const sum = (byStatus, ...names) => names.reduce((total, name) => total + (byStatus[name] ?? 0), 0);

/** How many wait for a decision; null for who may not read them. */
const pending = (counts) => counts && sum(counts.byStatus, "pending");

/** Numbers with links to the lists that they count: [name, number, address, icon, kind]; null is what the worker may not read. */
function Figures({ figures }) {
  return html`<ul class="figures">${figures
    .filter(([, count]) => count !== null)
    .map(([name, count, href, icon, kind]) => html`<li key=${name} data-kind=${kind}>
      <a href=${href}><${Icon} name=${icon} /><b>${number(count)}</b><span>${t(`dashboard.${name}`)}</span></a></li>`)}</ul>`;
}

/** What somebody has to do; what nobody has to is shown as done. */
function ToDo({ stats: { toDo, claims, withdrawals, lowStock } }) {
  const figures = [
    ["late", toDo.late, `${ORDERS}?due=late`, "triangle-alert", "late"],
    ["today", toDo.dueToday, `${ORDERS}?due=today`, "clock", "soon"],
    ["claims", pending(claims), `${OFFICE}/claims`, "circle-alert", "soon"],
    ["withdrawals", pending(withdrawals), `${OFFICE}/withdrawals?status=pending`, "package", "soon"],
    ["low", lowStock && lowStock.length, `${OFFICE}/stock?low=true`, "warehouse", "late"],
  ];
  if (figures.every(([, count]) => count === null)) return null;
  const shown = figures.map((one) => (one[1] === 0 ? [...one.slice(0, 3), "circle-check", "done"] : one));
  return html`<section class="to-do" aria-labelledby="to-do"><h2 id="to-do">${t("dashboard.toDo")}</h2>
    <${Figures} figures=${shown} /></section>`;
}

/** The newest requests, and a link to all of today and yesterday. */
function Arrived({ requests: { since, count, newest } }) {
  return html`<section class="card" aria-labelledby="arrived"><header class="card-head"><h2 id="arrived">${t("dashboard.requests")}</h2>
      ${count > 0 && html`<a href=${`${REQUESTS}?createdAt_gte=${toLocal(since).slice(0, 10)}`}>${t("dashboard.allRequests", { count: number(count) })}</a>`}</header>
    ${count === 0 && html`<p class="soft">${t("dashboard.noRequests")}</p>`}
    <ul class="arrived">${newest.map((request) => html`<li key=${request._id}><a href=${`${REQUESTS}/${request._id}`}>
      <strong>${request.requestNumber}</strong><span class="customer">${request.customerName}</span>
      <span class="due">${isOpenRequest(request) ? html`<${Deadline} deadline=${request.deadline} isOpen />` : html`<${Status} status=${request.status} />`}</span>
      <${Moment} of=${new Date(request.createdAt)} /></a></li>`)}</ul></section>`;
}

const Moment = ({ of }) => html`<small class="soft">${dayMonth(of)} ${hourMinute(of)}</small>`;

function Work({ stats: { orders, panes, toDo } }) {
  const figures = [
    ["open", sum(orders.byStatus, ...OPEN_ORDERS), `${ORDERS}?due=open`, "clipboard-list"],
    ["panes", sum(panes.byStatus, ...OPEN), openPanes(), "layers"],
    ["value", toDo.openValue && Math.round(toDo.openValue), undefined, "tag"],
  ];
  return html`<section aria-labelledby="work"><h2 id="work" class="visually-hidden">${t("dashboard.work")}</h2>
    <${Figures} figures=${figures} /></section>`;
}

/** The stations with their open panes; and with what they did in the range, for who may read it. */
function Stations({ stations, range }) {
  const most = Math.max(1, ...stations.map(({ panes }) => panes));
  const names = counted(stations);
  return html`<section class="card" aria-labelledby="stations"><header class="card-head"><h2 id="stations">${t("office.stations")}</h2>
      ${names.length > 0 && html`<p class="soft">${t("dashboard.figuresOf", { range: t(`dashboardrange.${range}`) })}</p>`}</header>
    ${stations.length === 0 ? html`<p class="soft">${t("none.stations")}</p>` : html`<table class="station-table">
      <thead><tr>${["station", "now", ...names].map((name) => html`<th key=${name} scope="col">${t(`dashboard.${name}`)}</th>`)}</tr></thead>
      <tbody>${stations.map(({ station, name, panes, figures }) => html`<tr key=${station}>
        <th scope="row"><a href=${openPanes(station)}><${Station} station=${{ _id: station, name }} /></a></th>
        <td data-title=${t("dashboard.now")}><span class="load"><i><span style=${{ width: `${(100 * panes) / most}%` }}></span></i><b>${number(panes)}</b></span></td>
        ${names.map((one) => html`<td key=${one} data-title=${t(`dashboard.${one}`)}>${shownFigure(figures, one)}</td>`)}</tr>`)}</tbody></table>`}</section>`;
}

const NAMES = ["arrived", "left", "passed", "failed"]; // of the panes that a station had in a time

/** The names of the figures that the stations have; none for who may not read them. */
export const counted = (stations) => (stations.some(({ figures }) => figures) ? NAMES : []);

/** A figure as a text; "–" for the checks of a station that made none. */
export function shownFigure(figures, name) {
  const isCheck = name === "passed" || name === "failed";
  return !figures || (isCheck && !figures.passed && !figures.failed) ? "–" : number(figures[name]);
}

/**
 * The deliveries with panes that came back and wait to be planned again: the newest of them, and a link to
 * all; `deliveries` and `panes` are how many there are.
 */
const CameBack = ({ deliveries, panes, newest }) => html`<section class="card came-back" aria-labelledby="came-back">
    <header class="card-head"><h2 id="came-back"><${Icon} name="undo-2" />${t("dashboard.cameBackTitle")}</h2>
      <a href=${`${OFFICE}/deliveries?waiting=true`}>${t("dashboard.cameBackAll", { deliveries: number(deliveries), panes: number(panes) })}</a></header>
    <ul>${newest.map((one) => html`<li key=${one._id}><a href=${`${OFFICE}/deliveries/${one._id}`}>
      <strong>${one.deliveryNumber}</strong><span class="customer">${one.customerName}</span>
      <span class="reasons">${one.reasons.map(({ reason, count }) => `${t(`leftreason.${reason}`)} ${number(count)}`).join(" · ")}</span>
      <b>${t("dashboard.cameBackPanes", { count: number(one.panes) })}</b>
      <small class="soft">${dayMonth(new Date(one.at))}</small></a></li>`)}</ul></section>`;
