// One station, or a new one.
import { html, useRef } from "../../../../vendor/ui.js";
import { api } from "../../../core/api.js";
import { t } from "../../../core/i18n.js";
import { may } from "../../../core/permissions.js";
import { idOf } from "../../../core/records.js";
import { query } from "../../../core/router.js";
import { Lazy } from "../../../ui/lazy.js";
import { Icon } from "../../../ui/parts.js";
import { Loaded, useResource } from "../../../ui/use_resource.js";
import { Back } from "../back.js";
import { KnownRecordPage } from "../known_record.js";
import { NewRecord, NewRecordPage } from "../record.js";
import { nameField } from "../same_name.js";
import { COLORS, MAINTENANCE, STATES } from "./states.js";

export const title = "stations.one";
export const styles = ["ui/station_colors", "pages/office/stations/stations"];

const OF_STATIONS = {
  section: "stations",
  resource: "stations",
  manage: "stations:manage",
  nameOf: ({ name }) => name,
};

const FROM_TEMPLATE = ["isCheckStation", "isCuttingStation"]; // what a new station takes from its template

const maintain = () => import("../calls/maintain.js");
const maintenance = () => import("../calls/maintenance.js");

/** Whether the worker is asked why a station is put under maintenance: by a call, in place of its status. */
const asksWhy = () => may("stations:manage") && may("panes:scan");

export default function StationForm({ id = "new" }) {
  if (id === "new") return html`<${NewStation} />`;
  return html`<${KnownRecordPage} ...${OF_STATIONS} event="station:updated" id=${id} populate="templateId" fields=${fields}
    back=${(record) => html`<${Back} section="stations" record=${record} />`}
    actions=${(station, load) => station.status !== MAINTENANCE && asksWhy() && html`<${Lazy} load=${maintain} station=${station} onDone=${load} />`}
    above=${(station) => station.status === MAINTENANCE && may("panes:view") && html`<${Maintenance} station=${station} />`}
    below=${({ _id }) => html`<p class="form-buttons">
      <a class="quiet-button" href=${`/floor/s/${_id}`}><${Icon} name="scan-line" />${t("stations.open")}</a>
      <a class="quiet-button" href=${`/floor/labels?stations=${_id}`}><${Icon} name="qr-code" />${t("stations.poster")}</a></p>`} />`;
}

/** Why and since when; its place is as high before that is read, so that the form does not move. */
const Maintenance = ({
  station,
}) => html`<section class="card maintenance" aria-labelledby="maintenance"><h2 id="maintenance">${t("stationsstate.maintenance")}</h2>
  <${Lazy} load=${maintenance} station=${station} /></section>`;

function NewStation() {
  const wanted = query.value.get("template");
  const start = useResource("new station", () => [() => readStart(wanted), {}, { fresh: true }]);
  const chosen = useRef(null); // the template, where another one was chosen
  const onChosen = (template, set) => {
    chosen.current = template;
    for (const name of FROM_TEMPLATE) set(name, template[name]);
  };
  const templateOf = ({ templateId }) => {
    const known = [chosen.current, start.value.template].find((one) => one?._id === idOf(templateId));
    return known ?? { _id: idOf(templateId) };
  };
  return html`<${NewRecordPage} section="stations" newTitle=${t("stations.new")}><${Loaded} of=${start}>${() => html`
    <${NewRecord} ...${OF_STATIONS} fields=${fields({ onChosen })}
      initial=${nextStation(start.value.stations, start.value.template)}
      another=${(...added) => nextStation([...added, ...start.value.stations], templateOf(added[0]))} />`}<//><//>`;
}

/** {stations, template}: what the next colour and position depend on, and the wanted or the oldest template. */
async function readStart(wanted) {
  const asked = ["/stations?limit=100&sort=-position&fields=position,colorId"];
  if (may("station_templates:view"))
    asked.push(`/station-templates?limit=1&sort=createdAt${wanted ? `&_id=${encodeURIComponent(wanted)}` : ""}`);
  const [stations, templates] = await Promise.all(asked.map((path) => api(path)));
  return { stations: stations.data, template: templates?.data[0] ?? (wanted ? { _id: wanted } : undefined) };
}

function fields({ name = "", status = MAINTENANCE, onChosen = undefined }) {
  const states = Object.keys(STATES).filter((one) => one !== MAINTENANCE || one === status || !asksWhy());
  return [
    nameField({
      resource: "stations",
      section: "stations",
      stored: name,
      label: t("field.name"),
      hint: t("stations.nameHint"),
    }),
    {
      name: "templateId",
      label: t("field.templateId"),
      kind: "reference",
      resource: "station-templates",
      required: true,
      hint: t("stations.templateHint"),
      onChosen,
    },
    {
      name: "position",
      label: t("field.stations.position"),
      kind: "number",
      min: 0,
      step: 1,
      hint: t("stations.positionHint"),
    },
    {
      name: "status",
      label: t("field.status"),
      kind: "select",
      required: true,
      hint: t("stations.statusHint"),
      options: states.map((value) => ({ value, label: t(`stationsstate.${value}`) })),
    },
    {
      name: "colorId",
      label: t("field.colorId"),
      kind: "custom",
      wide: true,
      draw: drawColors,
      show: (color) => t(`stationscolor.${color}`),
    },
    {
      name: "isLaminateStation",
      label: t("field.isLaminateStation"),
      kind: "checkbox",
      hint: t("stations.laminateHint"),
    },
    {
      name: "isCheckStation",
      label: t("field.isCheckStation"),
      kind: "checkbox",
      hint: t("stations.checkHint"),
    },
    {
      name: "isCuttingStation",
      label: t("field.isCuttingStation"),
      kind: "checkbox",
      hint: t("stations.cuttingHint"),
    },
    {
      name: "showWithdrawClaimActions",
      label: t("field.showWithdrawClaimActions"),
      kind: "checkbox",
      hint: t("stations.actionsHint"),
    },
    { name: "notes", label: t("field.notes"), kind: "textarea", wide: true },
  ];
}

function drawColors({ id, value, onChange, readOnly }) {
  return html`<div class="colors" id=${id} role="radiogroup" aria-label=${t("field.colorId")} tabindex="-1">
    ${COLORS.map((color) => html`<label key=${color} data-color=${color}><input type="radio" name="colorId"
      checked=${color === value} disabled=${readOnly} onChange=${() => onChange(color)} />
      <i></i>${t(`stationscolor.${color}`)}</label>`)}</div>`;
}

/**
 * The values of a station after `stations`: the first of the colours used least, the last position,
 * and what it takes from its template. The service knows that of a template that is not known here.
 */
export function nextStation(stations, template) {
  const uses = COLORS.map((color) => stations.filter(({ colorId }) => colorId === color).length);
  return {
    templateId: template?._id,
    position: Math.max(0, ...stations.map(({ position }) => position ?? 0)) + 1,
    colorId: COLORS[uses.indexOf(Math.min(...uses))],
    status: "online",
    isLaminateStation: false,
    ...Object.fromEntries(FROM_TEMPLATE.map((name) => [name, template?.[name]])),
    showWithdrawClaimActions: true,
  };
}
