// The card of a rack: what is on it, and the one button for all of it.
import { html } from "../../../vendor/ui.js";
import { number, t } from "../../core/i18n.js";
import { idOf } from "../../core/records.js";
import { nameOf } from "../../core/station_names.js";
import { Icon } from "../../ui/parts.js";
import { ICONS } from "./pane.js";
import { panesOn, placeOf, stepOfRack, weightOf } from "./racks.js";

export default function RackCard({ desk, card }) {
  const { number: rackNumber, rack, verdict } = card;
  const { busy } = desk.state.value;
  const panes = panesOn(desk, card);
  const here = panes.filter((pane) => idOf(pane.currentStation) === desk.id);
  const step = verdict?.kind === "no" ? null : stepOfRack(panes, placeOf(desk));
  const figures = [
    t("station.panes", { count: number(panes.length) }),
    t("station.kg", { count: number(Math.round(weightOf(panes))) }),
    ...(here.length < panes.length ? [t("station.ofThemHere", { count: number(here.length) })] : []),
  ];
  return html`<article class="pane rack">
      <h2>${rackNumber}</h2>
      <p class="whose"><b>${rack.name}</b>${rack.place && html`<span class="where"><${Icon} name="map-pin" />${rack.place}</span>`}</p>
      <p class="soft">${figures.join(" · ")}</p>
      ${panes.length === 0 && html`<p class="soft">${t("station.rackEmpty")}</p>`}
      <ul>${panes.map((pane) => html`<${Row} key=${pane.paneNumber} desk=${desk} pane=${pane} />`)}</ul>
    </article>
    <div class="buttons">
      ${step && html`<button type="button" class="next" disabled=${busy} onClick=${() => desk.send({ type: "stepRack" })}>
        <${Icon} name=${busy ? "hourglass" : ICONS[step.action]} />${t("station.actionOfMany",
          { action: t(`station.${step.action}`), count: number(step.numbers.length) })}</button>`}
      <button type="button" class="quiet-button ends" disabled=${busy} onClick=${() => desk.send({ type: "clear" })}>
        <${Icon} name="check" />${t("station.rackDone")}</button>
    </div>
    ${verdict?.kind !== "no" && html`<p class="soft">${t("station.rackHint")}</p>`}`;
}

function Row({ desk, pane }) {
  const { paneNumber, currentStation, currentStatus, dimensions, makeability } = pane;
  const { width, height } = dimensions ?? {};
  const isHere = idOf(currentStation) === desk.id;
  const station = nameOf(desk.stationOf(idOf(currentStation)));
  const takeOff = () => desk.send({ type: "takeOff", numbers: [paneNumber] });
  const label = t("station.takeOff", { number: paneNumber });
  return html`<li data-away=${isHere ? null : ""}><b>${paneNumber}</b>
    <span>${width && height ? `${width}\u2009×\u2009${height}` : ""}</span>
    ${makeability?.length > 0 && html`<${Icon} name="triangle-alert" />`}
    <small>${[!isHere && station, t(`status.${currentStatus}`)].filter(Boolean).join(" · ")}</small>
    <button type="button" class="icon-button" aria-label=${label} title=${label} onClick=${takeOff}><${Icon} name="x" /></button></li>`;
}
