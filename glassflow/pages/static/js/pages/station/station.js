// The page of one station: scan a pane, see its one next step, do it.
import { html, useEffect, useLayoutEffect, useMemo } from "../../../vendor/ui.js";
import { t } from "../../core/i18n.js";
import { isShared } from "../../core/person.js";
import { query } from "../../core/router.js";
import { may } from "../../core/session.js";
import { namesOf } from "../../core/station_names.js";
import { soundOn, unlock } from "../../scan/sounds.js";
import { listen } from "../../scan/wedge.js";
import { ConnectionPill } from "../../ui/connection.js";
import "../../ui/page_icons.js";
import { Lazy } from "../../ui/lazy.js";
import { Icon } from "../../ui/parts.js";
import { useWakeLock } from "../../ui/wake_lock.js";
import { KeptList, PersonGate, Signs } from "../scan_page/frame.js";
import { Choose, NoStation } from "./choose.js";
import { ClaimSheet, FailSheet } from "./defect_sheets.js";
import { StationDesk } from "./desk.js";
import { chosenStation } from "./kept.js";
import { PaneMenu, StationMenu } from "./menus.js";
import { QueueList } from "./queue_list.js";
import { WithdrawSheet } from "./withdraw_sheet.js";
import { loadRack, loadTell, Work } from "./work.js";

export const title = "station.title";
export const styles = ["pages/station/station", "ui/verdict", "ui/drawing", "ui/camera", "ui/photos"];
export const bare = true;

const loadScannerTest = () => import("./scanner_test.js");
const loadLost = () => import("./lost_sheet.js");
const loadHere = () => import("./here_sheet.js");
const loadMeasure = () => import("./measure_sheet.js");
const loadCallBand = () => import("./call_band.js");
const loadCalls = () => import("./calls_sheet.js");

/** The forms and menus over the page, by their names in flow.js. */
const SHEETS = {
  fail: FailSheet,
  claim: ClaimSheet,
  withdraw: WithdrawSheet,
  pane: PaneMenu,
  menu: StationMenu,
  kept: KeptList,
  scanner: ({ desk }) => html`<${Lazy} load=${loadScannerTest} desk=${desk} />`,
  lost: ({ desk }) => html`<${Lazy} load=${loadLost} desk=${desk} />`,
  here: ({ desk, card }) => html`<${Lazy} load=${loadHere} desk=${desk} card=${card} />`,
  measure: ({ desk, card }) => html`<${Lazy} load=${loadMeasure} desk=${desk} card=${card} />`,
  calls: ({ desk }) => html`<${Lazy} load=${loadCalls} desk=${desk} />`,
};
const KEYS = { Enter: "next", p: "pass", f: "fail", Escape: "clear" };

/** `/floor/s` is the station that was chosen on this device, or the choice. */
export default function StationPage({ stationId }) {
  const id = stationId ?? (query.value.has("choose") ? null : chosenStation());
  return id ? html`<${Station} key=${id} stationId=${id} />` : html`<${Choose} />`;
}

function Station({ stationId }) {
  const desk = useMemo(() => new StationDesk(stationId), [stationId]);
  useEffect(() => {
    desk.open();
    return () => desk.close();
  }, [desk]);
  useLayoutEffect(() => {
    const onKey = (key) => KEYS[key] && desk.send({ type: KEYS[key] });
    return listen((text) => desk.scan(text, "wedge"), { onKey, onUnended: () => desk.unended() });
  }, [desk]);
  const place = desk.place.value;
  if (place?.error)
    return html`<${NoStation} error=${place.error} retryAt=${place.retryAt} onAgain=${() => desk.load()} />`;
  if (!place) return html`<main class="station"><p class="starting">${t("app.starting")}</p></main>`;
  return html`<${Open} desk=${desk} station=${place.station} />`;
}

function Open({ desk, station }) {
  const { card, sheet } = desk.state.value;
  useWakeLock();
  useLayoutEffect(() => document.querySelector("h1[tabindex]").focus({ preventScroll: true }), []);
  useEffect(() => {
    const parts = [loadLost, loadCalls, loadTell, loadRack, ...(station.isCheckStation ? [loadMeasure] : [])];
    Promise.all(parts.map((load) => load())).catch(console.warn); // before the network is lost
  }, [station.isCheckStation]);
  return html`<div class="station" data-color=${station.colorId} data-glove=${desk.glove.value ? "" : null}>
    <${Header} desk=${desk} station=${station} />
    <${Lazy} load=${loadCallBand} desk=${desk} station=${station} />
    <${PersonGate} desk=${desk}><main>
      <${Work} desk=${desk} />
      <${QueueList} desk=${desk} />
    </main><//>
    ${sheet && html`<${SHEETS[sheet]} key=${sheet} desk=${desk} card=${card} />`}
  </div>`;
}

function Header({ desk, station }) {
  const [name, second] = namesOf(station);
  return html`<header>
    <div class="place"><h1 tabindex="-1">${name}</h1>${second && html`<p>${second}</p>`}</div>
    <div class="signs">
      <${Signs} desk=${desk} />
      <${ConnectionPill} />
      ${!soundOn.value && html`<button type="button" class="quiet-button begin" onClick=${unlock}>
        <${Icon} name="volume-x" /><span>${t("station.begin")}</span></button>`}
      ${(isShared() || may("panes:scan")) && html`<${Bell} desk=${desk} />`}
      <button type="button" class="icon-button" aria-label=${t("station.menu")} title=${t("station.menu")}
        onClick=${() => desk.send({ type: "open", sheet: "menu" })}><${Icon} name="settings" /></button>
    </div>
  </header>`;
}

/** Opens the sheet of calls for help, and says how many are open. */
function Bell({ desk }) {
  const here = desk.calls.value?.here ?? [];
  const count = here.length;
  const label = count ? t("station.bellOpen", { count }) : t("station.callTitle");
  return html`<button type="button" class="bell" aria-label=${label} title=${label}
    data-stands=${here.some((call) => call.machineStands) ? "" : null}
    onClick=${() => desk.send({ type: "open", sheet: "calls" })}>
    <${Icon} name="bell" />${count > 0 && html`<b>${count}</b>`}</button>`;
}
