// "Lost, several": what is in work here as a list with ticks, and one failed check of all that is ticked.
import { html, useLayoutEffect, useState } from "../../../vendor/ui.js";
import { dateTime, hourMinute, number, t } from "../../core/i18n.js";
import { onAnswer, outbox, send } from "../../core/outbox.js";
import { PRESENT } from "../../core/pane_flow.js";
import { actor } from "../../core/person.js";
import { play } from "../../scan/sounds.js";
import { Icon } from "../../ui/parts.js";
import { explainReason, reasonOf } from "../../ui/verdict.js";
import { Questions } from "./defect_sheets.js";
import { lastBatch, withLastChange } from "./last_batch.js";
import { withKept } from "./queue.js";
import { sendPhotos } from "../scan_page/photos.js";
import { listed, LOSS, scansOf, undoOf } from "../scan_page/requests.js";
import { HoldButton, Sheet } from "../scan_page/sheet.js";

const MOST = 500; // panes of one request, see MAX_ARRAY_LENGTH
const TODAY_MS = 12 * 3_600_000;

export default function LostSheet({ desk }) {
  if (desk.queue.panes.value) return html`<${Loss} desk=${desk} />`;
  return html`<${Sheet} desk=${desk} title=${t("station.lost")}><p class="soft">${t("station.asking")}</p><//>`;
}

/** All panes here, as they are after what this device keeps. */
function panesHere(desk) {
  const scans = outbox.value.waiting.filter(({ body }) => body.station === desk.id).flatMap(scansOf);
  const { isLaminateStation } = desk.place.value.station;
  const panes = withKept(desk.queue.panes.value, scans, isLaminateStation, (one) => desk.queue.isOutside(one));
  return withLastChange(panes, scans);
}

// The rows stay as they were when the sheet was opened: nothing moves under a hand.
function begin(desk) {
  const rows = panesHere(desk).filter(({ currentStatus }) => PRESENT.includes(currentStatus));
  rows.sort((a, b) => (b.at || 0) - (a.at || 0) || (a.paneNumber < b.paneNumber ? -1 : 1));
  const ticked = lastBatch(rows).map(({ paneNumber }) => paneNumber);
  return { rows, ticked: ticked.slice(0, MOST) };
}

function Loss({ desk }) {
  const [{ rows, ticked, said, refused }, setState] = useState(() => begin(desk));
  const [sending, setSending] = useState(false);
  const change = (facts) => setState((now) => ({ ...now, said: null, ...facts }));
  const here = new Set(panesHere(desk).flatMap((one) => (isOpenHere(one) ? one.paneNumber : [])));
  const isHere = (one) => !desk.queue.isWhole || here.has(one);
  const gone = ticked.filter((one) => !isHere(one));
  const unfit = ticked.filter((one) => gone.includes(one) || one === refused?.facts?.paneNumber);
  useLayoutEffect(() => {
    const before = desk.takes;
    desk.takes = (code) => {
      if (code.kind !== "pane") return false;
      if (sending) desk.send({ type: "notify", notice: "sheetOpen" });
      else setState((now) => scanned(desk, now, code.number));
      return true;
    };
    return () => (desk.takes = before);
  });
  const confirm = async (form) => {
    if (sending) return;
    setSending(true);
    change({ refused: null });
    try {
      await failAll(desk, [...ticked].sort(), form);
    } catch (error) {
      play("no");
      change({ refused: reasonOf(error) });
    }
    setSending(false);
  };
  const leaveOut = () => change({ refused: null, ticked: ticked.filter((one) => !unfit.includes(one)) });
  const count = number(ticked.length);
  return html`<${Questions} desk=${desk} title=${t("station.lost")} onConfirm=${confirm}
    missing=${ticked.length ? undefined : "tickFirst"}
    alert=${refused ? html`<${Refusal} reason=${refused} />` : said}
    first=${html`<${Ticks} rows=${rows} ticked=${ticked} isHere=${isHere} change=${change} />`}
    last=${(form) => html`
      <p class="summary"><b>${t("station.panes", { count })}</b> ${listed([...ticked].sort())}</p>
      ${gone.length > 0 && !refused && html`<p class="soft">${t("station.goneMeanwhile", { numbers: listed(gone) })}</p>`}
      ${unfit.length > 0 && html`<button type="button" class="quiet-button" disabled=${sending} onClick=${leaveOut}><${Icon} name="x" />
        ${t("station.leaveOut", { numbers: listed(unfit) })}</button>`}
      <${HoldButton} key=${String(sending)} icon=${sending ? "hourglass" : "x"} disabled=${sending || !ticked.length}
        label=${t("station.confirmLost", { count })} onHeld=${() => confirm(form)} />`} />`;
}

