// The racks, and where each one was scanned last.
import { html } from "../../../../vendor/ui.js";
import { t } from "../../../core/i18n.js";
import { may } from "../../../core/permissions.js";
import { Icon } from "../../../ui/parts.js";
import { ListPage } from "../list_page.js";
import { Station } from "../parts.js";
import { stationOptions } from "../station_options.js";

export const title = "office.racks";
export const styles = ["ui/station_colors"];

export default function Racks() {
  return html`<${ListPage} section="racks" icon="package" create="stations:manage" newTitle=${t("racks.new")} hint=${t("racks.hint")}
    resource="racks" event="rack:updated" sort="rackNumber" columns=${columns()} filters=${filters()}
    rowName=${({ rackNumber }) => rackNumber}>
    <p><a class="quiet-button" href="/floor/labels?racks=all"><${Icon} name="qr-code" />${t("racks.labels")}</a></p>
  <//>`;
}

const filters = () => [{ name: "station", label: t("field.station"), options: stationOptions() }];

export function columns() {
  return [
    {
      name: "number",
      title: t("field.rackNumber"),
      width: "110px",
      fields: "rackNumber",
      sort: "rackNumber",
      cell: ({ rackNumber }) => html`<strong>${rackNumber}</strong>`,
    },
    { name: "name", title: t("field.name"), width: "2fr", fields: "name", sort: "name", cell: ({ name }) => name },
    {
      name: "place",
      title: t("field.place"),
      width: "2fr",
      fields: "place",
      sort: "place",
      cell: ({ place }) => place,
    },
    {
      name: "station",
      title: t("racks.station"),
      width: "2fr",
      fields: "station",
      sort: may("stations:view") && ["station", "position"].join("."),
      cell: ({ station }) => station && html`<${Station} station=${station} />`,
    },
  ];
}
