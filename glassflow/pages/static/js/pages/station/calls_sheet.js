// A call for help: the open calls of this station, and four tiles of which one tap calls.
import { html, useRef, useState } from "../../../vendor/ui.js";
import { t } from "../../core/i18n.js";
import { connection } from "../../core/events.js";
import { actor } from "../../core/person.js";
import { idOf } from "../../core/records.js";
import { may } from "../../core/session.js";
import { play } from "../../scan/sounds.js";
import { useNow } from "../../ui/connection.js";
import { Icon } from "../../ui/parts.js";
import { aboutOf, calledAgo, end, endName, faultOf, mayEnd, post, sinceOf, whoComes } from "./call_words.js";
import { useHand } from "./hand.js";
import { Sheet } from "../scan_page/sheet.js";

const KINDS = { machine: "factory", glass: "layers", question: "circle-help", other: "ellipsis" };
const LONGEST_REASON = 500;

export default function CallsSheet({ desk }) {
  const calls = desk.calls.value;
  const body = useRef();
  const here = useStill(calls?.here ?? [], useHand(body));
  const [form, setForm] = useState({ reason: "", stands: false, maintenance: false });
  const [said, setSaid] = useState({}); // {busy} or {fault}
  const act = async (step) => {
    if (said.busy) return false;
    setSaid({ busy: true });
    try {
      await step();
      setSaid({});
      return true;
    } catch (error) {
      play("no");
      setSaid({ fault: faultOf(error) });
      return false;
    }
  };
  const call = async (kind) => {
    const { reason, stands, maintenance } = form;
    const body = {
      station: desk.id,
      kind,
      ...((stands || maintenance) && { machineStands: true }),
      ...(maintenance && { refusesScanIn: true }),
      ...(reason.trim() && { reason: reason.trim() }),
    };
    if (!(await act(() => post(calls, "/calls", body)))) return;
    play("yes");
    desk.send({ type: "open", sheet: null });
  };
  return html`<${Sheet} desk=${desk} title=${t("station.callTitle")} alert=${said.fault}>
    <div ref=${body} class="calling">${here.length > 0 && html`<ul class="calls">${here.map((one) => html`<${Call} key=${one._id} desk=${desk} call=${one} act=${act} />`)}</ul>`}
    <${New} form=${form} change=${(facts) => setForm({ ...form, ...facts })} busy=${said.busy} onCall=${call} /></div>
  <//>`;
}

// While a hand is at the sheet, no call is added above the tiles: they would move under it.
function useStill(calls, isHand) {
  const shown = useRef([]);
  const rows = isHand ? calls.filter(({ _id }) => shown.current.includes(_id)) : calls;
  shown.current = rows.map(({ _id }) => _id);
  return rows;
}

function New({ form: { reason, stands, maintenance }, change, busy, onCall }) {
  if (connection.value.state === "lost")
    return html`<p class="no-network" role="status"><${Icon} name="wifi-off" />${t("station.callNoNetwork")}</p>`;
  if (!actor()) return html`<p class="soft">${t("person.first")}</p>`;
  const check = (name, checked, text) => html`<label class="option"><input type="checkbox" checked=${checked}
    onChange=${(event) => change({ [name]: event.target.checked })} />${t(text)}</label>`;
  return html`<div class="options">
      ${check("stands", stands || maintenance, "station.callStands")}
      ${may("stations:manage") && check("maintenance", maintenance, "station.callMaintenance")}</div>
    <div class="fields"><label>${t("station.callReason")}<input name="reason" type="text" maxlength=${LONGEST_REASON}
      autocomplete="off" value=${reason} onInput=${(event) => change({ reason: event.target.value })} /></label></div>
    <h3>${t("station.callTap")}</h3>
    <div class="tiles">${Object.entries(KINDS).map(([kind, icon]) => html`<button type="button" key=${kind} disabled=${busy}
      onClick=${() => onCall(kind)}><${Icon} name=${icon} />${t(`station.callKind_${kind}`)}</button>`)}</div>`;
}

function Call({ desk, call, act }) {
  const now = useNow(true);
  const { _id: id, calledByName, machineStands, paneNumber, reason, status } = call;
  const isOwn = status === "taken" && idOf(call.takenBy) === actor()?._id;
  const press = (step) => () => act(() => post(desk.calls.value, `/calls/${id}/${step}`, {}));
  const facts = [calledByName, call.refusesScanIn && sinceOf(call, now), reason].filter(Boolean).join(" · ");
  return html`<li data-stands=${machineStands ? "" : null}>
    <p><b>${calledAgo(call, aboutOf(call, (one) => desk.stationOf(one)), now)}</b></p>
    <p>${facts && html`<span class="soft">${facts} · </span>`}<span role="status">${whoComes(call)}</span></p>
    <div class="call-actions">
      ${actor() && status === "open" && html`<button type="button" class="quiet-button" onClick=${press("take")}>
        <${Icon} name="arrow-right" />${t("station.callTake")}</button>`}
      ${isOwn && html`<button type="button" class="quiet-button" onClick=${press("release")}><${Icon} name="x" />${t("station.callRelease")}</button>`}
      ${mayEnd(call) && html`<button type="button" class="quiet-button" onClick=${() => act(() => end(call))}><${Icon} name="check" />${endName(call)}</button>`}
      ${paneNumber && html`<button type="button" class="quiet-button" onClick=${() => desk.send({ type: "look", number: paneNumber })}>
        <${Icon} name="search" />${t("station.callShow", { number: paneNumber })}</button>`}
    </div></li>`;
}
