// What this device keeps: scans that the service has refused, and scans of other workers.
import { html, useState } from "../../../vendor/ui.js";
import { dateTime, number, t } from "../../core/i18n.js";
import { hasFailed, outbox } from "../../core/outbox.js";
import { dismiss, sendAgain, setAside, takeBack } from "../../core/outbox_list.js";
import { idOf } from "../../core/records.js";
import { nameOf } from "../../core/station_names.js";
import { connection } from "../../core/events.js";
import { Icon } from "../../ui/parts.js";
import { Reason, reasonOf } from "../../ui/verdict.js";
import { callOf, keptCalls } from "./kept_calls.js";
import { CLAIM } from "./photos.js";
import { deliveryOf, listed, rackOf, scansOf, withFollowers } from "./requests.js";
import { Sheet } from "./sheet.js";

// Refusals whose cause somebody can remove, so that the same request may be accepted later.
const REMOVABLE = [
  "WRONG_STATION",
  "STATION_UNKNOWN",
  "NOT_COMPLETED_YET",
  "UNMERGED_SHEET",
  "SHEETS_MISSING",
  "STATION_IN_MAINTENANCE",
  "WORK_CANCELLED",
  "ALREADY_CLAIMED",
  "PANES_REFUSED",
  "FORBIDDEN",
  "PASSWORD_CHANGE_REQUIRED",
  "SCAN_IN_FUTURE",
  "SET_ASIDE",
];

/** Refused scans stay until somebody has looked at them. */
export default function KeptSheet({ desk }) {
  const { kept, refused, others } = outbox.value;
  const [taken, setTaken] = useState(null); // rows that were taken back; none where it was too late
  const isLate = taken?.length === 0;
  return html`<${Sheet} desk=${desk} title=${t("station.refusedTitle")} alert=${isLate && t("station.notTakenBack")}>
    ${taken?.length > 0 && html`<section role="status"><p>${t("station.takenBack")}</p>
      <${Titles} rows=${taken} /></section>`}
    ${kept.length > 0 && html`<${Waiting} desk=${desk} rows=${kept} onTaken=${setTaken} />`}
    <p class="soft">${refused.length ? t("station.refusedHint") : t("station.refusedNone")}</p>
    ${refused.length > 0 && html`<ul class="refusals">
      ${refused.map((row) => html`<${Refused} key=${row.n} desk=${desk} row=${row} />`)}</ul>`}
    ${others.length > 0 && html`<section class="others" aria-labelledby="others"><h3 id="others">${t("station.othersTitle")}</h3>
      <ul>${others.map(({ worker, name, waiting, refused: no }) => html`<li key=${worker}>
        <b>${name || t("station.somebody")}</b>
        ${waiting > 0 && html`<p>${t("station.othersWaiting", { count: number(waiting) })}</p>`}
        ${no > 0 && html`<p>${t("station.othersRefused", { count: number(no) })}</p>`}</li>`)}</ul></section>`}
  <//>`;
}

/** What waits, the oldest first. Where only that one fails, and not the network, it can be set aside. */
function Waiting({ desk, rows, onTaken }) {
  const fails = hasFailed.value && connection.value.state === "live";
  return html`<section class="waiting-rows" aria-labelledby="waiting-title"><h3 id="waiting-title">${t("station.waitingTitle")}</h3>
    <ul class="refusals">${rows.map((row, i) => html`<li key=${row.n}><${What} desk=${desk} row=${row} />
      ${i === 0 && fails && html`<p class="fault">${t("station.waitingFault")}</p>
        <div class="refusal-actions"><button type="button" class="quiet-button" onClick=${() => setAside(row.n)}>
          <${Icon} name="arrow-right" />${t("station.setAside")}</button></div>`}
      <${TakeBack} row=${row} onTaken=${onTaken} /></li>`)}</ul></section>`;
}

