// The choice of the station that this device is at; kept until another one is chosen.
import { html, useEffect, useState } from "../../../vendor/ui.js";
import { api } from "../../core/api.js";
import { t } from "../../core/i18n.js";
import { byPosition, namesOf } from "../../core/station_names.js";
import { Brand, Icon, Switches } from "../../ui/parts.js";
import { ConnectionPill } from "../../ui/connection.js";
import { chosenStation } from "./kept.js";
import { NoStation } from "./no_station.js";

export function Choose() {
  const [{ stations, error }, setState] = useState({});
  const load = () =>
    api("/stations?limit=100").then(
      ({ data }) => setState({ stations: data.sort(byPosition) }),
      (failed) => setState({ error: failed }),
    );
  useEffect(() => void load(), []);
  if (error) return html`<${NoStation} error=${error} onAgain=${load} />`;
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
