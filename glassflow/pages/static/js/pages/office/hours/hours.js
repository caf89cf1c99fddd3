// When the workshop works: its week and its days off. Durations count these hours only.
import { html, useRef, useState } from "../../../../vendor/ui.js";
import { api, Refused, serviceTime } from "../../../core/api.js";
import { dateTime, t } from "../../../core/i18n.js";
import { may } from "../../../core/permissions.js";
import { renew } from "../../../core/session.js";
import { Form } from "../../../ui/form.js";
import { toLocal } from "../../../ui/moments.js";
import { Icon } from "../../../ui/parts.js";
import { Loaded, useResource } from "../../../ui/use_resource.js";
import { ActionButton } from "../dialog_button.js";
import History from "../history.js";
import { dayOffWord, weekday, weekWord } from "../hours_words.js";
import { Head, Office } from "../layout.js";
import { DaysOff, NOT_TYPED } from "./days_off.js";
import { proposedWeek } from "./model.js";
import { Week } from "./week.js";

export const title = "office.hours";
export const styles = ["pages/office/hours/hours"];

const PATH = "/working-hours";
const STALE = 412;

export default function WorkingHours() {
  const hours = useResource("working hours", () => [
    async () => (await api(PATH)).data,
    { "workingHours:updated": () => undefined },
  ]);
  const saved = (data) => {
    hours.put(data);
    renew().catch(() => {}); // this tab counts by the new hours; the next renewal brings them, too
  };
  return html`<${Office}><${Head}><h1 tabindex="-1">${t("office.hours")}</h1><//>
    <${Loaded} of=${hours}>${() => html`<${Present} hours=${hours.value} onSaved=${saved} onStale=${hours.load} />
      <${History} path=${PATH} version=${hours.value.version} fields=${FIELDS()} />`}<//><//>`;
}

const FIELDS = () => [
  { name: "week", label: t("hours.week"), show: weekWord, detail: dayOfFault, isShown: () => false },
  {
    name: "daysOff",
    label: t("hours.daysOff"),
    show: (days) => days.map(dayOffWord).join(", ") || "–",
    detail: () => ({ open: () => document.getElementById("day-off-date").focus() }),
    isShown: () => false,
  },
];

/** How the summary of the form tells a fault of the week: by its day, if it has one. */
function dayOfFault({ field }) {
  const [, day] = field.split(".");
  const row = `#hours-${day ?? "monday"}`;
  const open = () => document.querySelector(`${row} [aria-invalid=true], ${row} input`).focus();
  return day ? { label: weekday(day), open } : { open };
}

function Present({ hours, onSaved, onStale }) {
  const [typed, setTyped] = useState(NOT_TYPED);
  const sent = useRef(); // the values of which a refusal tells the faults
  const readOnly = !may("stations:manage");
  const today = toLocal(serviceTime()).slice(0, 10);
  const isProposal = !hours.week && !readOnly;
  const toBody = (values, changed) => {
    sent.current = values;
    return isProposal ? { ...changed, week: values.week } : changed;
  };
  const check = () => (typed.date || typed.name ? { daysOff: [t("hours.addFirst")] } : {});
  return html`<div class="hours">
    <p class="soft">${t("hours.hint")}</p>
    ${hours.week
      ? html`<p><${Icon} name="clock" />${t("hours.since", { time: dateTime(new Date(hours.since)) })}</p>`
      : html`<p><${Icon} name="circle-alert" />${t(readOnly ? "hours.allCount" : "hours.proposed")}</p>`}
    <${Form} fields=${FIELDS()} record=${hours} toValues=${(record) => (isProposal ? { ...record, week: record.week ?? proposedWeek() } : record)}
      path=${PATH} single isProposal=${isProposal} readOnly=${readOnly} toBody=${toBody} check=${check} onSaved=${onSaved} onStale=${onStale}>
      ${({ values, set, error }) => {
        const shared = { faults: error?.faults ?? [], sent: error instanceof Refused ? sent.current : values, readOnly };
        return html`${values.week && html`<section class="card" aria-labelledby="week"><h2 id="week">${t("hours.week")}</h2>
            <${Week} value=${values.week} ...${shared} onChange=${(week) => set("week", week)} /></section>`}
          <section class="card off" aria-labelledby="off"><h2 id="off">${t("hours.daysOff")}</h2>
            <${DaysOff} value=${values.daysOff} today=${today} typed=${typed} ...${shared} onTyped=${setTyped}
              onChange=${(days) => set("daysOff", days)} /></section>`;
      }}<//>
    ${hours.week && !readOnly && html`<${TakeBack} hours=${hours} onSaved=${onSaved} onStale=${onStale} />`}</div>`;
}

/** The way back to the time before any hours were set: every hour counts. */
function TakeBack({ hours, onSaved, onStale }) {
  const send = async (_, { version }) => {
    try {
      const headers = { "If-Match": `"${version}"` };
      onSaved((await api(PATH, { method: "PUT", body: { week: null }, headers })).data);
    } catch (error) {
      if (error instanceof Refused && error.status === STALE) onStale();
      throw error;
    }
  };
  return html`<div class="form-buttons"><${ActionButton} icon="undo-2" label=${t("hours.takeBack")} hint=${t("hours.takeBackHint")}
    record=${hours} isDanger send=${send} /></div>`;
}
