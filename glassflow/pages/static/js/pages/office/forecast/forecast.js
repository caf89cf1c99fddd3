// By which day a quote or a request would be finished. A forecast costs the service a second and is kept, so it is
// made when somebody asks for it.
import { html, useState } from "../../../../vendor/ui.js";
import { api } from "../../../core/api.js";
import { dateTime, dayMonth, number, t } from "../../../core/i18n.js";
import { may } from "../../../core/permissions.js";
import { workingDuration } from "../../../core/working_time.js";
import { readDraft } from "../../../ui/form.js";
import { Icon } from "../../../ui/parts.js";
import { Working } from "../../../ui/working.js";
import { ActionButton, Refusal } from "../dialog_button.js";
import { Station } from "../parts.js";
import { change } from "../request_actions.js";
import { Plan, Planned } from "./plan.js";
import { dayOf, heldSaid, ODDS } from "./words.js";

export const styles = ["pages/office/forecast/forecast"];

const KNOWN_VISITS = 200; // of a station, as the service needs them

/**
 * `path` is the resource of the record ("/quotes"), `isFixed` whether its dates cannot be changed any more, and
 * `onStale()` reads it again.
 */
export default function Forecast({ path, record, isFixed = false, onStale }) {
  const [shown, setShown] = useState({}); // {forecast, plan, version, isUnsaved}
  const [{ sending, error }, setState] = useState({});
  const { forecast } = shown;
  const ask = async (plan) => {
    const isUnsaved = Boolean(readDraft(`${path}/${record._id}`)?.values.panes); // of a quote, whose form has them
    const known = { plan, version: record.version, isUnsaved };
    const body = plan ? { whatIf: plan } : {};
    const { data } = await api(`${path}/${record._id}/forecast`, { method: "POST", body });
    setShown({ ...known, forecast: data });
  };
  const begin = async () => {
    setState({ sending: true });
    try {
      await ask(null);
      setState({});
    } catch (failure) {
      setState({ error: failure });
    }
  };
  const use = async (moment, seen) => {
    const { data } = await change(path, seen, { expectedDeliveryDate: moment }, onStale);
    // this change is none of the panes
    setShown((before) => (before.version === seen.version ? { ...before, version: data.version } : before));
    onStale(); // not every reader receives the events of the record
  };
  const canUse = !isFixed && may("requests:manage");
  return html`<section class="card forecast" aria-labelledby="forecast"><h2 id="forecast">${t("forecast.title")}</h2>
    <p class="soft">${t("forecast.hint")}</p>
    <div class="form-buttons"><button type="button" class="quiet-button" disabled=${sending} onClick=${begin}>
      <${Icon} name=${sending ? "hourglass" : "clock"} />${t(forecast ? "forecast.again" : "forecast.ask")}</button>
      ${sending && html`<${Working} />`}</div>
    <${Refusal} error=${error} />
    <div role="status">${forecast && html`<${Said} ...${shown} isOld=${record.version > shown.version} />`}</div>
    ${forecast?.dates && html`<${Dates} record=${record} dates=${forecast.dates} use=${canUse && use} />`}
    ${forecast && html`<${HitRate} of=${forecast.hitRate} />`}
    ${forecast?.load.length > 0 && html`<${Load} rows=${forecast.load} />`}
    ${forecast?.dates && html`<${Plan} stations=${forecast.load} ask=${ask}><${Planned} forecast=${forecast} plan=${shown.plan} /><//>`}
  </section>`;
}

const Warning = ({ children }) => html`<p class="status-line"><${Icon} name="triangle-alert" /> ${children}</p>`;

/** The forecast in sentences; `isOld`: the record has changed since. */
function Said({ forecast: { at, panes, withoutRoute, isRough, reason, fewScans, dates }, isOld, isUnsaved }) {
  return html`${dates && html`<p class="sentence">${t("forecast.said", { panes: number(panes), day: dayOf(dates.p85) })}</p>`}
    ${reason && html`<p class="sentence">${t(`forecastreason.${reason}`)}</p>`}
    ${fewScans.length > 0 && html`<ul class="few-scans">${fewScans.map(({ station, stationName, visits }) => html`<li key=${station}>
      <${Station} station=${{ _id: station, name: stationName }} /> ${t("forecast.visits", { count: number(visits), all: number(KNOWN_VISITS) })}</li>`)}</ul>`}
    ${dates && isRough && html`<${Warning}>${t("forecast.rough")}<//>`}
    ${dates && withoutRoute > 0 && html`<${Warning}>${t("forecast.withoutRoute", { count: number(withoutRoute) })}<//>`}
    ${isUnsaved && html`<${Warning}>${t("forecast.unsaved")}<//>`}
    ${isOld && html`<${Warning}>${t("forecast.changed")}<//>`}
    <p class="soft">${t("forecast.at", { time: dateTime(new Date(at)) })}</p>`;
}

/** The date of each of the odds; `use(moment, record)` makes it the one that the customer is told. */
function Dates({ record, dates, use }) {
  return html`<ul class="forecast-dates">${ODDS.map((odds) => {
    const end = dates[`p${odds}`];
    const isUsed = Date.parse(record.expectedDeliveryDate) === Date.parse(end);
    return html`<li key=${odds} data-odds=${odds}><span class="soft">${t("forecast.odds", { odds })}</span><b>${dayOf(end)}</b>
      ${isUsed && html`<span class="saved"><${Icon} name="circle-check" />${t("forecast.used")}</span>`}
      ${use && !isUsed && html`<${ActionButton} icon="check" label=${t("forecast.use", { day: dayMonth(Date.parse(end) - 1) })} hint=${t("forecast.useHint", { day: dayOf(end) })}
        record=${record} send=${(_, seen) => use(end, seen)} />`}</li>`;
  })}</ul>`;
}

function HitRate({ of }) {
  const words = t(...heldSaid(of));
  return html`<p class="hit-rate" data-kind=${of.isOff ? "late" : undefined}>${of.isOff && html`<${Icon} name="triangle-alert" />`}<span>${words}</span></p>`;
}

/** What stands before this work at its stations. */
function Load({ rows }) {
  return html`<table class="forecast-table" aria-label=${t("forecast.before")}>
    <thead><tr><th scope="col">${t("field.station")}</th><th scope="col">${t("forecast.panesBefore")}</th><th scope="col">${t("forecast.timeBefore")}</th></tr></thead>
    <tbody>${rows.map(({ station, stationName, panes, seconds }) => html`<tr key=${station}>
      <th scope="row"><${Station} station=${{ _id: station, name: stationName }} /></th><td>${number(panes)}</td>
      <td>${seconds ? workingDuration(seconds, { unitDisplay: "short", station }) : "–"}</td></tr>`)}</tbody></table>`;
}
