// How panes go through the stations: how long they wait there, what the stations are loaded with,
// and how long panes take from the beginning to the end.
import { html } from "../../../../vendor/ui.js";
import { number, t } from "../../../core/i18n.js";
import { OPEN } from "../../../core/pane_flow.js";
import { workingDay, workingDuration } from "../../../core/working_time.js";
import { Icon } from "../../../ui/parts.js";
import { OFFICE } from "../layout.js";
import { Station } from "../parts.js";
import { at, BAR_PX, Lanes, Legend, Weeks } from "./charts.js";
import { Card, shortTime, stationName, WEEK } from "./card.js";
import {
  ageingSaid,
  evenPlace,
  hasLoad,
  heaped,
  isUsual,
  leadSaid,
  loadSaid,
  marksOf,
  percent,
  rootPlace,
  wasUsed,
} from "./weekly_words.js";

const named = ({ station, stationName: name }) => html`<${Station} station=${{ _id: station, name }} />`;
const ofStation = { keyOf: ({ station }) => station };
const STATION = { name: "station", value: stationName };

/** The marks of an axis of times up to `longest`. */
const timeAxis = (longest, placeOf) =>
  marksOf(longest, workingDay(), placeOf).map((seconds) => ({
    place: placeOf(seconds, longest),
    text: workingDuration(seconds, { unitDisplay: "short" }),
  }));

/** The cards of `GET /dashboard/flow`: those that the worker may read. */
export const Flow = ({ of }) => html`
  ${of.stations && html`<${Ageing} stations=${of.stations} /><${Load} of=${of} />`}
  ${of.lead && html`<${Lead} of=${of} />`}`;

const LINES = ["p50", "p85", "p95"];

function Ageing({ stations }) {
  const rows = stations.filter(({ waiting, stay }) => waiting.panes || stay.count);
  const waits = rows.filter(({ waiting }) => waiting.panes > 0);
  const longest = Math.max(60, ...waits.flatMap(({ waiting }) => [...waiting.ages, waiting.p95]));
  const axis = timeAxis(longest, rootPlace);
  const lanes = waits.map((row) => ({
    key: row.station,
    name: named(row),
    value: number(row.waiting.panes),
    plot: html`<${Ages} of=${row} longest=${longest} />`,
  }));
  const signs = [...LINES, "over95"].map((sign) => [sign, t(`weeklysign.${sign}`)]);
  return html`<${Card} name="ageing" ...${ofStation} sentences=${ageingSaid(stations, stationName)}
    rows=${rows.sort(byAge)} columns=${ageingColumns()}
    hint=${!waits.every(isUsual) && t("weekly.fewStays")} chart=${(label) =>
      waits.length > 0 && html`<${Lanes} label=${label} rows=${lanes} axis=${axis} /><${Legend} signs=${signs} />`} />`;
}

/** The stations with most panes that wait for unusually long come first. */
const byAge = ({ waiting: one }, { waiting: other }) =>
  other.over95 - one.over95 || other.over85 - one.over85 || other.panes - one.panes;

const DOT_PX = 4;
const OFFSETS_PX = [0, -8, 8, -15, 15]; // of dots that would cover each other
const MIDDLE_PX = 21;

function Ages({ of: { waiting }, longest }) {
  const places = waiting.ages.map((seconds) => rootPlace(seconds, longest));
  const heaps = heaped(places);
  const lines = LINES.map((name) => [name, at(rootPlace(waiting[name], longest))]);
  return html`${lines.map(([name, x]) => html`<line key=${name} data-sign=${name} x1=${x} x2=${x} y1="1" y2="41" />`)}
    ${places.map((place, index) => {
      const y = MIDDLE_PX + OFFSETS_PX[heaps[index] % OFFSETS_PX.length];
      const isOver = index < waiting.over95;
      return isOver
        ? html`<rect key=${index} data-sign="over95" x=${at(place)} y=${y - DOT_PX} width=${2 * DOT_PX} height=${2 * DOT_PX} />`
        : html`<circle key=${index} data-sign="waits" cx=${at(place)} cy=${y} r=${DOT_PX} />`;
    })}`;
}

const ageingColumns = () => [
  {
    ...STATION,
    shown: (row) => html`<a href=${`${OFFICE}/panes?status=${OPEN}&station=${row.station}`}>${named(row)}</a>`,
  },
  { name: "waiting", value: ({ waiting }) => waiting.panes },
  { name: "over85", value: ({ waiting }) => waiting.over85 },
  { name: "over95", value: ({ waiting }) => waiting.over95 },
  { name: "stay50", value: ({ waiting }) => waiting.p50, isTime: true, isOnlyInFile: true },
  { name: "stay85", value: ({ waiting }) => waiting.p85, isTime: true },
  { name: "stay95", value: ({ waiting }) => waiting.p95, isTime: true },
  {
    name: "oldest",
    value: ({ waiting }) => waiting.oldest?.seconds ?? null,
    shown: ({ station, waiting: { oldest } }) =>
      oldest
        ? html`<a href=${`${OFFICE}/panes/${oldest.paneNumber}`}>${oldest.paneNumber}</a> <span>${shortTime(oldest.seconds, { station })}</span>`
        : "–",
    isTime: true,
  },
  { name: "oldestPane", value: ({ waiting }) => waiting.oldest?.paneNumber ?? null, isOnlyInFile: true },
];

