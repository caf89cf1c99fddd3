// Actions on the selected panes: what each will do is shown first, and what became of each
// pane afterwards.
import { html, useState } from "../../../../vendor/ui.js";
import { api } from "../../../core/api.js";
import { number, t } from "../../../core/i18n/index.js";
import { may } from "../../../core/permissions.js";
import { idOf } from "../../../core/records.js";
import { RetryKey } from "../../../core/retry_key.js";
import { Dialog } from "../../../ui/dialog.js";
import { Icon } from "../../../ui/parts.js";
import { Working } from "../../../ui/working.js";
import { explainReason, reasonOf } from "../../../ui/verdict.js";
import { Station, Status } from "../parts.js";
import { stationOptions } from "../station_options.js";
import { planCancel, planMove, planScan, SCANS } from "./batch_plan.js";
import { OPEN } from "./rules.js";

/** The buttons for the selected rows; see RecordList. */
export function BatchActions({ rows, clear }) {
  const [open, setOpen] = useState(null); // {name, panes}: as they were when it was opened
  const close = (isDone) => [setOpen(null), isDone && clear()];
  const numbers = rows.map(({ paneNumber }) => paneNumber).join(",");
  const button = (name, icon) => html`<button type="button" class="quiet-button"
    onClick=${() => setOpen({ name, panes: rows })}><${Icon} name=${icon} />${t(`panesbatch.${name}`)}</button>`;
  const Chosen = open && DIALOGS[open.name];
  return html`<a class="quiet-button" href=${`/floor/labels?panes=${encodeURIComponent(numbers)}`}>
      <${Icon} name="printer" />${t("office.printLabels")}</a>
    ${may("panes:scan") && button("scan", "scan-line")}
    ${may("panes:manage") && [button("move", "move"), button("cancel", "ban")]}
    ${Chosen && html`<${Chosen} panes=${open.panes} onClose=${close} />`}`;
}

function Scan({ panes, onClose }) {
  const [action, setAction] = useState(SCANS[0]);
  return html`<${BatchDialog} name="scan" plan=${planScan(panes, action)} onClose=${onClose}
    submit=${t(`officeaction.${action}`)} send=${(taken, tell) => scanAll(taken, action, tell)}>
    <${Choice} label=${t("panes.action")} value=${action} onChange=${setAction}
      options=${SCANS.map((one) => [one, t(`officeaction.${one}`)])} />
  <//>`;
}

function Move({ panes, onClose }) {
  const places = stationOptions();
  const [station, setStation] = useState(idOf(panes[0].currentStation) ?? places[0].value);
  const [currentStatus, setStatus] = useState(OPEN[0]);
  const [reason, setReason] = useState("");
  const body = { currentStation: station, currentStatus, correctionReason: reason };
  return html`<${BatchDialog} name="move" plan=${planMove(panes, station, currentStatus)} onClose=${onClose}
    missing=${!reason.trim() || !station} to=${station} send=${(taken, tell) => changeEach(taken, body, tell)}>
    <${Choice} label=${t("office.station")} value=${station} onChange=${setStation}
      options=${places.map(({ value, label }) => [value, label])} />
    <${Choice} label=${t("panes.status")} value=${currentStatus} onChange=${setStatus}
      options=${OPEN.map((one) => [one, t(`officestatus.${one}`)])} />
    <${ReasonField} value=${reason} onChange=${setReason} />
  <//>`;
}

function Cancel({ panes, onClose }) {
  const [reason, setReason] = useState("");
  const body = { currentStatus: "cancelled", correctionReason: reason };
  return html`<${BatchDialog} name="cancel" plan=${planCancel(panes)} onClose=${onClose} danger
    missing=${!reason.trim()} send=${(taken, tell) => changeEach(taken, body, tell)}>
    <${ReasonField} value=${reason} onChange=${setReason} />
  <//>`;
}

const DIALOGS = { scan: Scan, move: Move, cancel: Cancel };

function Choice({ label, value, options, onChange }) {
  return html`<label class="field"><span>${label}</span>
    <select onChange=${(event) => onChange(event.target.value)}>${options.map(([key, text]) => html`
      <option key=${key} value=${key} selected=${key === value}>${text}</option>`)}</select></label>`;
}

function ReasonField({ value, onChange }) {
  return html`<label class="field"><span>${t("panes.reason")}</span>
    <input type="text" autocomplete="off" value=${value} onInput=${(event) => onChange(event.target.value)} />
    <small>${t("panes.reasonHint")}</small></label>`;
}

/**
 * Says what will happen to which panes, does it, and says what became of each.
 * `send(taken, tell)` calls `tell(id, outcome)` for each pane: {pane} or {error}.
 */
