// What is on the table: the verdict, the pane and what can be done with it.
import { html, useEffect, useLayoutEffect, useState } from "../../../vendor/ui.js";
import { serviceTime } from "../../core/api.js";
import { hasText, number, t } from "../../core/i18n.js";
import { OPEN } from "../../core/pane_flow.js";
import { outbox } from "../../core/outbox.js";
import { nameOf } from "../../core/station_names.js";
import { useNow } from "../../ui/connection.js";
import { Drawing } from "../../ui/drawing.js";
import { Lazy } from "../../ui/lazy.js";
import { Icon } from "../../ui/parts.js";
import { Reason, Verdict } from "../../ui/verdict.js";
import { countOf, customerOf, Due, ICONS, Measured, nextOf } from "./pane.js";
import { hereOf, isAway, keptScans } from "./queue.js";
import { isSearch } from "./queue_view.js";
import { Read } from "../scan_page/read.js";
import { listed } from "../scan_page/requests.js";
import { HoldButton } from "../scan_page/sheet.js";

const READ_AFTER_MS = 100;
const loadIdle = () => import("./idle.js");
const loadRemakeLabel = () => import("./remake_label.js");
export const loadTell = () => import("./tell.js");
export const loadRack = () => import("./rack_card.js");

// A failed check is recorded as any other scan, and must not look as if the pane had passed.
const kindOf = (verdict) => (verdict?.kind === "yes" && verdict.action === "qc_fail" ? "failed" : verdict?.kind);

export function Work({ desk }) {
  const { busy, card: shown, notice, sheet, waiting } = desk.state.value;
  const read = useSlow(busy, shown);
  const card = read ? null : shown;
  return html`<section class="work" data-idle=${card || read ? null : ""}>
    <div class="status-line" aria-live="assertive">
      ${card?.verdict && html`<${Said} key=${card.shownAt} desk=${desk} card=${card} />`}
      ${notice && !sheet && html`<p class="notice"><${Icon} name="circle-alert" />${t(`station.${notice}`)}</p>`}
    </div>
    ${read && html`<article class="pane unknown" aria-live="polite"><h2>${read.number}</h2>
      <p class="soft">${t("station.asking")}</p></article>`}
    ${card?.rack && html`<${Lazy} load=${loadRack} desk=${desk} card=${card} />`}
    ${card?.number && !card.rack && html`<${PaneCard} desk=${desk} card=${card} />`}
    ${!card && !read && html`<${Ready} desk=${desk} />`}
    ${waiting.length > 0 && html`<p class="soft" role="status">${t("station.then",
      { numbers: waiting.map(({ code }) => code.number).join(", ") })}</p>`}
    <${Buttons} desk=${desk} card=${card} busy=${busy} />
    <${Undo} desk=${desk} />
    <${Read} desk=${desk} typed=${desk.queue.filter.value.text} onTyped=${(text) => desk.queue.search(text)}
      isSearch=${(text) => isSearch(desk.queue.panes.value ?? [], text)} />
  </section>`;
}

// What was scanned, if it is not on the card and its answer takes long enough to be missed.
function useSlow(busy, card) {
  const [slow, setSlow] = useState(null);
  useLayoutEffect(() => {
    // at once, not with the next picture
    const timer = busy && setTimeout(setSlow, READ_AFTER_MS, busy);
    return () => clearTimeout(timer);
  }, [busy]);
  return busy?.number && slow === busy && busy.number !== card?.number ? busy : null;
}

/** A text with its names in boxes. */
const unbroken = (text, [name = "", ...names]) =>
  name ? text.split(name).map((part, i) => [i > 0 && html`<span>${name}</span>`, unbroken(part, names)]) : text;

