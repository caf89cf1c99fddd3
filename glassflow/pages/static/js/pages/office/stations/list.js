// The stations, in the order of the boards.
import { html } from "../../../../vendor/ui.js";
import { api } from "../../../core/api.js";
import { number, t } from "../../../core/i18n.js";
import { may } from "../../../core/permissions.js";
import { Lazy } from "../../../ui/lazy.js";
import { Icon } from "../../../ui/parts.js";
import { useResource } from "../../../ui/use_resource.js";
import { OFFICE } from "../layout.js";
import { ListPage } from "../list_page.js";
import { Station } from "../parts.js";
import { MAINTENANCE, STATES } from "./states.js";

export const title = "office.stations";
export const styles = ["ui/station_colors", "pages/office/stations/stations"];

const since = () => import("../calls/maintenance.js").then(({ Since }) => ({ default: Since }));

export default function Stations() {
  const states = Object.keys(STATES).map((value) => ({ value, label: t(`stationsstate.${value}`) }));
  const first = html`<${FirstStation} />`;
  return html`<${ListPage} section="stations" icon="map-pin" create="stations:manage"
    newTitle=${t("stations.new")} hint=${first} resource="stations" event="station:updated"
    sort="position" populate="templateId" columns=${columns()}
    filters=${[{ name: "status", label: t("field.status"), options: states }]}>
    <p><a class="quiet-button" href="/floor/labels?stations=all"><${Icon} name="qr-code" />${t("stations.posters")}</a></p>
  <//>`;
}

/** What comes first: a template, without which there is no station. */
function FirstStation() {
  const templates = useResource("whether there are station templates", () => [
    async () => (may("station_templates:view") ? (await api("/station-templates?limit=1")).pagination.total : null),
    { "station-template:updated": () => undefined },
  ]);
  if (templates.value !== 0) return t("stations.hint");
  return html`${t("stations.templateFirst")}
    ${may("station_templates:manage") && html` <a href=${`${OFFICE}/station-templates/new`}>${t("stations.addTemplate")}</a>`}`;
}

export function columns() {
  return [
    {
      name: "position",
      title: t("field.stations.position"),
      width: "110px",
      sort: "position",
      cell: ({ position }) => position != null && number(position),
    },
    {
      name: "name",
      title: t("field.name"),
      width: "2fr",
      sort: "name",
      cell: (station) => html`<strong><${Station} station=${station} /></strong>`,
    },
    {
      name: "template",
      title: t("field.templateId"),
      width: "1fr",
      fields: "templateId",
      sort: may("station_templates:view") && "templateId.name",
      cell: ({ templateId }) => templateId?.name,
    },
    {
      name: "laminates",
      title: t("field.isLaminateStation"),
      width: "140px",
      fields: "isLaminateStation",
      sort: "isLaminateStation",
      cell: ({ isLaminateStation }) =>
        isLaminateStation && html`<span class="status"><${Icon} name="layers" />${t("field.isLaminateStation")}</span>`,
    },
    {
      name: "status",
      title: t("field.status"),
      width: "1fr",
      fields: "status",
      sort: "status",
      cell: ({ _id, status }) => html`<span><span class="status"
        data-status=${STATES[status].like}><${Icon} name=${STATES[status].icon} />${t(`stationsstate.${status}`)}</span>
        ${status === MAINTENANCE && may("panes:view") && html`<${Lazy} load=${since} station=${_id} />`}</span>`,
    },
    {
      name: "notes",
      title: t("field.notes"),
      width: "2fr",
      hidden: true,
      fields: "notes",
      sort: "notes",
      cell: ({ notes }) => notes,
    },
  ];
}
