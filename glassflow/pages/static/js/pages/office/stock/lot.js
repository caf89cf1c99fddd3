// One lot, or a new one: stock that is taken in.
import { html } from "../../../../vendor/ui.js";
import { t } from "../../../core/i18n.js";
import { idOf } from "../../../core/records.js";
import { may } from "../../../core/permissions.js";
import { query } from "../../../core/router.js";
import { Icon } from "../../../ui/parts.js";
import { Back } from "../back.js";
import { OFFICE } from "../layout.js";
import { RecordPage } from "../record.js";
import { LotActions } from "../lots/actions.js";
import { amount, stockTypes } from "../lots/parts.js";

export const title = "stock.lot";
export const styles = ["ui/preview", "pages/office/stock/stock"];

export default function Lot({ id = "new" }) {
  const isNew = id === "new";
  return html`<${RecordPage} section="stock" resource="inventories" id=${id} event="inventory:updated" populate="material"
    back=${(record) => html`<${Back} section="stock" record=${record} />`}
    manage="inventory:manage" newTitle=${t("stock.takeIn")} nameOf=${({ inventoryNumber }) => inventoryNumber}
    initial=${{ stockType: "Raw", material: query.value.get("material") }} draft=${isNew ? `/inventories ${query.value.get("material")}` : undefined}
    submit=${isNew ? t("stock.takeIn") : undefined} fields=${isNew ? newFields() : fields} below=${(lot, load) => html`<${Below} lot=${lot} load=${load} />`} />`;
}

const place = () => [
  { name: "location", label: t("field.location"), required: true },
  { name: "storageColor", label: t("field.storageColor") },
];

function newFields() {
  return [
    {
      name: "material",
      label: t("field.material"),
      kind: "reference",
      resource: "materials",
      query: { isActive: true },
      required: true,
      wide: true,
    },
    { name: "stockType", label: t("field.stockType"), kind: "select", options: stockTypes(), required: true },
    { name: "quantity", label: t("field.quantity"), kind: "number", min: 0, required: true },
    ...place(),
    { name: "reason", label: t("stock.source"), wide: true, attributes: { maxlength: 1000 } },
  ];
}

function fields({ material }) {
  return [
    {
      name: "material",
      label: t("field.material"),
      kind: "custom",
      readOnly: true,
      draw: ({ id }) => html`<input id=${id} readonly value=${material?.name ?? "–"} />`,
    },
    { name: "stockType", label: t("field.stockType"), kind: "select", options: stockTypes(), required: true },
    ...place(),
    { name: "isActive", label: t("field.isActive"), kind: "checkbox", hint: t("stock.inactiveHint") },
  ];
}

function Below({ lot, load }) {
  const material = idOf(lot.material);
  return html`<section class="card lot-now" aria-label=${t("field.quantity")}>
    <p class="level"><strong>${amount(lot.quantity, lot.material?.unit)}</strong></p>
    <${LotActions} lot=${lot} unit=${lot.material?.unit} readAgain=${load} />
    ${may("withdrawals:create") && lot.isActive && lot.quantity > 0 && html`<a class="quiet-button"
      href=${`${OFFICE}/withdrawals/new?material=${material}&type=${lot.stockType}&lot=${lot._id}`}>
      <${Icon} name="package-minus" />${t("stock.withdraw")}</a>`}
    ${may("material_logs:view") && html`<a class="quiet-button" href=${`${OFFICE}/materials/${material}/book?inventory=${lot._id}`}>
      <${Icon} name="file-text" />${t("book.page")}</a>`}
  </section>`;
}