/** Takes a row back; where others go with it, it names them first. `onTaken(rows)`: those that are gone. */
function TakeBack({ row, onTaken }) {
  const [along, setAlong] = useState([]);
  if (row.tried) return html`<p class="soft">${t("station.mayBeRecorded")}</p>`;
  const press = async () => {
    const known = [row, ...along].map(({ n }) => n);
    let unnamed = false;
    const taken = await takeBack((all) => {
      const found = withFollowers(all, row.n);
      unnamed = found.some(({ n }) => !known.includes(n));
      if (unnamed) setAlong(found.filter(({ n }) => n !== row.n));
      return unnamed ? [] : found;
    });
    if (!unnamed) onTaken(taken);
  };
  return html`${along.length > 0 && html`<div role="status"><p>${t("station.takesAlong")}</p><${Titles} rows=${along} /></div>`}
    <div class="refusal-actions"><button type="button" class="quiet-button" onClick=${press}>
      <${Icon} name="undo-2" />${along.length ? t("station.takeAllBack", { count: number(along.length + 1) }) : t("station.takeBack")}
    </button></div>`;
}

function Titles({ rows }) {
  return html`<ul>${rows.map((row) => html`<li key=${row.n}>${title(row)}</li>`)}</ul>`;
}

function What({ desk, row }) {
  const { station: called } = callIn(row) ?? {};
  const station = nameOf(desk.stationOf(row.body.station ?? row.body.defectStation ?? idOf(called)));
  return html`<p>${title(row)}</p>
    <p class="soft">${[station, dateTime(row.keptAt), row.name].filter(Boolean).join(" · ")}</p>`;
}

function Refused({ desk, row }) {
  const scans = scansOf(row);
  const named = row.refusal.errors?.paneNumber; // of many, the one that is refused
  const about = scans.length > 1 ? scans.find((one) => one.number === named) : scans[0];
  const handling = deliveryOf(row);
  const reason = reasonOf(row.refusal);
  return html`<li><${What} desk=${desk} row=${row} />
    ${about && scans.length > 1 && html`<p><b>${about.number}</b></p>`}
    <${Reason} reason=${reason} />
    <div class="refusal-actions">
      ${REMOVABLE.includes(reason.code) && html`<button type="button" class="quiet-button" onClick=${() => sendAgain(row.n)}>
        <${Icon} name="rotate-cw" />${t("station.sendAgain")}</button>`}
      <button type="button" class="quiet-button" onClick=${() => dismiss(row.n)}><${Icon} name="check" />${t("station.dismiss")}</button>
      ${about && reason.code !== "NOT_FOUND" && html`<a href=${`/floor/office/panes/${encodeURIComponent(about.number)}`}>
        <${Icon} name="history" />${t("station.passport")}</a>`}
      ${handling && html`<a href=${`/floor/deliveries/${handling.delivery}`}><${Icon} name="truck" />${t("station.delivery")}</a>`}
    </div>
  </li>`;
}

function title({ path, body }) {
  const scans = scansOf({ path, body });
  if (scans.length) {
    const action = t(`station.${scans[0].action}`);
    return html`<b>${listed(scans.map((one) => one.number))}</b> ${scans.length > 1
      ? t("station.actionOfMany", { action, count: number(scans.length) }) : action}`;
  }
  const handling = deliveryOf({ path, body });
  if (handling) {
    const { paneNumbers, left = [], receivedBy } = body;
    const numbers = paneNumbers.length ? paneNumbers : left.map(({ paneNumber }) => paneNumber);
    const action = paneNumbers.length ? handling.action : "return";
    return html`<b>${numbers.join(", ")}</b> ${t(`station.kept_${action}`, { name: receivedBy })}`;
  }
  const onRack = rackOf({ path });
  if (onRack)
    return html`<b>${listed(body.paneNumbers)}</b> ${t(`station.kept_${onRack.act === "put" ? "put" : "takeOff"}`, { rack: onRack.rack })}`;
  if (callOf({ path })) return endOf(callIn({ path }));
  return path === CLAIM ? t("station.claimTitle", { number: body.paneNumber }) : t("station.photoSent");
}

/** The call that a request ends, where this device knows it. */
const callIn = (request) => keptCalls().find(({ _id }) => _id === callOf(request));

function endOf(call) {
  const { callNumber, kind, paneNumber } = call ?? {};
  const about = [kind && t(`station.callKind_${kind}`), paneNumber].filter(Boolean).join(" · ");
  return html`${callNumber && html`<b>${callNumber}</b> `}${t("station.keptCall")}${about && `: ${about}`}`;
}
