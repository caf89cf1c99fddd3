// What is said of a call, and what is done with it.
import { inTime, serviceTime, Unreachable } from "../../core/api.js";
import { dayMonth, hourMinute, t } from "../../core/i18n.js";
import { send } from "../../core/outbox.js";
import { actor } from "../../core/person.js";
import { idOf } from "../../core/records.js";
import { RetryKey } from "../../core/retry_key.js";
import { may } from "../../core/session.js";
import { nameOf } from "../../core/station_names.js";
import { openFor } from "../../ui/calls.js";
import { dayNumber } from "../../ui/moments.js";
import { explainReason, reasonOf } from "../../ui/verdict.js";
import { endPath } from "../scan_page/kept_calls.js";

const MINUTE_MS = 60_000;
const ANSWER_MS = 8000; // somebody waits for it, and can go there
const retryKey = new RetryKey(); // of the page: pressed twice, it is one call

/** What a call is about; `stationOf(id)` finds a station. */
export function aboutOf({ kind, machineStands, paneNumber, calledFrom }, stationOf) {
  if (calledFrom && paneNumber)
    return t("station.callPane", { station: nameOf(stationOf(idOf(calledFrom))) || "–", number: paneNumber });
  const stands = machineStands && t("station.callStandsNow");
  const what = (kind !== "machine" || !machineStands) && t(`station.callKind_${kind}`);
  return [stands, what, paneNumber].filter(Boolean).join(" · ");
}

/** "Called 4 minutes ago: …", at a moment of this device's clock. */
export function calledAgo(call, what, now) {
  if (serviceTime(now) - Date.parse(call.calledAt) < MINUTE_MS) return t("station.calledNow", { what });
  return t("station.calledAgo", { what, time: openFor(call, serviceTime(now)) });
}

/** "since 08:40", on another day with the date. */
export function sinceOf({ calledAt }, now) {
  const at = Date.parse(calledAt);
  const isToday = dayNumber(at) === dayNumber(serviceTime(now));
  return t("station.since", { time: isToday ? hourMinute(at) : `${dayMonth(at)} ${hourMinute(at)}` });
}

/** Who comes, or that nobody does yet. */
export const whoComes = ({ status, takenByName }) =>
  status === "taken" ? t("station.comes", { name: takenByName || t("station.somebody") }) : t("station.nobodyComes");

/** What the end of a call is named. */
export function endName({ machineStands, refusesScanIn }) {
  if (refusesScanIn) return t("station.callMaintenanceOver");
  return machineStands ? t("station.callRuns") : t("station.callDone");
}

export const mayEnd = ({ refusesScanIn }) => Boolean(actor()) && (!refusesScanIn || may("stations:manage"));

/** POST about a call, and show its new state. Throws as `api` does. */
export async function post(calls, path, body) {
  calls?.take(await inTime(retryKey.post(path, body), ANSWER_MS));
}

/** End a call now; without network, the end is kept and sent later. Throws the refusal. */
export async function end({ _id: id }) {
  const answer = await send(endPath(id), {}, { occurredAt: new Date() });
  if (answer.kind === "refused") throw answer.error;
}

/** What is said of an error of these. */
export const faultOf = (error) =>
  error instanceof Unreachable ? t("station.callNoNetwork") : explainReason(reasonOf(error));
