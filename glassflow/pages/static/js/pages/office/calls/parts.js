// Parts of the pages of calls: their words and signs, and how long something took.
import { html } from "../../../../vendor/ui.js";
import { serviceTime } from "../../../core/api.js";
import { number, t } from "../../../core/i18n.js";
import { idOf } from "../../../core/records.js";
import { workingSeconds } from "../../../core/working_time.js";
import { useNow } from "../../../ui/connection.js";
import { Icon } from "../../../ui/parts.js";

const KINDS = { machine: "wrench", glass: "layers", question: "circle-help", other: "ellipsis" };
/** The sign of a status, and the status whose colour it has. */
const STATUSES = {
  open: ["bell", "claimed"],
  taken: ["arrow-right", "in_progress"],
  ended: ["circle-check", "completed"],
};

/** The kinds of calls as the options of a select. */
export const kindOptions = () => Object.keys(KINDS).map((value) => ({ value, label: t(`callskind.${value}`) }));

/** What a call is about, as a sign and a word. */
export const Kind = ({ kind }) =>
  html`<span class="call-kind"><${Icon} name=${KINDS[kind]} />${t(`callskind.${kind}`)}</span>`;

/** The status of a call as a sign, a word and a colour. */
export function CallStatus({ status }) {
  const [sign, like] = STATUSES[status];
  return html`<span class="status" data-status=${like}><${Icon} name=${sign} />${t(`callsstatus.${status}`)}</span>`;
}

/** That a machine stands. */
export const Stands = () =>
  html`<span class="status" data-status="defected"><${Icon} name="pause" />${t("callsstands.true")}</span>`;

const HOUR_MIN = 60;

/** A time in seconds as hours and minutes, for what is added up: "27 h 5 min"; less than a minute is one. */
export function hoursAndMinutes(seconds) {
  const whole = seconds > 0 ? Math.max(1, Math.round(seconds / 60)) : 0;
  const [hours, minutes] = [Math.floor(whole / HOUR_MIN), whole % HOUR_MIN];
  return t(hours ? "calls.hours" : "calls.minutes", { hours: number(hours), minutes: number(minutes) });
}

/** The seconds from one moment of the API to another one. */
export const secondsBetween = (from, to) => (new Date(to).getTime() - new Date(from).getTime()) / 1000;

/** Who went, and how long that took; a call that ended without has none. */
export function went({ calledAt, takenAt, takenByName, status }) {
  if (takenAt) return t("calls.after", { name: takenByName, time: hoursAndMinutes(secondsBetween(calledAt, takenAt)) });
  return status === "open" ? t("calls.nobodyYet") : "–";
}

/** How long a call has lasted, and a stop in working time, as the figures add it up; of one that ended with the shift nobody knows. */
export function Lasted({ call: { calledAt, endedAt, ending, machineStands, station, status } }) {
  const isOver = status === "ended";
  const now = serviceTime(useNow(!isOver));
  if (ending === "shift") return html`<span class="soft">${t("calls.notKnown")}</span>`;
  const [from, to] = [calledAt, isOver ? endedAt : now].map((moment) => new Date(moment).getTime());
  return hoursAndMinutes(machineStands ? workingSeconds(from, to, idOf(station)) : (to - from) / 1000);
}

/** How a call ended: who said so, or what. */
export const ended = ({ ending, endedByName }) => (ending === "person" ? endedByName : t(`callsending.${ending}`));
