// What a station shows while no pane is on the card: what was made and scanned here, and what is due.
import { html } from "../../../vendor/ui.js";
import { serviceTime } from "../../core/api.js";
import { hourMinute, number, t } from "../../core/i18n.js";
import { useNow } from "../../ui/connection.js";
import { Icon } from "../../ui/parts.js";
import { dayNumber } from "../../ui/moments.js";
import { makes } from "./done_here.js";
import { hereOf, keptScans } from "./queue.js";
import { dueCounts } from "./queue_view.js";

const MINUTE_MS = 60_000;
const SHOWN = 5;

export default function Idle({ desk }) {
  return html`<${Facts} desk=${desk} now=${Math.floor(serviceTime(useNow(true)) / MINUTE_MS) * MINUTE_MS} />`;
}

function Facts({ desk, now }) {
  const facts = desk.queue.done.facts.value;
  const kept = keptScans(desk.id);
  const due = dueCounts(hereOf(desk) ?? [], now);
  const made = madeToday(facts, kept, now);
  const scans = lastScans(facts, kept, SHOWN);
  const show = (kind) => () => {
    desk.queue.filter.value = { text: "", due: kind };
    document.querySelector(".queue").scrollIntoView({ block: "nearest" }); // on a phone it is below
  };
  return html`<div class="idle-figures">
      ${scans.length > 0 && html`<p class="idle-figure"><b>${number(made.count)}</b><span>${t("station.madeToday")}
        ${made.kept > 0 && html`<small>${t("station.waitingToSend", { count: number(made.kept) })}</small>`}</span></p>`}
      ${["late", "today"].map((kind) => due[kind] > 0 && html`<button type="button" key=${kind} class="idle-figure" data-due=${kind}
        onClick=${show(kind)}><b>${number(due[kind])}</b><span>${t(`station.due_${kind}`)}</span></button>`)}
    </div>
    ${scans.length > 0 && html`<div class="last"><h3>${t("station.lastScans")}</h3>
      <ol>${scans.map((scan) => html`<${Scan} key=${`${scan.number} ${scan.at}`} desk=${desk} scan=${scan} />`)}</ol></div>`}`;
}

function Scan({ desk, scan: { number: pane, action, at, isKept, isUndone } }) {
  return html`<li><button type="button" onClick=${() => desk.scan(pane, "typed")}>
    <b>${pane}</b><span>${t(`station.did_${isUndone ? "undo" : action}`)}
      ${isKept && html` <span class="kept"><${Icon} name="upload" />${t("station.toSend")}</span>`}</span>
    <time>${hourMinute(at)}</time></button></li>`;
}

/** The last scans, the newest first, with those that this device keeps: see `keptScans`. */
export function lastScans({ scans }, kept, count) {
  const waiting = kept.map((one) => ({ ...one, at: serviceTime(one.at), isKept: true }));
  return [...waiting, ...scans].sort((a, b) => b.at - a.at).slice(0, count);
}

/** How many panes are done or handed on today, with those whose scans are kept: {count, kept}. */
export function madeToday({ day, made }, kept, now) {
  const today = dayNumber(now);
  const numbers = new Set(day === today ? Object.keys(made) : []);
  const waiting = new Set();
  for (const { number, action } of kept.filter((one) => dayNumber(serviceTime(one.at)) === today)) {
    if (makes(action) && !numbers.has(number)) waiting.add(number);
    if (action === "qc_fail") for (const one of [numbers, waiting]) one.delete(number);
  }
  return { count: numbers.size + waiting.size, kept: waiting.size };
}
