// The dialogs in which a lot is moved, or its quantity corrected: said before it is done.
import { html } from "../../../../vendor/ui.js";
import { t } from "../../../core/i18n.js";
import { Dialog } from "../../../ui/dialog.js";
import { Form } from "../../../ui/form.js";
import { Icon } from "../../../ui/parts.js";
import { Preview, usePreview } from "../../../ui/use_preview.js";
import { isOneSheet, sum } from "./model.js";
import { amount, lotName } from "./parts.js";

/** `kind` is "move" or "correct"; `onDone(text)` is called with what was done. */
export default function LotDialog({ kind, ...shared }) {
  return kind === "move" ? html`<${Move} ...${shared} />` : html`<${Correct} ...${shared} />`;
}

function Move({ lot, unit, onDone, onClose }) {
  const path = `/inventories/${lot._id}/move`;
  const initial = { quantity: lot.quantity, toLocation: "", toStorageColor: lot.storageColor };
  const fields = [
    ...(isOneSheet(lot)
      ? []
      : [{ name: "quantity", label: t("field.quantity"), kind: "number", required: true, min: 0, unit }]),
    { name: "toLocation", label: t("stock.toPlace"), required: true },
    { name: "toStorageColor", label: t("field.storageColor") },
  ];
  const saved = ({ movedQuantity, target }) =>
    onDone(t("stock.moved", { amount: amount(movedQuantity, unit), lot: lotName(target) }));
  return html`<${Dialog} title=${t("stock.moveTitle", { lot: lotName(lot) })} onClose=${onClose}>
    <${Form} fields=${fields} path=${path} initial=${initial} toBody=${movedBody} submit=${t("stock.move")} onSaved=${saved}>
      ${({ values }) => html`<${MovePreview} path=${path} lot=${lot} unit=${unit} values=${values} />`}<//><//>`;
}

const movedBody = ({ quantity, toLocation, toStorageColor }) => ({
  quantity,
  toLocation,
  toStorageColor: toStorageColor ?? "",
});

function MovePreview({ path, lot, unit, values }) {
  const isComplete = values.quantity > 0 && values.toLocation?.trim();
  const asked = usePreview(`${path}/preview`, isComplete ? movedBody(values) : null, lot.version);
  return html`<${Preview} of=${asked} label=${t("stock.preview")} draw=${({ source, target, quantity }) => {
    const left = sum([source.quantity, -quantity]);
    const from = lotName(source);
    const place = [values.toLocation, values.toStorageColor].filter(Boolean).join(" · ");
    if (target?._id === source._id) return html`<p>${t("stock.moveWhole", { lot: from, place })}</p>`;
    const facts = { amount: amount(quantity, unit), from, left: amount(left, unit) };
    return html`<p>${t(left > 0 ? "stock.movePart" : "stock.moveAll", facts)}</p>
      <p>${target ? t("stock.moveJoin", { lot: lotName(target), before: amount(target.quantity, unit),
          after: amount(sum([target.quantity, quantity]), unit) })
        : t("stock.moveNew", { amount: amount(quantity, unit), place })}</p>`;
  }} />`;
}

function Correct({ lot, unit, onDone, onStale, onClose }) {
  const fields = [
    {
      name: "quantity",
      label: t("stock.counted"),
      kind: "number",
      required: true,
      min: 0,
      unit,
      show: (value) => amount(value, unit),
    },
    { name: "reason", label: t("form.reason"), required: true, wide: true, attributes: { maxlength: 1000 } },
  ];
  const check = ({ reason }) => (reason?.trim() ? {} : { reason: [t("stock.reasonMissing")] });
  const body = ({ quantity, reason }) => ({ quantity, reason });
  const saved = ({ inventoryNumber, quantity }) =>
    onDone(t("stock.corrected", { lot: inventoryNumber, amount: amount(quantity, unit) }));
  return html`<${Dialog} title=${t("stock.correctTitle", { lot: lotName(lot) })} onClose=${onClose}>
    <${Form} fields=${fields} record=${lot} path="/inventories" draft=${`/inventories/${lot._id} quantity`} toBody=${body} check=${check}
      onStale=${onStale} onSaved=${saved}>
      ${({ values }) => html`<section class="preview" aria-label=${t("stock.preview")} aria-live="polite">
        <${Icon} name="arrow-right" /><div><p>${corrected(lot, values, unit)}</p></div></section>`}<//><//>`;
}

function corrected(lot, { quantity }, unit) {
  const more = sum([quantity ?? lot.quantity, -lot.quantity]);
  if (more === 0) return t("stock.correctSame");
  return t(more > 0 ? "stock.correctUp" : "stock.correctDown", { amount: amount(Math.abs(more), unit) });
}
