// The choice of the station that this device is at, kept until another one is chosen; and why there
// is no station to show.
import { html, useEffect, useRef, useState } from "../../../vendor/ui.js";
import { api, Unreachable } from "../../core/api.js";
import { t } from "../../core/i18n.js";
import { byPosition, namesOf } from "../../core/station_names.js";
import { ConnectionPill } from "../../ui/connection.js";
import { explain, Fault } from "../../ui/fault.js";
import { Brand, Icon, Switches } from "../../ui/parts.js";
import { chosenStation } from "./kept.js";

const AGAIN_MS = 4000;
const ENDED = -1; // in the place of a timer
const KINDS = { 403: "notAllowed", 404: "unknown" };

export function Choose() {
  const [{ stations, error, retryAt }, setState] = useState({});
  const timer = useRef();
  const load = () => {
    clearTimeout(timer.current);
    api("/stations?limit=100").then(
      ({ data }) => setState({ stations: data.sort(byPosition) }),
      (failed) => {
        if (timer.current === ENDED) return;
        const isPassing = failed instanceof Unreachable || failed.status >= 500;
        if (isPassing) timer.current = setTimeout(load, AGAIN_MS);
        setState({ error: failed, retryAt: isPassing ? Date.now() + AGAIN_MS : undefined });
      },
    );
  };
  useEffect(() => {
    load();
    return () => {
      clearTimeout(timer.current);
      timer.current = ENDED;
    };
  }, []);
  if (error) return html`<${NoStation} error=${error} retryAt=${retryAt} onAgain=${load} />`;
  return html`<div class="station choose">
    <header><${Brand} href="/floor/" /><${ConnectionPill} /><${Switches} /></header>
    <main>
      <h1 tabindex="-1">${t("station.chooseTitle")}</h1>
      <p class="soft">${t("station.chooseHint")}</p>
      ${!stations && html`<p class="soft" role="status">${t("app.starting")}</p>`}
      ${stations?.length === 0 && html`<div class="empty"><${Icon} name="map-pin" />
        <p><strong>${t("station.noStations")}</strong><br />${t("station.noStationsHint")}</p></div>`}
      <ul>${stations?.map((one) => html`<${Place} key=${one._id} station=${one} />`)}</ul>
    </main>
  </div>`;
}

function Place({ station }) {
  const { _id, colorId, status } = station;
  const [first, second] = namesOf(station);
  const here = chosenStation() === _id;
  return html`<li><a href=${`/floor/s/${_id}`} data-color=${colorId}>
    <b>${first}</b>${second && html`<span>${second}</span>`}
    ${here && html`<em><${Icon} name="map-pin" />${t("station.chosen")}</em>`}
    ${status === "maintenance" && html`<em><${Icon} name="wrench" />${t("station.inMaintenance")}</em>`}
  </a></li>`;
}

/** Why there is none: unknown, not allowed, or no answer. */
export function NoStation({ error, retryAt, onAgain }) {
  const kind = KINDS[error.status];
  if (!kind)
    return html`<${Fault} text=${explain(error)} requestId=${error.requestId} retryAt=${retryAt}
    action=${t("fault.again")} onAgain=${onAgain} />`;
  return html`<main class="message failed">
    <${Icon} name=${kind === "unknown" ? "map-pin-off" : "lock"} />
    <h1 tabindex="-1">${t(`station.${kind}`)}</h1>
    <p>${t(`station.${kind}Hint`)}</p>
    <a class="main-button" href=${kind === "unknown" ? "/floor/s?choose" : "/floor/"}>
      <${Icon} name=${kind === "unknown" ? "map-pin" : "house"} />${t(kind === "unknown" ? "station.change" : "station.home")}</a>
  </main>`;
}
