// The open calls of the station as a band in the page, and why it takes no panes.
import { html, useEffect, useState } from "../../../vendor/ui.js";
import { number, t } from "../../core/i18n.js";
import { idOf } from "../../core/records.js";
import { useNow } from "../../ui/connection.js";
import { Icon } from "../../ui/parts.js";
import { aboutOf, calledAgo, end, endName, faultOf, mayEnd, sinceOf, whoComes } from "./call_words.js";
import { Calls } from "./calls.js";

/** Begins to hear of calls, too: nothing of that is needed for the first picture. */
export default function CallBand({ desk, station }) {
  useEffect(() => {
    const calls = new Calls(desk.id);
    const stopHearing = calls.start();
    desk.calls.value = calls;
    if (desk.isRead) calls.load();
    return () => {
      stopHearing();
      desk.calls.value = null;
    };
  }, [desk]);
  const { here, open } = desk.calls.value ?? { here: [], open: { value: [] } };
  const stop = here.find((call) => call.refusesScanIn);
  const isEnded = open.value.some((call) => call.refusesScanIn && idOf(call.station) === desk.id) && !stop; // kept
  const calls = here.filter((call) => call !== stop);
  return html`${(stop || (station.status === "maintenance" && !isEnded)) && html`<${Maintenance} call=${stop} />`}
    ${calls.length > 0 && html`<${Band} desk=${desk} calls=${calls} />`}`;
}

function Maintenance({ call }) {
  const now = useNow(true);
  const [fault, setFault] = useState("");
  const press = () => end(call).catch((error) => setFault(faultOf(error)));
  return html`<p class="band warn" role="status"><${Icon} name="wrench" />
    <span>${t("station.maintenance")}${call && html` <small>${[call.reason, sinceOf(call, now)].filter(Boolean).join(" · ")}</small>`}
      ${fault && html`<small>${fault}</small>`}</span>
    ${call && mayEnd(call) && html`<button type="button" onClick=${press}>${endName(call)}</button>`}</p>`;
}

function Band({ desk, calls }) {
  const now = useNow(true);
  const [call] = calls;
  const isOne = calls.length === 1;
  const stands = calls.some(({ machineStands }) => machineStands);
  const untaken = calls.filter(({ status }) => status === "open").length;
  const pane = isOne && call.calledFrom && call.paneNumber;
  const show = () => desk.send(pane ? { type: "look", number: pane } : { type: "open", sheet: "calls" });
  const figures = { count: number(calls.length), open: number(untaken) };
  return html`<section class="band call" aria-label=${t("station.callTitle")} data-stands=${stands ? "" : null}><${Icon} name="bell" />
    <span>${isOne ? calledAgo(call, aboutOf(call, (id) => desk.stationOf(id)), now) : t("station.calls", figures)}
      <span role="status"> · ${isOne ? whoComes(call) : t(untaken ? "station.callsUntaken" : "station.callsTaken", figures)}</span></span>
    <button type="button" onClick=${show}>${pane ? t("station.callShow", { number: pane }) : t("station.callLook")}</button></section>`;
}