function Said({ desk, card }) {
  const { pane, moveHere, verdict } = card;
  const numbers = card.numbers ?? verdict.numbers;
  const { kind, action, actions, error, to, finished, remakes, retired } = verdict;
  const names = desk.place.value.stations.map(nameOf);
  const say = (text) =>
    unbroken(
      text,
      names.filter((name) => text.includes(name)),
    );
  const many = numbers && html`<p>${t("station.panes", { count: number(numbers.length) })} ${listed(numbers)}</p>`;
  if (kind === "no")
    return html`<${Verdict} kind="no" title=${t("station.no")}><${Reason} reason=${error} say=${say} />
    ${!moveHere && hasText(`station.help_${error.code}`) && html`<p>${say(t(`station.help_${error.code}`,
      { station: nameOf(error.facts?.currentStation) }))}</p>`}
    ${error.code === "STATION_IN_MAINTENANCE" && html`<${Lazy} load=${loadTell} desk=${desk} card=${card} />`}<//>`;
  if (kind === "outside")
    return html`<${Verdict} kind="outside" title=${t("station.outside")}>
    <p>${t("station.outsideHint")}</p>
    ${action && html`<p>${t("station.keptHint", { action: t(`station.${action}`) })}</p>`}<//>`;
  if (kind === "kept")
    return html`<${Verdict} kind="kept" title=${t("station.kept")}>
    ${many}<p>${t("station.keptHint", { action: t(`station.${action}`) })}</p><//>`;
  return html`<${Verdict} kind=${kindOf(verdict)} title=${t(`station.did_${action}`)}>
    ${many}${actions && html`<p>${t("station.notSent", { actions: actions.map((one) => t(`station.${one}`)).join(", ") })}</p>`}
    ${to && html`<p>${say(t("station.to", { station: nameOf(to) }))}</p>`}
    ${finished && html`<p>${t("station.finished")}</p>`}
    ${remakes?.length > 0 && html`<p>${say(t("station.remake", { number: listed(remakes.map((one) => one.number)),
      station: [...new Set(remakes.map(({ at }) => nameOf(at)))].filter(Boolean).join(", ") }))}</p>
      <${Lazy} load=${loadRemakeLabel} remakes=${remakes} />`}
    ${retired && html`<p>${t("station.merged", { number: pane.paneNumber, retired: retired.join(", ") })}</p>`}
  <//>`;
}

function Ready({ desk }) {
  const isUsed = desk.queue.done.facts.value.scans.length > 0 || keptScans(desk.id).length > 0;
  return html`<div class="ready" data-used=${isUsed ? "" : null}>
    <${Icon} name="qr-code" /><h2>${t("station.ready")}</h2><p>${t("station.readyHint")}</p>
    <${Lazy} load=${loadIdle} desk=${desk} />
  </div>`;
}

function PaneCard({ desk, card: { number: shown, pane: given, unit, offline, measured, verdict } }) {
  if (!given?._id && !unit)
    return html`<article class="pane unknown"><h2>${shown}</h2>
    ${offline && html`<p class="soft">${t("station.notKnownHere")}</p>`}</article>`;
  const pane = desk.queue.whole(given);
  const { width, height, thickness } = pane.dimensions ?? {};
  const size = [width, height, thickness].filter(Boolean).join("\u2009×\u2009");
  const cuts = [pane.holes, pane.notches, pane.edgeTasks].some((list) => list?.length);
  return html`<article class="pane" data-kind=${kindOf(verdict)} data-cuts=${cuts ? "" : null}
    data-drawn=${width && height ? "" : null}>
    <div class="facts">
      <h2>${shown}</h2>
      <${Whose} desk=${desk} pane=${pane} />
      ${pane.glassTypeLabel && html`<p class="glass-name">${pane.glassTypeLabel}</p>`}
      ${size && html`<p class="size"><b>${size}</b> <small>${t("station.mm")}</small></p>`}
      <p class="soft"><span>${pane.order?.orderNumber}</span>${pane.mark && html`<b>${pane.mark}</b>`}<${OfOrder} desk=${desk} pane=${pane} />
        ${verdict?.kind !== "yes" && html`<span>${t(`status.${pane.currentStatus}`)}</span>`}</p>
      ${pane.makeability?.length > 0 && html`<${CheckBefore} findings=${pane.makeability} />`}
      ${pane.notes && html`<p class="note">${pane.notes}</p>`}
      ${measured && html`<${Measured} measured=${measured} />`}
    </div>
    <${Drawing} pane=${pane} />
    ${unit && html`<${Unit} desk=${desk} unit=${unit} />`}
  </article>`;
}

