// Parts of the pages about stock: quantities, the sign of a low stock, lots by name.
import { html } from "../../../../vendor/ui.js";
import { number, t } from "../../../core/i18n.js";
import { STOCK_TYPES } from "../../../core/record_terms.js";
import { Icon } from "../../../ui/parts.js";
import { isRemnant } from "./model.js";

/** A quantity with its unit: "12.5 แผ่น". */
export const amount = (quantity, unit) => `${number(quantity)}${unit ? ` ${unit}` : ""}`;

/** The kinds of stock as options of a field. */
export const stockTypes = () => STOCK_TYPES.map((value) => ({ value, label: t(`stocktype.${value}`) }));

/** How much there is of a material, and whether that is too little: sign, word and colour. */
export function Level({ material: { quantity, unit, reorderPoint, isLow } }) {
  return html`<span class="level" data-low=${isLow ? "" : undefined}>
    <strong>${amount(quantity, unit)}</strong>
    ${isLow ? html`<span class="low"><${Icon} name="triangle-alert" />
        ${t("stock.low", { missing: amount(Number((reorderPoint - quantity).toFixed(6)), unit) })}</span>`
      : reorderPoint > 0 && html`<span class="soft">${t("stock.enough", { point: amount(reorderPoint, unit) })}</span>`}
  </span>`;
}

/** The size of a sheet in words: "812 × 1,450 mm"; "" where there is none. */
export const sizeOf = (dimensions) =>
  dimensions?.width > 0 ? t("office.mm", { size: `${number(dimensions.width)} × ${number(dimensions.height)}` }) : "";

/** What kind of stock a lot is, and its own size. */
export const kindOf = (lot) =>
  [isRemnant(lot) ? t("stock.remnant") : t(`stocktype.${lot.stockType}`), sizeOf(lot.dimensions)]
    .filter(Boolean)
    .join(" · ");

/** A lot in words: its number, its own size, and where it lies. */
export function lotName({ inventoryNumber, dimensions, location, storageColor }) {
  return [inventoryNumber, sizeOf(dimensions), location, storageColor].filter(Boolean).join(" · ");
}
