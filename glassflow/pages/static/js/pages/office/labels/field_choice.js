// A list of the fields that labels can show, each with its value in the preview.
import { html } from "../../../../vendor/ui.js";
import { t } from "../../../core/i18n.js";

const MOST_SHOWN = 24; // characters of a value
const GROUPS = {
  pane: ["paneNumber", "qrCode", "mark", "sheetLabel", "parentPane.paneNumber", "stationName", "notes"],
  glass: [
    "width",
    "height",
    "thickness",
    "dimensionTolerance",
    "cornerSpec",
    "glassTypeLabel",
    "glassType",
    "color",
    "sheetsPerPane",
    "materialName",
    "jobType",
  ],
  order: ["orderNumber", "requestNumber", "customerName", "deliveryLocation"],
};

// The fields of other records that a label shows.
const OF_OTHERS = {
  "parentPane.paneNumber": "parentPane",
  stationName: "station",
  materialName: "material",
  customerName: "customer",
};

/** The name of a field in words. */
export const fieldName = (name) => t(`field.${OF_OTHERS[name] ?? name}`);

export function FieldChoice({ id, label, fields, disabled, onChoose }) {
  const values = new Map(fields.map(({ name, value }) => [name, value]));
  const example = (name) => {
    const text = values.get(name) || "–";
    return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
  };
  const choose = (event) => {
    if (event.target.value) onChoose(event.target.value);
    event.target.value = "";
  };
  return html`<select id=${id} class="field-choice" aria-label=${label} disabled=${disabled || !fields.length} onChange=${choose}>
    <option value="">${label}</option>
    ${Object.entries(GROUPS).map(([group, names]) => html`<optgroup key=${group} label=${t(`stickergroup.${group}`)}>
      ${names.filter((name) => values.has(name)).map((name) => html`<option key=${name} value=${name}>${fieldName(name)} · ${example(name)}</option>`)}
    </optgroup>`)}</select>`;
}
