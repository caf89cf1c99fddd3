// One lot, or a new one: stock that is taken in.
import { html } from "../../../../vendor/ui.js";
import { t } from "../../../core/i18n.js";
import { idOf } from "../../../core/records.js";
import { may } from "../../../core/permissions.js";
import { query } from "../../../core/router.js";
import { withoutEmpty } from "../../../ui/form_values.js";
import { Lazy } from "../../../ui/lazy.js";
import { Icon } from "../../../ui/parts.js";
import { Back } from "../back.js";
import { OFFICE } from "../layout.js";
import { numberList } from "../number_list.js";
import { RecordPage } from "../record.js";
import { LotActions } from "../lots/actions.js";
import { isRemnant } from "../lots/model.js";
import { amount, kindOf, stockTypes } from "../lots/parts.js";

export const title = "stock.lot";
export const styles = ["ui/preview", "ui/grid", "ui/drawing", "pages/office/stock/stock"];

const sheet = () => import("./sheet.js");

export default function Lot({ id = "new" }) {
  const isNew = id === "new";
  return html`<${RecordPage} section="stock" resource="inventories" id=${id} event="inventory:updated" populate="material,parentLot"
    back=${(record) => html`<${Back} section="stock" record=${record} />`}
    manage="inventory:manage" newTitle=${t("stock.takeIn")} nameOf=${({ inventoryNumber }) => inventoryNumber}
    initial=${{ stockType: "Raw", material: query.value.get("material") }} draft=${isNew ? `/inventories ${query.value.get("material")}` : undefined}
    submit=${isNew ? t("stock.takeIn") : undefined} fields=${isNew ? newFields() : fields}
    toValues=${withoutZeros} toBody=${isNew ? newBody : (_, changed) => withZeros(changed)}
    actions=${({ _id }) => html`<a class="quiet-button" href=${`/floor/labels?lots=${_id}`}><${Icon} name="qr-code" />${t("stock.label")}</a>`}
    below=${(lot, load) => html`<${Below} lot=${lot} load=${load} />`} />`;
}

// A lot has no own size where the service says 0: the fields are empty.
const withoutZeros = (lot) => ({
  ...lot,
  dimensions: { width: lot.dimensions.width || null, height: lot.dimensions.height || null },
});

const withZeros = ({ dimensions, ...changed }) =>
  dimensions ? { ...changed, dimensions: { width: dimensions.width ?? 0, height: dimensions.height ?? 0 } } : changed;

const newBody = (values) => withoutEmpty({ ...values, ...(isRemnant(values) && { quantity: 1 }) });

const place = () => [
  { name: "location", label: t("field.location"), required: true },
  { name: "storageColor", label: t("field.storageColor") },
];

const size = () => {
  const side = { kind: "number", min: 0, unit: t("panes.mm") };
  const isShown = ({ dimensions, defects }) => dimensions?.width > 0 || dimensions?.height > 0 || defects?.length > 0;
  const titles = { x: "stock.fromLeft", y: "stock.fromBelow", width: "field.width", height: "field.height" };
  const cells = Object.entries(titles).map(([name, key]) => ({ name, title: t(key), width: "60px" }));
  return [
    { name: "dimensions.width", label: t("stock.width"), hint: t("stock.sizeHint"), ...side },
    { name: "dimensions.height", label: t("stock.height"), ...side },
    numberList({
      name: "defects",
      label: t("field.defects"),
      hint: t("stock.defectsHint"),
      isShown,
      columns: () => cells,
      add: t("stock.addDefect"),
      below: ({ dimensions, defects }) =>
        html`<${Lazy} load=${sheet} dimensions=${dimensions} defects=${defects ?? []} />`,
    }),
  ];
};

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
    { name: "quantity", label: t("field.quantity"), kind: "custom", required: true, draw: quantity },
    ...place(),
    ...size(),
    { name: "reason", label: t("stock.source"), wide: true, attributes: { maxlength: 1000 } },
  ];
}

/** The quantity that is taken in; of a remnant, the one sheet that it is. */
function quantity({ value, values, onChange, set, readOnly, ...shared }) {
  const isOne = isRemnant(values);
  return html`<input type="number" inputmode="decimal" min="0" step="any" value=${isOne ? 1 : (value ?? "")} readOnly=${readOnly || isOne}
    onInput=${({ target }) => onChange(target.value === "" ? null : Number(target.value))} ...${shared} />
    ${isOne && html`<small>${t("stock.oneSheet")}</small>`}`;
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
    ...size(),
    { name: "isActive", label: t("field.isActive"), kind: "checkbox", hint: t("stock.inactiveHint") },
  ];
}

function Below({ lot, load }) {
  const material = idOf(lot.material);
  const { parentLot } = lot;
  return html`<section class="card lot-now" aria-label=${t("field.quantity")}>
    <p class="level"><strong>${amount(lot.quantity, lot.material?.unit)}</strong>
      <span class="soft">${kindOf(lot)}</span>
      ${parentLot?.inventoryNumber && html`<span>${t("stock.cutFrom")} <a href=${`${OFFICE}/stock/${parentLot._id}`}>${parentLot.inventoryNumber}</a></span>`}</p>
    <${LotActions} lot=${lot} unit=${lot.material?.unit} readAgain=${load} />
    ${may("withdrawals:create") && lot.isActive && lot.quantity > 0 && html`<a class="quiet-button"
      href=${`${OFFICE}/withdrawals/new?material=${material}&type=${lot.stockType}&lot=${lot._id}`}>
      <${Icon} name="package-minus" />${t("stock.withdraw")}</a>`}
    ${may("material_logs:view") && html`<a class="quiet-button" href=${`${OFFICE}/materials/${material}/book?inventory=${lot._id}`}>
      <${Icon} name="file-text" />${t("book.page")}</a>`}
  </section>`;
}
