// The timeline of a pane: what happened to it, the latest first; scans appear at once.
import { html } from "../../../vendor/ui.js";
import { api, inWords, Refused } from "../../core/api.js";
import { dateTime, number, t, textOr } from "../../core/i18n.js";
import { idOf } from "../../core/records.js";
import { findings, inWords as inWordsOf } from "../../ui/measured.js";
import { Icon } from "../../ui/parts.js";
import { Loaded, useResource } from "../../ui/use_resource.js";
import { Gallery } from "./gallery.js";
import { Station, Status } from "./parts.js";

const FAILURES = ["qc_fail", "claim"];

async function read(number) {
  const asked = { paneNumber: number, populate: "worker" };
  const { data, warnings } = await api(`/pane-logs/timeline?${new URLSearchParams(asked)}`);
  return latestFirst(data, warnings);
}

/** Events with the latest first, and behind the oldest what the service warns of. */
export const latestFirst = (events, warnings = []) =>
  [...warnings.map((one) => ({ _id: one.message, said: inWords(one).message })), ...events].reverse();

/** The timeline of a pane by its number, as a resource; `pane.current` is its record. */
export function useTimeline(number, pane) {
  return useResource(`timeline ${number}`, () => [
    () => read(number),
    {
      "log:updated": (rows, { data }, readAgain) => {
        const log = data.paneLog ?? data;
        const panes = log.pane ? [log.pane] : (log.panes ?? []);
        if (!panes.some((one) => idOf(one) === pane.current?._id)) return rows;
        readAgain(); // for what no event shows, such as the worker's name
        return data.paneLog ? withLog(rows, log) : rows;
      },
      "pane:updated": (rows, { data }, readAgain) => {
        // corrections have no event of their own
        if (data._id === pane.current?._id) readAgain();
        return rows;
      },
    },
  ]);
}

function withLog(rows, log) {
  if (rows.some(({ _id }) => _id === log._id)) return rows;
  const worker = rows.find((row) => idOf(row.worker) === idOf(log.worker))?.worker ?? log.worker;
  return [{ ...log, worker }, ...rows];
}

/** The rows with the day and time, what happened, where, and who did it. */
export function Timeline({ of }) {
  if (of.error instanceof Refused && of.error.status === 403)
    return html`<p class="soft">${t("office.noTimelineKey")}</p>`;
  return html`<${Loaded} of=${of}>${() => of.value.length
    ? html`<ol class="timeline" aria-live="polite" aria-relevant="additions">
        ${of.value.map((row) => html`<${Event} key=${row._id} row=${row} />`)}</ol>`
    : html`<p class="soft">${t("office.noTimeline")}</p>`}<//>`;
}

function Event({ row }) {
  if (row.said) return html`<li><p class="warning">${row.said}</p></li>`;
  const action = row.action ?? row.actionType;
  const failed = FAILURES.includes(action);
  return html`<li data-kind=${failed ? "failed" : undefined}>
    <p><strong>${failed && html`<${Icon} name="circle-x" />`}${actionWord(action)}</strong>
      ${row.station && html` <${Station} station=${row.station} />`}</p>
    ${row.before && row.after && html`<${Corrected} before=${row.before} after=${row.after} />`}
    ${row.reason && html`<p>${reasonWord(row.reason)}${row.description && ` · ${row.description}`}</p>`}
    ${row.skippedStations?.length > 0 && html`<p>${t("office.withoutScan")}${row.skippedStations.map((station) =>
      html` <${Station} station=${station} />`)}</p>`}
    ${row.measured && html`<${Measured} measured=${row.measured} />`}
    <${Gallery} photos=${row.photos} />
    <p class="soft"><time datetime=${row.createdAt}>${dateTime(new Date(row.createdAt))}</time>
      ${row.worker?.name && ` · ${row.worker.name}`}</p>
  </li>`;
}

/** What was measured at a check, what was ordered then, and how both differ. */
function Measured({ measured }) {
  const { ordered, tolerance } = measured;
  const sides = [ordered.width, ordered.height];
  const size = sides.map((side) => (side > 0 ? number(side) : "–")).join(" × ");
  const isOrdered = sides.some((side) => side > 0);
  const found = findings(measured, ordered, tolerance).map((finding) =>
    finding.outside
      ? html` · <b class="outside">${t("office.outsideTolerance", { finding: inWordsOf(finding) })}</b>`
      : ` · ${inWordsOf(finding)}`,
  );
  return html`<p><span>${t("office.measured", { values: valuesOf(measured) })}
    ${(isOrdered || tolerance) && ` · ${t("office.ordered", { size: isOrdered ? size : "", tolerance })}`}${found}</span></p>`;
}

/** The measured values in words: "803 × 1,999 mm · diagonals 2,153 / 2,155 mm". */
function valuesOf({ width, height, diagonals }) {
  const [one, other] = (diagonals ?? []).map(number);
  const sides = { width: width && number(width), height: height && number(height) };
  const given = width && height ? "size" : width ? "width" : height && "height";
  return [given && t(`officemeasured.${given}`, sides), one && t("officemeasured.diagonals", { one, other })]
    .filter(Boolean)
    .join(" · ");
}

/** The state of a pane before and after a correction, where these differ. */
function Corrected({ before, after }) {
  const differs = (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]);
  const moved = differs("currentStation");
  if (!moved && !differs("currentStatus")) return differs("routing") && html`<p>${t("office.routeChanged")}</p>`;
  const state = ({ currentStatus, currentStation }) => html`<span><${Status} status=${currentStatus} />
    ${moved && currentStation && html` <${Station} station=${currentStation} />`}</span>`;
  return html`<p>${state(before)} → ${state(after)}</p>`;
}

const actionWord = (action) => textOr(`officeaction.${action}`, action);
const reasonWord = (reason) => textOr(`defect.${reason}`, reason);
