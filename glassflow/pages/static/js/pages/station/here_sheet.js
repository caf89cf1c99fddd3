// "It is here": takes in a pane that is recorded at another station, and says what that leaves out.
import { html } from "../../../vendor/ui.js";
import { t } from "../../core/i18n.js";
import { nameOf } from "../../core/station_names.js";
import { Icon } from "../../ui/parts.js";
import { Sheet } from "../scan_page/sheet.js";

export default function HereSheet({ desk, card }) {
  const { number, moveHere, verdict } = card;
  const there = nameOf(verdict.error?.facts?.currentStation);
  const skipped = (moveHere?.skippedStations ?? []).map((station) => nameOf(station ?? undefined) || "–");
  const confirm = () => desk.send({ type: "action", action: "move_here", body: {} });
  return html`<${Sheet} desk=${desk} title=${t("station.hereTitle", { number })}>
    ${there && html`<p>${t("station.systemSays", { station: there })}</p>`}
    ${skipped.length > 0 && html`<div><p>${t("station.withoutScan")}</p>
      <ul class="left-out">${skipped.map((name, i) => html`<li key=${i}><${Icon} name="x" />${name}</li>`)}</ul></div>`}
    <p class="soft">${t("station.inYourName")}</p>
    <button type="button" class="main-button" onClick=${confirm}><${Icon} name="map-pin" />${t("station.confirmHere")}</button>
  <//>`;
}
