// Where machines stood, and for what help was called: the figures of 7, 30 or 90 days; live.
import { html, useState } from "../../../../vendor/ui.js";
import { api } from "../../../core/api.js";
import { number, t } from "../../../core/i18n.js";
import { namesOf } from "../../../core/station_names.js";
import { stationOf } from "../../../core/stations.js";
import { toLocal } from "../../../ui/moments.js";
import { Icon } from "../../../ui/parts.js";
import { address } from "../../../ui/record_list.js";
import { Loaded, useResource } from "../../../ui/use_resource.js";
import { saveCsv } from "../csv.js";
import { DaysChoice, daysAsked } from "../days_choice.js";
import { OFFICE } from "../layout.js";
import { Station } from "../parts.js";
import { sentence } from "./figures.js";
import { hoursAndMinutes, Kind } from "./parts.js";

const READ_AGAIN_MS = 60_000; // a machine that stands goes on without an event
const FEW = 6; // rows: the others matter less, and the list is below them

const nameOf = ({ station, stationName }) => namesOf(stationOf(station) ?? { name: stationName })[0];

/** `isPart`: in a section of another page, which has the choice of the days. */
export default function Pareto({ isPart = false }) {
  const days = daysAsked();
  const figures = useResource(`calls pareto ${days}`, () => [
    async () => (await api(`/calls/pareto?days=${days}`)).data,
    { "call:updated": () => undefined }, // read them again
    { everyMs: READ_AGAIN_MS },
  ]);
  const hrefOf = isPart ? (filters) => `${OFFICE}/calls?${new URLSearchParams({ days, ...filters })}` : listOf;
  return html`<section class="card pareto" aria-labelledby="pareto"><header>${isPart
      ? html`<h3 id="pareto">${t("calls.figures")}</h3>`
      : html`<h2 id="pareto">${t("calls.figures")}</h2><${DaysChoice} days=${days} />`}</header>
    <${Loaded} of=${figures}>${() => html`<${Figures} figures=${figures.value} hrefOf=${hrefOf} />`}<//></section>`;
}

const listOf = (filters) => address({ ...filters, calledAt_lte: null, page: null });

function Figures({ figures, hrefOf }) {
  const { rows, totals } = figures;
  const [isWhole, setWhole] = useState(false);
  const most = Math.max(1, ...rows.map(({ stoppedSeconds }) => stoppedSeconds));
  const since = toLocal(figures.since).slice(0, 10);
  return html`<p class="sentence" role="status">${t(...sentence(figures, nameOf, hoursAndMinutes))}</p>
    ${rows.length > 0 && html`<table aria-labelledby="pareto">
      <thead><tr>${["what", ...FIGURES].map((name) => html`<th key=${name} scope="col">${t(`callsfigure.${name}`)}</th>`)}</tr></thead>
      <tbody>${rows.slice(0, isWhole ? undefined : FEW).map((row) => html`<tr key=${`${row.station} ${row.kind}`}>
        <th scope="row"><a href=${hrefOf({ station: row.station, kind: row.kind, calledAt_gte: since })}>
          <${Station} station=${{ _id: row.station, name: row.stationName }} /> <${Kind} kind=${row.kind} /></a></th>
        <${Cells} figures=${row} share=${row.stoppedSeconds / most} /></tr>`)}</tbody>
      ${rows.length > 1 && html`<tfoot><tr><th scope="row">${t("calls.total")}</th><${Cells} figures=${totals} share=${0} /></tr></tfoot>`}</table>
    <footer>${totals.openEnded > 0 && html`<p class="soft">${t("calls.openEnded", { count: totals.openEnded })}</p>`}
      ${rows.length > FEW && html`<button type="button" class="quiet-button" aria-expanded=${String(isWhole)} onClick=${() => setWhole(!isWhole)}>
        <${Icon} name=${isWhole ? "minus" : "chevron-down"} />${t(isWhole ? "calls.fewer" : "calls.all", { count: rows.length })}</button>`}
      <button type="button" class="quiet-button export" onClick=${() => save(rows)}><${Icon} name="download" />${t("export.csv")}</button></footer>`}`;
}

const FIGURES = ["stood", "calls", "stops", "waited"];

function Cells({ figures, share }) {
  const { stoppedSeconds, calls, stops, waitedSeconds } = figures;
  const shown = {
    stood: stoppedSeconds > 0 ? hoursAndMinutes(stoppedSeconds) : "–",
    calls: number(calls),
    stops: number(stops),
    waited: waitedSeconds === null ? "–" : hoursAndMinutes(waitedSeconds),
  };
  const bar = html`<span class="load"><i aria-hidden="true"><span style=${{ width: `${100 * share}%` }}></span></i>${shown.stood}</span>`;
  return FIGURES.map(
    (name) =>
      html`<td key=${name} class=${name} data-title=${t(`callsfigure.${name}`)} data-none=${name === "stood" && !stoppedSeconds ? "" : undefined}>${name === "stood" ? bar : shown[name]}</td>`,
  );
}

/** Let the browser store the figures; times are in minutes, which a spreadsheet can add up. */
function save(rows) {
  const minutes = (seconds) => (seconds === null ? "" : Math.round(seconds / 60));
  const lines = rows.map((row) => [
    nameOf(row),
    t(`callskind.${row.kind}`),
    minutes(row.stoppedSeconds),
    row.calls,
    row.stops,
    row.openEnded,
    minutes(row.waitedSeconds),
  ]);
  const head = ["station", "kind", "stood", "calls", "stops", "openEnded", "waited"];
  saveCsv("calls", [head.map((name) => t(`callscolumn.${name}`)), ...lines]);
}
