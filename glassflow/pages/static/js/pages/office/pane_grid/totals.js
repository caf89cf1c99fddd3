// From the sum of the panes to what the customer pays.
import { number, t } from "../../../core/i18n.js";

/** The lines [name, amount] of a price of the API, in baht. The last one is what is paid; none repeats the one before. */
export function totals(price) {
  const between = [
    [t("quotestotal.rush"), price.rush],
    [t("quotestotal.discount", { percent: number(price.discount) }), -price.discountAmount],
    [t("quotestotal.minimum"), price.minimumCharge],
  ].filter(([, amount]) => Number(amount));
  const vat = Number(price.vat) > 0;
  return [
    between.length > 0 && [t("quotestotal.subtotal"), price.subtotal],
    ...between,
    vat && [t("quotestotal.net"), price.total],
    vat && [t("quotestotal.vat", { percent: number(price.vatPercent) }), price.vat],
    [t("quotestotal.gross"), price.totalWithVat],
  ].filter(Boolean);
}
