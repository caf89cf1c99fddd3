// A new withdrawal: which lots it takes from is shown before it is made.
import { html, useEffect, useState } from "../../../../vendor/ui.js";
import { t } from "../../../core/i18n.js";
import { may } from "../../../core/permissions.js";
import { go, query } from "../../../core/router.js";
import { onEvent, gapCount } from "../../../core/events.js";
import { Form } from "../../../ui/form.js";
import { Icon } from "../../../ui/parts.js";
import { Reference } from "../../../ui/reference.js";
import { Preview, usePreview } from "../../../ui/use_preview.js";
import { useRecord } from "../../../ui/use_record.js";
import { Head, Office, OFFICE } from "../layout.js";
import { useFirstField } from "../use_first_field.js";
import { amount, lotName, stockTypes } from "../lots/parts.js";
import "./parts.js";

export const title = "withdrawals.new";
export const styles = ["ui/preview", "pages/office/stock/stock"];

export default function NewWithdrawal() {
  const given = query.value;
  const initial = {
    stockType: given.get("type") ?? "Raw",
    material: given.get("material"),
    inventory: given.get("lot"),
    order: given.get("order"),
  };
  useFirstField(initial.material ? "field-quantity" : "field-material");
  return html`<${Office}><${Head}>
      <a class="back" href=${`${OFFICE}/withdrawals`}><${Icon} name="arrow-left" />${t("office.withdrawals")}</a>
      <h1 tabindex="-1">${t("withdrawals.new")}</h1><//>
    <section class="card"><${Form} fields=${fields()} path="/withdrawals" draft=${`/withdrawals ${given}`} initial=${initial}
      readOnly=${!may("withdrawals:create")} submit=${t("stock.withdraw")}
      onSaved=${({ _id }) => go(`${OFFICE}/withdrawals/${_id}`)}>
      ${({ values }) => html`<${Taken} values=${values} />`}<//></section><//>`;
}

/** The lot that is asked for: of the material and type that are chosen. */
export const lotField = () => ({
  name: "inventory",
  label: t("withdrawals.lot"),
  kind: "custom",
  hint: t("withdrawals.lotHint"),
  draw: ({
    value,
    values,
    onChange,
    ...shared
  }) => html`<${Reference} resource="inventories" value=${value} nameOf=${lotName}
    query=${{ material: values.material?._id ?? values.material ?? "", stockType: values.stockType ?? "", isActive: true, quantity_gt: 0 }}
    onChange=${onChange} shared=${shared} />`,
});

export const quantityField = () => ({
  name: "quantity",
  label: t("field.quantity"),
  kind: "number",
  min: 1,
  step: 1,
  required: true,
});

export const orderField = () => ({
  name: "order",
  label: t("field.order"),
  kind: "reference",
  resource: "orders",
  nameOf: ({ orderNumber }) => orderNumber,
});

function fields() {
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
    quantityField(),
    ...(may("inventory:view") ? [lotField()] : []),
    ...(may("orders:view") ? [orderField()] : []),
    ...(may("withdrawals:manage") && may("workers:view")
      ? [
          {
            name: "withdrawnBy",
            label: t("field.withdrawnBy"),
            kind: "reference",
            resource: "workers",
            query: { isActive: true },
            hint: t("withdrawals.byHint"),
          },
        ]
      : []),
    { name: "notes", label: t("field.notes"), kind: "textarea", wide: true },
  ];
}

/** What will be taken, from which lots, and what is left then. */
function Taken({ values: { material, quantity, stockType, inventory } }) {
  const known = useRecord("materials", material ?? "", "material:updated").value;
  const body =
    material && quantity > 0 && stockType ? { material, quantity, stockType, inventory: inventory ?? null } : null;
  const asked = usePreview("/withdrawals/preview", body, useChangesOfStock());
  const unit = known?._id === material ? known.unit : "";
  return html`<${Preview} of=${asked} label=${t("stock.preview")} draw=${({ allocations, left, isLow }) => html`
    <p>${t("withdrawals.takes")}</p>
    <ul class="allocations">${allocations.map(({ inventory: lot, quantity: part }) => html`<li key=${lot._id ?? lot}>
      <strong>${amount(part, unit)}</strong> <span>${lot._id ? lotName(lot) : t("withdrawals.anyLot")}</span></li>`)}</ul>
    <p>${t("withdrawals.left", { amount: amount(left, unit) })}
      ${isLow && html` <span class="low"><${Icon} name="triangle-alert" />${t("withdrawals.willBeLow")}</span>`}</p>`} />`;
}

/** How often the stock has changed, or may have, since the page was opened. */
function useChangesOfStock() {
  const [count, setCount] = useState(0);
  useEffect(() => onEvent("inventory:updated", () => setCount((before) => before + 1)), []);
  return count + gapCount.value;
}
