// One template of stations, or a new one.
import { html } from "../../../../vendor/ui.js";
import { api } from "../../../core/api.js";
import { addTexts, t } from "../../../core/i18n/index.js";
import { may } from "../../../core/permissions.js";
import { idOf } from "../../../core/records.js";
import { Icon } from "../../../ui/parts.js";
import { Loaded, useResource } from "../../../ui/use_resource.js";
import { OFFICE } from "../layout.js";
import { Empty, Station } from "../parts.js";
import { RecordPage } from "../record.js";
import { nameField } from "../same_name.js";
import { actionsOf, parseSchema, textOf } from "./schema.js";
import { texts } from "./texts.js";

addTexts(texts);

export const title = "templates.one";
export const styles = ["office", "records", "station_colors", "templates"];

export default function Template({ id = "new" }) {
  return html`<${RecordPage} section="station-templates" resource="station-templates" event="station-template:updated" id=${id}
    manage="station_templates:manage" newTitle=${t("templates.new")} nameOf=${({ name }) => name} fields=${id === "new" ? fields({}) : fields}
    initial=${initial} check=${check} toBody=${toBody}
    below=${(template) => html`<${Steps} template=${template} /><${Stations} id=${template._id} />`} />`;
}

/** The fields of a template; of a new one, of {}. */
export function fields({ name = "" }) {
  return [
    nameField({
      resource: "station-templates",
      section: "station-templates",
      stored: name,
      label: t("templates.name"),
      hint: t("templates.nameHint"),
    }),
    {
      name: "uiSchema",
      label: t("templates.schema"),
      kind: "custom",
      wide: true,
      hint: t("templates.schemaHint"),
      draw: drawSchema,
      show: textOf,
    },
  ];
}

function drawSchema({ value, values, onChange, ...shared }) {
  const lines = textOf(value).split("\n").length; // where there is no layout, its hint is in sight
  return html`<textarea class="code" rows=${Math.min(14, lines + 3)} spellcheck="false" ...${shared} value=${textOf(value)}
    onInput=${(event) => onChange(event.target.value)}></textarea>`;
}

export const initial = { uiSchema: {} };

/** Faults that the service would not find. */
export function check({ uiSchema }) {
  try {
    parseSchema(uiSchema);
    return {};
  } catch {
    return { uiSchema: [t("templates.noObject")] };
  }
}

/** The fields that are sent: all of a new template, or the changed ones. */
export function toBody(values, changed) {
  const body = values._id ? changed : values;
  return "uiSchema" in body ? { ...body, uiSchema: parseSchema(body.uiSchema) } : body;
}

function Steps({ template }) {
  const steps = actionsOf(template);
  return (
    steps.length > 0 &&
    html`<section class="card" aria-labelledby="steps"><h2 id="steps">${t("templates.steps")}</h2>
    <ol class="template-steps">${steps.map((step) => html`<li key=${step}>${step}</li>`)}</ol></section>`
  );
}

function Stations({ id }) {
  const stations = useResource(`stations of template ${id}`, () => [
    async () => (await api(`/stations?templateId=${id}&limit=100&sort=position`)).data,
    {
      "station:updated": (rows, { data }) =>
        idOf(data.templateId) === id || rows.some(({ _id }) => _id === data._id) ? undefined : rows,
    },
  ]);
  return html`<section class="card template-stations" aria-labelledby="stations"><h2 id="stations">${t("templates.stations")}</h2>
    <${Loaded} of=${stations}>${() => stations.value.length
      ? html`<ul>${stations.value.map((one) => html`<li key=${one._id}><a href=${`${OFFICE}/stations/${one._id}?from=template`}><${Station} station=${one} /></a></li>`)}</ul>`
      : html`<${Empty} icon="map-pin" title=${t("templates.noStations")} hint=${t("templates.noStationsHint")} />`}<//>
    ${may("stations:manage") && html`<div class="form-buttons"><a class="quiet-button new" href=${`${OFFICE}/stations/new?template=${id}`}>
      <${Icon} name="plus" />${t("templates.newStation")}</a></div>`}</section>`;
}
