// One material, or a new one; what there is of it.
import { html } from "../../../../vendor/ui.js";
import { api } from "../../../core/api.js";
import { t } from "../../../core/i18n.js";
import { may } from "../../../core/permissions.js";
import { Loaded, useResource } from "../../../ui/use_resource.js";
import { Back } from "../back.js";
import { numberList } from "../number_list.js";
import { RecordPage } from "../record.js";
import { nameField } from "../same_name.js";
import { Links, Lots } from "../lots/lots.js";
import { withEvent, withMaterial } from "../lots/model.js";
import { Level } from "../lots/parts.js";

export const title = "stock.material";
export const styles = ["ui/grid", "pages/office/stock/stock"];

export default function Material({ id = "new" }) {
  return html`<${RecordPage} section="materials" resource="materials" id=${id} event="material:updated"
    back=${(record) => html`<${Back} section="materials" record=${record} />`}
    manage="materials:manage" newTitle=${t("materials.new")} nameOf=${({ name }) => name} fields=${id === "new" ? fields({}) : fields}
    initial=${initial} another=${() => initial}
    below=${(material) => may("inventory:view") && html`<${Holding} key=${material._id} id=${material._id} />`} />`;
}

export const initial = { isActive: true, reorderPoint: 0 };

/** The fields of a material; of a new one, of {}. */
export function fields({ name = "" }) {
  const spec = (one, key) => ({ name: `specDetails.${one}`, label: t(key) });
  return [
    nameField({
      resource: "materials",
      section: "materials",
      about: "code",
      stored: name,
      label: t("field.name"),
      wide: true,
    }),
    { name: "unit", label: t("field.unit"), required: true, hint: t("materials.unitHint") },
    {
      name: "reorderPoint",
      label: t("field.reorderPoint"),
      kind: "number",
      min: 0,
      required: true,
      hint: t("materials.reorderHint"),
    },
    { name: "code", label: t("field.code") },
    { name: "brand", label: t("field.brand") },
    numberList({
      name: "sheetSizes",
      label: t("field.sheetSizes"),
      hint: t("materials.sizesHint"),
      columns: sizeColumns,
      add: t("materials.addSize"),
    }),
    { name: "isPatterned", label: t("field.isPatterned"), kind: "checkbox", hint: t("materials.patternedHint") },
    { name: "isCoated", label: t("field.isCoated"), kind: "checkbox", hint: t("materials.coatedHint") },
    spec("glassType", "field.glassType"),
    spec("color", "field.color"),
    spec("thickness", "field.thickness"),
    spec("width", "field.width"),
    spec("length", "materials.length"),
    spec("dimensionUnit", "materials.dimensionUnit"),
    spec("sqft", "materials.sqft"),
    { name: "isActive", label: t("field.isActive"), kind: "checkbox", hint: t("materials.inactiveHint") },
  ];
}

const sizeColumns = () => ["width", "height"].map((name) => ({ name, title: t(`field.${name}`) }));

const change = (apply) => (row, payload, readAgain) => {
  const rows = apply([row], payload);
  if (!rows || rows[0] === row) return row;
  readAgain();
  return rows[0];
};

/** The stock of a material, live. */
function Holding({ id }) {
  const holding = useResource(`stock of ${id}`, () => [
    async () => (await api(`/materials/${id}/stock`)).data,
    { "inventory:updated": change(withEvent), "material:updated": change(withMaterial) },
  ]);
  return html`<section class="card holding" aria-labelledby="stock"><${Loaded} of=${holding}>${() => html`
    <header><h2 id="stock">${t("office.stock")}</h2>
      <${Level} material=${holding.value} /><${Links} material=${holding.value} /></header>
    ${holding.value.lots.length === 0 ? html`<p class="soft">${t("stock.noLots")}</p>`
      : html`<${Lots} material=${holding.value} from="material" onChange=${holding.load} />`}`}<//></section>`;
}