const FULL = 1; // the load of a station that does all it can

function Load({ of }) {
  const rows = of.stations.filter((one) => wasUsed(one) || one.scansMissing || hasLoad(one));
  const most = Math.max(FULL, ...rows.filter(hasLoad).map(({ load }) => load));
  const axis = [0, 0.5, 1, 1.5, 2, 3, 5, 10]
    .filter((load) => load <= most && (most < 2.5 || load % 1 === 0))
    .map((load) => ({ place: load / most, text: `${percent(load)} %` }));
  const lanes = rows.map((row) => ({
    key: row.station,
    name: named(row),
    words:
      row.scansMissing &&
      html`<${Icon} name="triangle-alert" />${t("weekly.scansMissing", { station: stationName(row) })}`,
    plot: hasLoad(row) && html`<${LoadBar} load=${row.load} most=${most} />`,
    value: loadOf(row),
  }));
  const hint = rows.some((one) => one.load === null && !one.scansMissing) && t("weekly.fewScans");
  return html`<${Card} name="load" ...${ofStation} sentences=${loadSaid(of, stationName)} rows=${rows} columns=${loadColumns()}
    hint=${hint} chart=${(label) => html`<${Lanes} label=${label} rows=${lanes} axis=${axis} />`} />`;
}

const LoadBar = ({ load, most }) => html`
  <rect data-sign="bar" x="0" width=${at(Math.min(load, FULL) / most)} ...${BAR_PX} />
  ${load > FULL && html`<rect data-sign="over" x=${at(FULL / most)} width=${at((load - FULL) / most)} ...${BAR_PX} />`}
  <line data-sign="full" x1=${at(FULL / most)} x2=${at(FULL / most)} y1="0" y2="100%" />`;

function loadOf(row) {
  if (row.scansMissing) return "";
  if (!hasLoad(row)) return html`<span title=${t("weekly.fewScans")}>–</span>`;
  const text = `${number(percent(row.load))} %`;
  return percent(row.load) > 100 ? html`<span class="over"><${Icon} name="triangle-alert" />${text}</span>` : text;
}

const unlessMissing = (figure) => (row) => (row.scansMissing ? null : figure(row));

const loadColumns = () => [
  {
    ...STATION,
    shown: (row) =>
      html`${named(row)}${row.scansMissing && html` <small class="missing">${t("weekly.scansMissing", { station: stationName(row) })}</small>`}`,
  },
  {
    name: "load",
    value: (row) => (hasLoad(row) ? percent(row.load) : null),
    shown: (row) => loadOf(row) || "–",
  },
  { name: "arrived", value: ({ arrived }) => arrived },
  { name: "left", value: ({ left }) => left },
  { name: "failed", value: ({ failed }) => failed, isOnlyInFile: true },
  {
    name: "growth",
    value: ({ added }) => added,
    shown: ({ added }) => `${added > 0 ? "+" : ""}${number(added)}`,
  },
  { name: "queue", value: unlessMissing(({ queue }) => queue.p50), isTime: true },
  { name: "touch", value: unlessMissing(({ touch }) => touch.p50), isTime: true },
  { name: "effective", value: unlessMissing(({ effectiveSeconds }) => effectiveSeconds), isTime: true },
  { name: "atOnce", value: unlessMissing(({ atOnce }) => atOnce), isOnlyInFile: true },
];

const THIN_PX = 3;

function Lead({ of }) {
  const { panes, weeks } = of.lead;
  const longest = Math.max(60, ...weeks.map(({ p85 }) => 1.05 * (p85 ?? 0)));
  const draw = ({ p50, p85 }, { x, width, y }) => {
    if (p85 === null) return null;
    const [low, high] = [p50, p85].map((seconds) => y(evenPlace(seconds, longest)));
    return html`<rect data-sign="range" x=${x} width=${width} y=${high} height=${Math.max(THIN_PX, low - high)} />
      <rect data-sign="half" x=${x} width=${width} y=${low - THIN_PX} height=${2 * THIN_PX} />
      <rect data-sign="most" x=${x} width=${width} y=${high} height=${THIN_PX} />`;
  };
  const signs = ["most", "half"].map((sign) => [sign, t(`weeklysign.${sign}`)]);
  return html`<${Card} name="lead" sentences=${leadSaid(of)} rows=${panes ? weeks.toReversed() : []} keyOf=${({ week }) => week} columns=${leadColumns}
    chart=${(label) => html`<${Weeks} label=${label} weeks=${weeks} axis=${timeAxis(longest, evenPlace)} draw=${draw} /><${Legend} signs=${signs} />`} />`;
}

const leadColumns = [
  WEEK,
  { name: "panes", value: ({ panes }) => panes },
  { name: "lead50", value: ({ p50 }) => p50, isTime: true },
  { name: "lead85", value: ({ p85 }) => p85, isTime: true },
];