const isOpenHere = ({ currentStatus }) => currentStatus === "pending" || PRESENT.includes(currentStatus);

function Refusal({ reason }) {
  const { paneNumber, paneNumbers } = reason.facts ?? {};
  return html`<b>${paneNumber ?? (paneNumbers && listed(paneNumbers))}</b> ${explainReason(reason)} ${t("station.noneLost")}`;
}

// A pane that was scanned is ticked. One that waits here is added to the list before.
function scanned(desk, now, one) {
  const refuse = (said) => {
    play("no");
    return { ...now, said };
  };
  const row = now.rows.find(({ paneNumber }) => paneNumber === one);
  const found = row ?? panesHere(desk).find((pane) => pane.paneNumber === one && isOpenHere(pane));
  if (!found && desk.queue.isWhole) return refuse(t("station.notTicked", { number: one }));
  const ticked = withTick(now.ticked, one);
  if (ticked.length > MOST) return refuse(t("station.tooManyTicks", { count: number(MOST) }));
  play("yes");
  const rows = row ? now.rows : [found ?? { paneNumber: one }, ...now.rows];
  return { ...now, rows, ticked, said: null };
}

const withTick = (ticked, one) => (ticked.includes(one) ? ticked : [...ticked, one]);

function Ticks({ rows, ticked, isHere, change }) {
  const isTicked = new Set(ticked);
  const all = rows.map(({ paneNumber }) => paneNumber);
  const tooMany = t("station.tooManyTicks", { count: number(MOST) });
  const tick = (chosen) => change({ ticked: chosen.slice(0, MOST), ...(chosen.length > MOST && { said: tooMany }) });
  const toggle = (one) => tick(isTicked.has(one) ? ticked.filter((other) => other !== one) : [...ticked, one]);
  return html`<div class="ticks">
    <div class="ticks-head"><b role="status">${t("station.ticked", { count: number(ticked.length), total: number(rows.length) })}</b>
      <button type="button" class="quiet-button" onClick=${() => tick(all)}>${t("station.tickAll")}</button>
      <button type="button" class="quiet-button" onClick=${() => tick([])}>${t("station.tickNone")}</button></div>
    ${rows.length === 0 && html`<p class="soft">${t("station.noneInWork")}</p>`}
    <ul>${rows.map((row) => html`<li key=${row.paneNumber}><label class="option">
      <input type="checkbox" checked=${isTicked.has(row.paneNumber)} onChange=${() => toggle(row.paneNumber)} />
      <b>${row.paneNumber}</b> <span>${sizeOf(row)}</span>
      <small>${isHere(row.paneNumber) ? since(row.at) : t("station.gone")}</small></label></li>`)}</ul>
  </div>`;
}

const sizeOf = ({ dimensions }) => (dimensions?.width ? `${dimensions.width}×${dimensions.height}` : "");

function since(at) {
  if (!Number.isFinite(at)) return "";
  return (Date.now() - at < TODAY_MS ? hourMinute : dateTime)(new Date(at));
}

/** Record panes as lost, all or none, with one answer; throws the refusal. */
async function failAll(desk, numbers, { reason, photos, note }) {
  const occurredAt = new Date();
  const worker = actor();
  const body = {
    paneNumbers: numbers,
    station: desk.id,
    reason,
    ...(note && { description: note }),
    ...(photos.length > 0 && { photos: await sendPhotos(photos, worker) }),
  };
  const show = (verdict, undo) => {
    const isTheirs = actor()?._id === worker._id; // somebody else may work here by now
    if (isTheirs) desk.send({ type: "many", numbers, verdict: { action: "qc_fail", ...verdict }, undo });
  };
  const done = (data) =>
    show({ kind: "yes", remakes: data.remadePanes.map((one) => desk.remakeOf(one)) }, undoOf(data));
  const answer = await send(LOSS, body, { occurredAt, worker });
  if (answer.kind === "refused") throw answer.error;
  if (answer.kind === "answered") return done(answer.envelope.data);
  const isIt = ({ path, body: sent }) => path === LOSS && String(sent.paneNumbers) === String(numbers);
  const row = outbox.value.waiting.filter(isIt).at(-1);
  show({ kind: "kept" }, row && !row.tried ? { kept: row.n } : undefined);
  const stop = onAnswer((request, { data }) => {
    if (!isIt(request)) return;
    stop();
    const { card } = desk.state.value;
    if (card?.numbers === numbers) done(data); // nothing else was scanned meanwhile
  });
  return undefined;
}
