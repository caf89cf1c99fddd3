// One rack with the panes on it, or a new one.
import { html } from "../../../../vendor/ui.js";
import { number, t } from "../../../core/i18n.js";
import { Icon } from "../../../ui/parts.js";
import { Table } from "../../../ui/table.js";
import { Loaded } from "../../../ui/use_resource.js";
import { KnownRecordPage } from "../known_record.js";
import { passportOf } from "../layout.js";
import { paneColumns, Rest, usePanesOf } from "../panes_of.js";
import { Station, Status } from "../parts.js";
import { NewRecord, NewRecordPage } from "../record.js";

export const title = "racks.one";
export const styles = ["ui/station_colors"];

const OF_RACKS = {
  section: "racks",
  resource: "racks",
  manage: "stations:manage",
  nameOf: ({ rackNumber }) => rackNumber,
};

export default function Rack({ id = "new" }) {
  if (id === "new")
    return html`<${NewRecordPage} section="racks" newTitle=${t("racks.new")}>
      <${NewRecord} ...${OF_RACKS} fields=${fields()} initial=${{}} another=${() => ({})} /><//>`;
  return html`<${KnownRecordPage} ...${OF_RACKS} event="rack:updated" id=${id} fields=${fields()}
    actions=${({ _id }) => html`<a class="quiet-button" href=${`/floor/labels?racks=${_id}`}><${Icon} name="qr-code" />${t("racks.label")}</a>`}
    above=${({ _id }) => html`<${Panes} key=${_id} id=${_id} />`} />`;
}

const fields = () => [
  { name: "name", label: t("field.name"), required: true, hint: t("racks.nameHint") },
  { name: "place", label: t("field.place"), hint: t("racks.placeHint") },
  { name: "notes", label: t("field.notes"), kind: "textarea", wide: true },
];

/** What is on the rack, live. */
function Panes({ id }) {
  const panes = usePanesOf("rack", id);
  const state = ({ currentStatus, currentStation }) =>
    html`<${Status} status=${currentStatus} /> ${currentStation && html`<${Station} station=${currentStation} />`}`;
  const columns = paneColumns()
    .filter(({ name }) => name !== "price")
    .map((one) => (one.name === "state" ? { ...one, cell: state } : one));
  return html`<section class="card" aria-labelledby="on-rack"><${Loaded} of=${panes}>${() => html`
    <h2 id="on-rack">${t("racks.panes", { count: number(panes.value.rows.length) })}</h2>
    ${panes.value.rows.length === 0 && html`<p class="soft">${t("racks.empty")}</p>`}
    ${panes.value.rows.length > 0 && html`<${Table} name="panes" label=${t("field.panes")} columns=${columns} rows=${panes.value.rows}
      href=${({ paneNumber }) => passportOf(paneNumber)} />`}
    <${Rest} panes=${panes.value} owner="rack" id=${id} />`}<//></section>`;
}
