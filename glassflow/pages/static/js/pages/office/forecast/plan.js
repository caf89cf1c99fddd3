// What if: another plan of the work, how it moves the dates, and which promised orders would be late with it.
import { html, useLayoutEffect, useRef, useState } from "../../../../vendor/ui.js";
import { format, t } from "../../../core/i18n.js";
import { namesOf } from "../../../core/station_names.js";
import { stationOf } from "../../../core/stations.js";
import { Field } from "../../../ui/field.js";
import { faultsByField } from "../../../ui/form_values.js";
import { Icon } from "../../../ui/parts.js";
import { Working } from "../../../ui/working.js";
import { Refusal } from "../dialog_button.js";
import { ORDERS } from "../layout.js";
import { changeSaid, dayOf, lateSaid, ODDS, planOf, planSaid, SHORT } from "./words.js";

const MOST_SHIFTS = 20; // as the service takes them
const FEW = 10; // orders: the first ones would not be late as things are

const nameOf = ({ station, stationName }) => namesOf(stationOf(station) ?? { name: stationName ?? "" })[0];

/** The form of a plan; `ask(plan)` makes a forecast with it, whose part `children` is drawn below. */
export function Plan({ stations, ask, children }) {
  const [values, setValues] = useState({});
  const [{ sending, error }, setState] = useState({});
  const form = useRef();
  useLayoutEffect(() => error && form.current.querySelector("[aria-invalid=true]")?.focus(), [error]);
  const fields = fieldsOf(stations);
  const names = fields.map(({ name }) => name);
  const placed = (error?.faults ?? []).map((fault) => ({ ...fault, field: fault.field?.replace("whatIf.", "") }));
  const faults = faultsByField(placed, names);
  const plan = planOf(values);
  const submit = async (event) => {
    event.preventDefault();
    setState({ sending: true });
    try {
      await ask(plan);
      setState({});
    } catch (failure) {
      setState({ error: failure });
    }
  };
  return html`<form ref=${form} class="form plan" aria-labelledby="plan" onSubmit=${submit} noValidate><h3 id="plan">${t("forecast.plan")}</h3>
    <${Refusal} error=${error} faults=${faults} />
    <div class="fields">${fields.map((field) => html`<${Field} key=${field.name} field=${field} prefix="plan" value=${values[field.name]} values=${values}
      faults=${faults[field.name]} onChange=${(value) => setValues({ ...values, [field.name]: value })} />`)}</div>
    <div class="form-buttons"><button class="quiet-button" disabled=${sending || !plan}>
      <${Icon} name=${sending ? "hourglass" : "play"} />${t("forecast.try")}</button>${sending && html`<${Working} />`}</div>
    <div role="status">${children}</div></form>`;
}

const fieldsOf = (stations) => [
  {
    name: "extraShifts",
    label: t("forecast.extraShifts"),
    kind: "number",
    min: 1,
    max: MOST_SHIFTS,
    step: 1,
    unit: t("forecast.workingDays"),
  },
  {
    name: "station",
    label: t("forecast.machine"),
    kind: "select",
    empty: t("forecast.noMachine"),
    options: stations
      .filter((one) => nameOf(one)) // a deleted one gets no machine
      .map((one) => ({ value: one.station, label: nameOf(one) })),
  },
  { name: "first", label: t("forecast.first"), kind: "checkbox" },
];

/** What a plan would change. */
export function Planned({ forecast: { dates, load, whatIf }, plan }) {
  if (!whatIf) return null;
  const name = (station) => nameOf(load.find((one) => one.station === station) ?? { station });
  const parts = planSaid(plan, name).map((one) => t(...one));
  return html`<p class="sentence">${parts.join(" + ")}</p>
    ${whatIf.dates
      ? html`<ul class="forecast-dates">${ODDS.map((odds) => html`<li key=${odds} data-odds=${odds}><span class="soft">${t("forecast.odds", { odds })}</span>
          <b>${dayOf(whatIf.dates[`p${odds}`])}</b><span>${t(...changeSaid(dates[`p${odds}`], whatIf.dates[`p${odds}`]))}</span></li>`)}</ul>`
      : html`<p>${t("forecastreason.TOO_FAR")}</p>`}
    <${Late} rows=${whatIf.late} />`;
}

/** The promised orders that would be late. */
function Late({ rows }) {
  const [isWhole, setWhole] = useState(false);
  const isFine = rows.every(({ wasLate }) => wasLate);
  const words = t(...lateSaid(rows));
  const shown = isWhole ? rows : rows.slice(0, FEW);
  return html`<p class="promises" data-kind=${isFine ? "held" : "late"}>
      <${Icon} name=${isFine ? "circle-check" : "triangle-alert"} /><span>${words}</span></p>
    ${rows.length > 0 && html`<table class="forecast-table" aria-label=${words}>
      <thead><tr><th scope="col">${t("field.order")}</th><th scope="col">${t("forecast.promised")}</th><th scope="col">${t("forecast.expected")}</th></tr></thead>
      <tbody>${shown.map(({ order, orderNumber, promisedAt, expectedAt, wasLate }) => html`<tr key=${order}>
        <th scope="row"><a href=${`${ORDERS}/${order}`}>${orderNumber ?? "–"}</a>${wasLate && html`<small>${t("forecast.wasLate")}</small>`}</th>
        <td>${format(new Date(promisedAt), SHORT)}</td><td>${expectedAt ? dayOf(expectedAt, SHORT) : html`<span>${t("forecast.never")}</span>`}</td></tr>`)}</tbody></table>`}
    ${rows.length > FEW && html`<button type="button" class="quiet-button" aria-expanded=${String(isWhole)} onClick=${() => setWhole(!isWhole)}>
      <${Icon} name=${isWhole ? "minus" : "chevron-down"} />${t(isWhole ? "calls.fewer" : "calls.all", { count: rows.length })}</button>`}`;
}
