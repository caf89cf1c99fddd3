// One station, or a new one.
import { html } from "../../../../vendor/ui.js";
import { addTexts, t } from "../../../core/i18n/index.js";
import { query } from "../../../core/router.js";
import { Icon } from "../../../ui/parts.js";
import { Back } from "../back.js";
import { RecordPage } from "../record.js";
import { nameField } from "../same_name.js";
import { COLORS, STATES } from "./states.js";
import { texts } from "./texts.js";

addTexts(texts);

export const title = "stations.one";
export const styles = ["office", "records", "station_colors", "stations"];

export default function StationForm({ id = "new" }) {
  return html`<${RecordPage} section="stations" resource="stations" event="station:updated" id=${id} populate="templateId"
    back=${(record) => html`<${Back} section="stations" record=${record} />`}
    manage="stations:manage" newTitle=${t("stations.new")} nameOf=${({ name }) => name} fields=${id === "new" ? fields({}) : fields}
    initial=${{ templateId: query.value.get("template"), colorId: "sky", status: "online", isLaminateStation: false, showWithdrawClaimActions: true }}
    below=${({ _id }) => html`<p class="form-buttons">
      <a class="quiet-button" href=${`/floor/s/${_id}`}><${Icon} name="scan-line" />${t("stations.open")}</a>
      <a class="quiet-button" href=${`/floor/labels?stations=${_id}`}><${Icon} name="qr-code" />${t("stations.poster")}</a></p>`} />`;
}

function fields({ name = "" }) {
  return [
    nameField({
      resource: "stations",
      section: "stations",
      stored: name,
      label: t("stations.name"),
      hint: t("stations.nameHint"),
    }),
    {
      name: "templateId",
      label: t("stations.template"),
      kind: "reference",
      resource: "station-templates",
      required: true,
    },
    {
      name: "position",
      label: t("stations.position"),
      kind: "number",
      min: 0,
      step: 1,
      hint: t("stations.positionHint"),
    },
    {
      name: "status",
      label: t("stations.status"),
      kind: "select",
      required: true,
      hint: t("stations.statusHint"),
      options: Object.keys(STATES).map((value) => ({ value, label: t(`stationsstate.${value}`) })),
    },
    {
      name: "colorId",
      label: t("stations.color"),
      kind: "custom",
      wide: true,
      draw: drawColors,
      show: (color) => t(`stationscolor.${color}`),
    },
    { name: "isLaminateStation", label: t("stations.laminate"), kind: "checkbox", hint: t("stations.laminateHint") },
    {
      name: "showWithdrawClaimActions",
      label: t("stations.actions"),
      kind: "checkbox",
      hint: t("stations.actionsHint"),
    },
    { name: "notes", label: t("stations.notes"), kind: "textarea", wide: true },
  ];
}

function drawColors({ id, value, onChange, readOnly }) {
  return html`<div class="colors" id=${id} role="radiogroup" aria-label=${t("stations.color")} tabindex="-1">
    ${COLORS.map((color) => html`<label key=${color} data-color=${color}><input type="radio" name="colorId"
      checked=${color === value} disabled=${readOnly} onChange=${() => onChange(color)} />
      <i></i>${t(`stationscolor.${color}`)}</label>`)}</div>`;
}