/** Whose a pane is, until when, and where it goes from here. */
function Whose({ desk, pane: given }) {
  const now = serviceTime(useNow(true)); // deadlines pass, and are changed
  const pane = desk.queue.whole(given);
  const customer = customerOf(pane);
  const next = nextOf(pane, desk.id);
  const to = next === null ? t("station.lastHere") : next && nameOf(desk.stationOf(next));
  return html`<p class="whose">${customer && html`<b>${customer}</b>`}<${Due} pane=${pane} now=${now} />
    ${pane.rack?.rackNumber && html`<${OnRack} rack=${pane.rack} />`}
    ${to && html`<span class="where"><${Icon} name="arrow-right" />${to}</span>`}</p>`;
}

/** The rack that a pane stands on. */
function OnRack({ rack: { rackNumber, name, place } }) {
  return html`<span class="where"><${Icon} name="package" />${[rackNumber, name, place].filter(Boolean).join(" · ")}</span>`;
}

/** How many pieces of an order are here. */
function OfOrder({ desk, pane }) {
  const here = hereOf(desk)?.filter((one) => !isAway(one));
  const { order } = desk.queue.whole(pane);
  if (!here || !desk.queue.isWhole || !(order?.paneCount > 1)) return null;
  const count = countOf(order._id, here);
  if (!count) return null;
  return html`<span>${t("station.hereOf", { count: number(count), total: number(order.paneCount) })}</span>`;
}

/** The limits of making that a pane is beyond, in words that are loaded for the first such pane. */
function CheckBefore({ findings }) {
  const [inWords, setInWords] = useState(null);
  useEffect(() => {
    import("../../ui/findings.js").then((module) => setInWords(() => module.inWords), console.warn);
  }, []);
  return html`<p class="note"><${Icon} name="triangle-alert" /> ${t("station.checkBefore")}
    ${" "}${inWords && findings.map(inWords).join("; ")}</p>`;
}

function Buttons({ desk, card, busy }) {
  if (!card || card.rack) return null;
  const { next, allowed = [], pane, unit, verdict, offline, moveHere } = card;
  const can = next && verdict?.kind !== "no";
  const checks = can && next === "check";
  const does = checks ? "qc_pass" : next;
  const send = (event) => () => desk.send(event);
  return html`<div class="buttons" data-checks=${checks ? "" : null}>
    ${can && next === "laminate" && html`${unit && html`<${Merges} unit=${unit} survivor=${card.survivor} />`}<${HoldButton} key=${String(busy)} kind="next" icon=${busy ? "hourglass" : ICONS[next]}
      label=${t("station.laminate")} disabled=${busy} onHeld=${send({ type: "laminate" })} />`}
    ${can && next !== "laminate" && html`<button type="button" class="next" disabled=${busy}
      onClick=${send({ type: checks ? "pass" : "next" })}>
      <${Icon} name=${busy ? "hourglass" : ICONS[does]} />${t(`station.${does}`)}</button>`}
    ${!can && busy && html`<p class="soft" role="status">${t("station.asking")}</p>`}
    ${!next && verdict?.kind !== "no" && unit && !unit.ready && html`<p class="waits"><${Icon} name="hourglass" />${t("station.waitForSheets")}</p>`}
    ${verdict?.kind === "no" && moveHere && html`<button type="button" class="next" disabled=${busy}
      onClick=${send({ type: "open", sheet: "here" })}><${Icon} name=${ICONS.move_here} />${t("station.move_here")}</button>`}
    ${verdict?.kind === "no" && verdict.error.code === "WRONG_STATION" && html`<${Lazy} key=${card.shownAt} load=${loadTell}
      desk=${desk} card=${card} />`}
    ${allowed.includes("qc_fail") && html`<button type="button" class="fail" disabled=${busy}
      onClick=${send({ type: "fail" })}><${Icon} name="x" />${t("station.qc_fail")}</button>`}
    ${checks && pane?._id && html`<button type="button" class="quiet-button measure" disabled=${busy}
      onClick=${send({ type: "open", sheet: "measure" })}><${Icon} name="ruler" />${t("station.measure")}</button>`}
    ${pane?._id && !offline && html`<button type="button" class="more icon-button" aria-label=${t("station.more")}
      title=${t("station.more")} disabled=${busy} onClick=${send({ type: "open", sheet: "pane" })}>
      <${Icon} name="ellipsis" /></button>`}
  </div>`;
}

