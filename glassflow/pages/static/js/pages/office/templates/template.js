// One template of stations, or a new one.
import { html } from "../../../../vendor/ui.js";
import { api } from "../../../core/api.js";
import { t } from "../../../core/i18n.js";
import { may } from "../../../core/permissions.js";
import { idOf } from "../../../core/records.js";
import { Icon } from "../../../ui/parts.js";
import { Loaded, useResource } from "../../../ui/use_resource.js";
import { OFFICE } from "../layout.js";
import { Empty, Station } from "../parts.js";
import { RecordPage } from "../record.js";
import { nameField } from "../same_name.js";
import { Choice, Columns, drawText, isText, member, Rest, Ticks } from "./layout_fields.js";
import { ACTIONS, actionWord, COLUMNS, isLayout, LAYOUTS, schemaOf, textOf, wordOf } from "./schema.js";

export const title = "templates.one";
export const styles = ["ui/station_colors", "pages/office/templates/templates"];

export default function Template({ id = "new" }) {
  return html`<${RecordPage} section="station-templates" resource="station-templates" event="station-template:updated" id=${id}
    manage="station_templates:manage" newTitle=${t("templates.new")} nameOf=${({ name }) => name} fields=${id === "new" ? fields({}) : fields}
    initial=${initial} check=${check} toBody=${toBody} below=${({ _id }) => html`<${Stations} id=${_id} />`} />`;
}

/** What a new template begins with. */
export const initial = { isCheckStation: false, isCuttingStation: false, uiSchema: {} };

/** The fields of a template, as `Form` takes them. */
export function fields({ name = "" }) {
  const steps = ACTIONS.map((value) => ({ value, label: actionWord(value) }));
  const columns = COLUMNS.map((value) => ({ value, label: t(`field.${value}`) }));
  const layouts = LAYOUTS.map((value) => ({
    value,
    label: t(`templateslayout.${value}`),
    hint: t(`templateshint.${value}`),
  }));
  const offered = ({ uiSchema }) => steps.filter(({ value }) => [uiSchema?.actions].flat().includes(value));
  const plain = { label: t("templateslayout.none"), hint: t("templateshint.none") };
  return [
    nameField({
      resource: "station-templates",
      section: "station-templates",
      stored: name,
      label: t("templates.name"),
      hint: t("templates.nameHint"),
    }),
    {
      name: "isCheckStation",
      label: t("field.isCheckStation"),
      kind: "checkbox",
      hint: t("templates.checkHint"),
    },
    {
      name: "isCuttingStation",
      label: t("field.isCuttingStation"),
      kind: "checkbox",
      hint: t("templates.checkHint"),
    },
    {
      name: "uiSchema.title",
      label: t("templates.title"),
      kind: "custom",
      hint: t("templates.titleHint"),
      draw: member(isText, drawText),
    },
    choice(
      "layout",
      t("templates.layout"),
      layouts,
      isText,
      (field) => html`<${Choice} ...${field} options=${[plain, ...layouts]} />`,
    ),
    {
      ...choice(
        "actions",
        t("templates.actions"),
        steps,
        Array.isArray,
        (field) => html`<${Ticks} ...${field} options=${steps} order=${ACTIONS} />`,
      ),
      hint: t("templates.actionsHint"),
    },
    {
      ...choice(
        "batch",
        t("templates.batch"),
        steps,
        Array.isArray,
        (field) => html`<${Ticks} ...${field} options=${offered(field.values)} order=${ACTIONS} />`,
      ),
      isShown: (values) => offered(values).length > 0 || Boolean(schemaOf(values).batch),
    },
    {
      ...choice(
        "columns",
        t("templates.columns"),
        columns,
        Array.isArray,
        (field) => html`<${Columns} ...${field} options=${columns} />`,
      ),
      hint: t("templates.columnsHint"),
    },
    {
      name: "uiSchema",
      label: t("templates.schema"),
      kind: "custom",
      wide: true,
      draw: (field) => html`<${Rest} ...${field} />`,
      show: textOf,
    },
  ];
}

/** The field of a member that is chosen from `options`, which also say it in words. */
function choice(name, label, options, fits, draw) {
  const word = (value) => options.find((one) => one.value === value)?.label ?? wordOf(value);
  return {
    name: `uiSchema.${name}`,
    label,
    kind: "custom",
    wide: true,
    options,
    show: (value) => [value ?? []].flat().map(word).join(", ") || "–",
    draw: member(fits, (field) => draw({ ...field, label })),
  };
}

/** The faults of what was typed. */
export function check({ uiSchema }) {
  return isLayout(uiSchema) ? {} : { uiSchema: [t("templates.noObject")] };
}

/** The fields that are sent: all of a new template, or the changed ones. */
export function toBody(values, changed) {
  return values._id ? changed : values;
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
