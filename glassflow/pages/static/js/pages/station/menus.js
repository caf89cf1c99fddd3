// The menus: of the pane on the screen, and of the device.
import { html, useState } from "../../../vendor/ui.js";
import { t } from "../../core/i18n.js";
import { LEADS_TO } from "../../core/pane_flow.js";
import { session } from "../../core/session.js";
import { Lazy } from "../../ui/lazy.js";
import { leave } from "../../ui/leave.js";
import { Icon, Switches } from "../../ui/parts.js";
import { Option } from "./defect_sheets.js";
import { Sheet } from "../scan_page/sheet.js";

const SCANS = [3, 2, 1]; // see flow.js
const loadStarts = () => import("../../ui/starts_offline.js"); // which offline.js has loaded
const OWN_BUTTON = ["qc_fail", "laminate"];

/** All that is not the one next step. */
export function PaneMenu({ desk, card }) {
  const { pane, next, allowed = [] } = card;
  const { showWithdrawClaimActions } = desk.place.value.station;
  const open = (sheet) => () => desk.send({ type: "open", sheet });
  const act = (action) => () => desk.send({ type: "action", action, body: {} });
  // what would change nothing is accepted by the service, and not offered
  const repeats = (action) => LEADS_TO[action] === pane.currentStatus;
  const others = allowed.filter((action) => ![next, ...OWN_BUTTON].includes(action) && !repeats(action));
  return html`<${Sheet} desk=${desk} title=${card.number}><div class="menu">
    ${others.map((action) => html`<button type="button" key=${action} onClick=${act(action)}>
      <${Icon} name="play" />${t(`station.${action}`)}</button>`)}
    <${LostEntry} desk=${desk} />
    ${showWithdrawClaimActions && html`
      <button type="button" onClick=${open("claim")}><${Icon} name="triangle-alert" />${t("station.claim")}</button>
      <button type="button" onClick=${open("withdraw")}><${Icon} name="package" />${t("station.withdraw")}</button>`}
    <a href=${`/floor/labels?panes=${pane._id}`}><${Icon} name="printer" />${t("station.label")}</a>
    <a href=${`/floor/office/panes/${pane._id}`}><${Icon} name="history" />${t("station.passport")}</a>
  </div><//>`;
}

function LostEntry({ desk }) {
  return html`<button type="button" onClick=${() => desk.send({ type: "open", sheet: "lost" })}>
    <${Icon} name="circle-x" />${t("station.lost")}</button>`;
}

/** What this device does, and who uses it. */
export function StationMenu({ desk }) {
  const { scans, checks } = desk.state.value;
  const [said, setSaid] = useState(null);
  const logOut = (sure) => leave(sure).then(setSaid);
  return html`<${Sheet} desk=${desk} title=${t("station.menu")} alert=${said?.text}>
    <div class="menu"><${LostEntry} desk=${desk} /></div>
    <fieldset class="options"><legend>${t("station.scans")}</legend>
      ${SCANS.map((one) => html`<${Option} key=${one} name="scans" checked=${scans === one}
        onChoose=${() => desk.setScans(one)} label=${t(`station.${checks ? "checks" : "scans"}_${one}`)} />`)}</fieldset>
    <label class="option"><input type="checkbox" checked=${desk.glove.value}
      onChange=${(event) => desk.setGlove(event.target.checked)} />${t("station.glove")}</label>
    <${Switches} />
    <${Lazy} load=${loadStarts} />
    <div class="menu">
      <button type="button" onClick=${() => desk.send({ type: "open", sheet: "scanner" })}>
        <${Icon} name="scan-line" />${t("station.testScanner")}</button>
      <a href="/floor/s?choose"><${Icon} name="map-pin" />${t("station.change")}</a>
      <a href="/floor/"><${Icon} name="house" />${t("station.home")}</a>
      <button type="button" onClick=${() => logOut(Boolean(said?.sure))}>
        <${Icon} name="log-out" />${said?.sure ?? t("station.logOut", { name: session.value.worker?.name })}</button>
    </div>
  <//>`;
}