/** The set of a laminated unit: which sheets are here, where the others are, which survives. */
function Unit({ desk, unit: { parentPaneNumber, sheets, present, total, ready } }) {
  const { survivor } = desk.state.value.card;
  const choose = (one) => () => desk.send({ type: "survivor", number: one });
  const figures = { present: number(present), total: number(total) };
  return html`<fieldset class="unit">
    <legend>${t("station.unit", { number: parentPaneNumber, ...figures })}</legend>
    ${ready && html`<p>${t("station.survivor")}</p>`}
    ${sheets.map((sheet) => html`<${SheetOfUnit} key=${sheet.paneNumber} sheet=${sheet} ready=${ready}
      chosen=${sheet.paneNumber === survivor} onChoose=${choose(sheet.paneNumber)} />`)}
  </fieldset>`;
}

/** What laminating the set does: the sheet that stays, and the panes that are retired. */
function Merges({ unit: { parentPaneNumber, sheets }, survivor }) {
  const labelOf = ({ sheetLabel, paneNumber }) => sheetLabel || paneNumber;
  const here = sheets.filter((one) => one.present);
  const stays = here.filter((one) => one.paneNumber === survivor).map(labelOf);
  const retired = [...here.filter((one) => one.paneNumber !== survivor).map(labelOf), parentPaneNumber];
  return html`<p class="merges"><${Icon} name="layers" />${t("station.merges", { stays: listed(stays), retired: listed(retired) })}</p>`;
}

function SheetOfUnit({ sheet: { paneNumber, sheetLabel, currentStatus, present, station }, ready, chosen, onChoose }) {
  const where = [station && nameOf(station), t(`status.${currentStatus}`)].filter(Boolean).join(" · ");
  const sign = present ? "check" : OPEN.includes(currentStatus) ? "hourglass" : "x"; // it does not come
  const content = html`<b>${sheetLabel}</b><span>${paneNumber}</span>
    <small><${Icon} name=${sign} />${present ? t("station.present") : where}</small>`;
  if (!ready || !present) return html`<div class="sheet" data-present=${present ? "" : null}>${content}</div>`;
  return html`<label class="sheet" data-present="">
    <input type="radio" name="survivor" checked=${chosen} onChange=${onChoose} />${content}</label>`;
}

/** The button that takes back the last scan, while the service still does, or this device keeps it. */
function Undo({ desk }) {
  const { last, busy } = desk.state.value;
  const now = useNow(Boolean(last));
  const isKept = outbox.value.waiting.some(({ n, tried }) => n === last?.kept && !tried);
  const left = last?.undoableUntil ? Math.min(60, Math.ceil((last.undoableUntil - now) / 1000)) : 0;
  if (!isKept && left <= 0) return null;
  return html`<button type="button" class="quiet-button undo" disabled=${busy}
    onClick=${() => desk.send({ type: "undo" })}>
    <${Icon} name="undo-2" /><span>${t("station.undo", { number: last.numbers
      ? t("station.panes", { count: number(last.numbers.length) }) : last.number })}</span>
    ${!isKept && html`<span class="seconds" aria-hidden="true">${left}</span>`}</button>`;
}
