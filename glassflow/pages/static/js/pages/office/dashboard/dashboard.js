// The workshop at a glance: what waits, what was made over a day, a week or a month, where
// the panes are, and which material runs out; live.
import { html } from "../../../../vendor/ui.js";
import { api } from "../../../core/api.js";
import { addTexts, number, t } from "../../../core/i18n/index.js";
import { may } from "../../../core/permissions.js";
import { query } from "../../../core/router.js";
import { Icon } from "../../../ui/parts.js";
import { Loaded, useResource } from "../../../ui/use_resource.js";
import { Head, Office, OFFICE, ORDERS } from "../layout.js";
import { OPEN } from "../panes/rules.js";
import { Station } from "../parts.js";
import { Chart } from "./chart.js";
import { texts } from "./texts.js";

addTexts(texts);

export const title = "office.dashboard";
export const styles = ["office", "station_colors", "../vendor/uPlot.min", "dashboard"];

const RANGES = ["1d", "7d", "30d"];
const READ_AGAIN_MS = 300_000; // a new hour or day begins without an event
const EVENTS = [
  "order:updated",
  "pane:updated",
  "request:updated",
  "claim:updated",
  "withdrawal:updated",
  "inventory:updated",
  "station:updated",
];

async function read(range) {
  const { data } = await api(`/dashboard/stats?chartRange=${range}`);
  if (!may("requests:view")) return data; // whose deadlines say what is late
  const { pagination } = await api("/orders/due?due=late&limit=1");
  return { ...data, late: pagination.counts.late };
}

export default function Dashboard() {
  const asked = query.value.get("range");
  const range = RANGES.includes(asked) ? asked : "7d";
  const anyEvent = Object.fromEntries(EVENTS.map((name) => [name, () => undefined])); // read it again
  const stats = useResource(`dashboard ${range}`, () => [() => read(range), anyEvent, { everyMs: READ_AGAIN_MS }]);
  return html`<${Office}>
    <${Head}><h1 tabindex="-1">${t("office.dashboard")}</h1><//>
    <${Loaded} of=${stats}>${() => html`
      <${Figures} stats=${stats.value} />
      <section class="card" aria-labelledby="made"><header class="chart-head"><h2 id="made">${t("dashboard.made")}</h2>
        <nav class="tabs" aria-label=${t("dashboard.range")}>${RANGES.map((one) => html`
          <a key=${one} href=${`${OFFICE}/dashboard?range=${one}`} aria-current=${one === range ? "page" : undefined}>${t(`dashboardrange.${one}`)}</a>`)}</nav>
        </header><${Chart} rows=${stats.value.chart} range=${stats.value.chartRange} /></section>
      <div class="two"><${Stations} stations=${stats.value.stations} />${stats.value.lowStock && html`<${LowStock} materials=${stats.value.lowStock} />`}</div>`}<//>
  <//>`;
}

/** The list of the open panes, or of those at a station: as many rows as were counted. No link for who may not read it. */
const openPanes = (at = "") =>
  may("panes:view") ? `${OFFICE}/panes?status=${OPEN}${at && `&station=${at}`}` : undefined;

const sum = (byStatus, ...names) => names.reduce((total, name) => total + (byStatus[name] ?? 0), 0);

function Figures({ stats: { orders, panes, claims, withdrawals, lowStock, late } }) {
  const open = sum(orders.byStatus, "pending", "in_progress");
  const figures = [
    late !== undefined && ["late", late, late > 0 && "late", `${ORDERS}?due=late`, "triangle-alert"],
    ["open", open, "", `${ORDERS}?due=open`, "clipboard-list"],
    ["panes", sum(panes.byStatus, ...OPEN), "", openPanes(), "layers"],
    claims && ["claims", sum(claims.byStatus, "pending"), "", `${OFFICE}/claims`, "circle-alert"],
    withdrawals && [
      "withdrawals",
      sum(withdrawals.byStatus, "pending"),
      "",
      `${OFFICE}/withdrawals?status=pending`,
      "package",
    ],
    lowStock && ["low", lowStock.length, lowStock.length > 0 && "late", `${OFFICE}/stock?low=true`, "warehouse"],
  ].filter(Boolean); // null is what the worker may not read
  return html`<ul class="figures">${figures.map(([name, count, kind, href, icon]) => {
    const content = html`<${Icon} name=${icon} /><b>${number(count)}</b><span>${t(`dashboard.${name}`)}</span>`;
    return html`<li key=${name} data-kind=${kind || undefined}><a href=${href}>${content}</a></li>`;
  })}</ul>`;
}

function Stations({ stations }) {
  const most = Math.max(1, ...stations.map(({ panes }) => panes));
  return html`<section class="card" aria-labelledby="where"><h2 id="where">${t("dashboard.where")}</h2>
    <ul class="bars">${stations.map(({ station, name, panes }) => html`<li key=${station}>
      <a href=${openPanes(station)}><${Station} station=${{ _id: station, name }} /></a>
      <i><span style=${{ width: `${(100 * panes) / most}%` }}></span></i><b>${number(panes)}</b></li>`)}</ul></section>`;
}

function LowStock({ materials }) {
  return html`<section class="card" aria-labelledby="low"><h2 id="low">${t("dashboard.low")}</h2>
    ${materials.length === 0
      ? html`<p class="soft"><${Icon} name="circle-check" /> ${t("dashboard.enough")}</p>`
      : html`<ul class="low">${materials.map(({ material, name, quantity, reorderPoint }) => html`
        <li key=${material}><strong>${name}</strong>
          <span class="late"><${Icon} name="triangle-alert" />${t("dashboard.left", { quantity: number(quantity), point: number(reorderPoint) })}</span></li>`)}</ul>`}</section>`;
}
