// Actions on the selected panes: scanned, moved, cancelled, and their labels printed.
import { html, useState } from "../../../../vendor/ui.js";
import { number, t } from "../../../core/i18n.js";
import { OPEN } from "../../../core/pane_flow.js";
import { may } from "../../../core/permissions.js";
import { idOf } from "../../../core/records.js";
import { RetryKey } from "../../../core/retry_key.js";
import { Icon } from "../../../ui/parts.js";
import { explainReason, reasonOf } from "../../../ui/verdict.js";
import { BatchButtons, BatchDialog, becomes, changeEach, Labels, wordsFor } from "../batch.js";
import { OFFICE } from "../layout.js";
import { baht } from "../money.js";
import { Station, Status } from "../parts.js";
import { stationOptions } from "../station_options.js";
import { agreedFor, chargesOf, planCancel, planMove, planScan, SCANS, sheetsWith } from "./batch_plan.js";

/** The buttons for the selected rows; see RecordList. */
export default function PaneActions({ rows, clear }) {
  const action = (name, icon) => ({ icon, label: t(`panesbatch.${name}`), dialog: DIALOGS[name] });
  const actions = [
    ...(may("panes:scan") ? [action("scan", "scan-line")] : []),
    ...(may("panes:manage") ? [action("move", "move"), action("cancel", "ban")] : []),
  ];
  return html`<${Labels} field="panes" names=${rows.map(({ paneNumber }) => paneNumber)} />
    <${BatchButtons} rows=${rows} clear=${clear} actions=${actions} />`;
}

function Scan({ records, onClose }) {
  const [action, setAction] = useState(SCANS[0]);
  return html`<${PanesDialog} name="scan" plan=${planScan(records, action)} onClose=${onClose}
    asOne submit=${t(`officeaction.${action}`)} send=${(taken, tell) => scanAll(taken, action, tell)}>
    <${Choice} label=${t("panes.action")} value=${action} onChange=${setAction}
      options=${SCANS.map((one) => [one, t(`officeaction.${one}`)])} />
  <//>`;
}

function Move({ records, onClose }) {
  const places = stationOptions();
  const [station, setStation] = useState(idOf(records[0].currentStation) ?? places[0].value);
  const [currentStatus, setStatus] = useState(OPEN[0]);
  const [reason, setReason] = useState("");
  const body = { currentStation: station, currentStatus, correctionReason: reason };
  return html`<${PanesDialog} name="move" plan=${planMove(records, station, currentStatus)} onClose=${onClose}
    missing=${!reason.trim() || !station} to=${station} send=${(taken, tell) => changeEach("panes", taken, body, tell)}>
    <${Choice} label=${t("field.currentStation")} value=${station} onChange=${setStation}
      options=${places.map(({ value, label }) => [value, label])} />
    <${Choice} label=${t("field.status")} value=${currentStatus} onChange=${setStatus}
      options=${OPEN.map((one) => [one, t(`status.${one}`)])} />
    <${ReasonField} value=${reason} onChange=${setReason} />
  <//>`;
}

function Cancel({ records, onClose }) {
  const [reason, setReason] = useState("");
  const [charges, setCharges] = useState(false);
  const body = { currentStatus: "cancelled", correctionReason: reason };
  const plan = planCancel(records);
  const panes = plan.taken.map(({ record }) => record);
  const price = agreedFor(panes);
  const sheets = sheetsWith(panes);
  const send = async (taken, tell) => {
    const done = new Set();
    await changeEach("panes", taken, body, (id, outcome) => {
      if (outcome.record) done.add(id);
      tell(id, outcome);
    });
    const cancelled = taken.map(({ record }) => record).filter(({ _id }) => done.has(_id));
    return charges && charge(cancelled, reason);
  };
  return html`<${PanesDialog} name="cancel" plan=${plan} onClose=${onClose} danger missing=${!reason.trim()} send=${send}
    about=${[
      sheets > 0 && t("panes.sheetsGo", { count: number(sheets) }),
      price > 0 && t(charges ? "panes.priceCharged" : "panes.pricesLost", { amount: baht(price) }),
    ]
      .filter(Boolean)
      .join(" ")}>
    <${ReasonField} value=${reason} onChange=${setReason} />
    ${price > 0 && may("pricing:manage") && html`<label class="check"><input type="checkbox" checked=${charges}
      onChange=${(event) => setCharges(event.target.checked)} /><span>${t("panes.chargeNevertheless")}</span></label>`}
  <//>`;
}

const chargeKey = new RetryKey();

/** Charge cancelled panes nevertheless, an entry for each customer; returns what became of it. */
async function charge(panes, reason) {
  const made = [];
  try {
    for (const ids of chargesOf(panes))
      made.push(await chargeKey.post("/billing-entries", { panes: ids, reason }, { records: ids.length }));
  } catch (error) {
    return html`${charged(made)}<p class="fault" role="alert"><${Icon} name="circle-alert" /><span>${t("panes.notCharged", { why: wordsFor(error) })}</span></p>`;
  }
  return charged(made);
}

const charged = (entries) =>
  entries.length > 0 &&
  html`<p>${t("panes.charged")} ${entries.map(({ _id, entryNumber }, index) => html`${index > 0 && ", "}
    ${may("pricing:view") ? html`<a href=${`${OFFICE}/billing/${_id}`}>${entryNumber}</a>` : entryNumber}`)}</p>`;

const DIALOGS = { scan: Scan, move: Move, cancel: Cancel };

function Choice({ label, value, options, onChange }) {
  return html`<label class="field"><span>${label}</span>
    <select onChange=${(event) => onChange(event.target.value)}>${options.map(([key, text]) => html`
      <option key=${key} value=${key} selected=${key === value}>${text}</option>`)}</select></label>`;
}

function ReasonField({ value, onChange }) {
  return html`<label class="field"><span>${t("form.reason")}</span>
    <input type="text" autocomplete="off" value=${value} onInput=${(event) => onChange(event.target.value)} />
    <small>${t("panes.reasonHint")}</small></label>`;
}

function PanesDialog({ name, plan, to, ...dialog }) {
  const said = t(`panessay.${name}`, { count: number(plan.taken.length) });
  return html`<${BatchDialog} title=${t(`panesbatch.${name}`)} plan=${plan} why=${(reason) => t(`paneswhy.${reason}`)} ...${dialog}
    say=${html`${said} ${to && html`<${Station} station=${to} />`}`} nameOf=${({ paneNumber }) => paneNumber} state=${stateOf}
    then=${({ to: status }) => becomes(html`<${Status} status=${status} />`)} />`;
}

const stateOf = ({ currentStatus, currentStation }) => html`<${Status} status=${currentStatus} />
  ${currentStation && html`<${Station} station=${currentStation} />`}`;

const retryKey = new RetryKey();

/** All panes in one request: all of them, or none because of one. */
async function scanAll(taken, action, tell) {
  const paneNumbers = taken.map(({ record }) => record.paneNumber);
  try {
    const { panes } = await retryKey.post(
      "/panes/batch-scan",
      { paneNumbers, action },
      { records: paneNumbers.length },
    );
    for (const pane of panes) tell(pane._id, { record: pane });
  } catch (error) {
    const text = explainReason(reasonOf(error));
    const at = error.errors?.paneNumber;
    for (const { record } of taken)
      tell(record._id, { error: at && at !== record.paneNumber ? t("panes.notScanned", { number: at }) : text });
  }
}