function BatchDialog({ name, submit = t(`panesbatch.${name}`), plan, to, missing, danger, send, onClose, children }) {
  const [outcomes, setOutcomes] = useState(null); // {id: {pane} or {error}}
  const [sending, setSending] = useState(false);
  const [taken, setTaken] = useState([]);
  const confirm = async () => {
    setTaken(plan.taken);
    setOutcomes({});
    setSending(true);
    await send(plan.taken, (id, outcome) => setOutcomes((before) => ({ ...before, [id]: outcome })));
    setSending(false);
  };
  const results = Object.values(outcomes ?? {});
  const done = results.filter(({ pane }) => pane).length;
  const isFinished = outcomes && !sending;
  return html`<${Dialog} title=${t(`panesbatch.${name}`)} onClose=${() => onClose(done > 0)}>
    ${outcomes === null && html`<div class="batch-form">${children}</div>
      <p class="status-line">${t(`panessay.${name}`, { count: number(plan.taken.length) })}
        ${to && html` <${Station} station=${to} />`}</p>
      <${Rows} rows=${plan.taken} />
      ${plan.left.length > 0 && html`<h3>${t("panes.leftOut", { count: number(plan.left.length) })}</h3>
        <${Rows} rows=${plan.left} />`}
      <div class="form-buttons"><button type="button" class=${`main-button ${danger ? "danger" : ""}`}
        disabled=${missing || !plan.taken.length} onClick=${confirm}><${Icon} name="check" />${submit}</button></div>`}
    ${sending && name === "scan" && html`<${Working} count=${taken.length} />`}
    <p class="status-line" role="status">${sending && name !== "scan" && t("panes.sending", { done: number(results.length), count: number(taken.length) })}
      ${isFinished && t("panes.outcome", { done: number(done), count: number(taken.length) })}</p>
    ${outcomes && html`<ul class="batch-rows">${taken.map(({ pane }) => html`
      <${OutcomeRow} key=${pane._id} pane=${pane} outcome=${outcomes[pane._id]} />`)}</ul>`}
    ${isFinished && done < taken.length && html`<button type="button" class="quiet-button" onClick=${() => setOutcomes(null)}>
      <${Icon} name="arrow-left" />${t("panes.back")}</button>`}
  <//>`;
}

function Rows({ rows }) {
  return html`<ul class="batch-rows">${rows.map(({ pane, to, why }) => html`<li key=${pane._id}>
    <strong>${pane.paneNumber}</strong> <${Status} status=${pane.currentStatus} />
    ${pane.currentStation && html`<${Station} station=${pane.currentStation} />`}
    ${why ? html`<span class="soft">${t(`paneswhy.${why}`)}</span>`
      : html`<span class="then"><${Icon} name="arrow-right" /><${Status} status=${to} /></span>`}</li>`)}</ul>`;
}

function OutcomeRow({ pane, outcome }) {
  const { error, pane: after } = outcome ?? {};
  return html`<li data-kind=${error ? "failed" : after ? "done" : undefined}>
    <${Icon} name=${error ? "circle-x" : after ? "circle-check" : "hourglass"} /><strong>${pane.paneNumber}</strong>
    ${after && html`<${Status} status=${after.currentStatus} />
      ${after.currentStation && html`<${Station} station=${after.currentStation} />`}`}
    ${error && html`<span>${error}</span>`}</li>`;
}

const retryKey = new RetryKey();

/** All panes in one request: all of them, or none because of one. */
async function scanAll(taken, action, tell) {
  const paneNumbers = taken.map(({ pane }) => pane.paneNumber);
  try {
    const { panes } = await retryKey.post(
      "/panes/batch-scan",
      { paneNumbers, action },
      { records: paneNumbers.length },
    );
    for (const pane of panes) tell(pane._id, { pane });
  } catch (error) {
    const text = explainReason(reasonOf(error));
    const at = error.errors?.paneNumber;
    for (const { pane } of taken)
      tell(pane._id, { error: at && at !== pane.paneNumber ? t("panes.notScanned", { number: at }) : text });
  }
}

/** One pane after the other; nobody's newer change is overwritten. */
async function changeEach(taken, body, tell) {
  for (const { pane } of taken) {
    try {
      const headers = { "If-Match": `"${pane.version}"` };
      const { data } = await api(`/panes/${pane._id}`, { method: "PATCH", body, headers });
      tell(pane._id, { pane: data });
    } catch (error) {
      tell(pane._id, { error: error.status === 412 ? t("panes.changedMeanwhile") : explainReason(reasonOf(error)) });
    }
  }
}
