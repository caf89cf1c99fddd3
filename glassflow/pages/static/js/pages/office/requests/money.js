// Amounts of money.
import { t } from "../../../core/i18n.js";
import { lang } from "../../../core/preferences.js";

/** An amount with its satang, so that amounts in a column are read alike. */
export const money = (amount) =>
  amount.toLocaleString(lang.value, { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** An amount of baht. */
export const baht = (amount) => t("requests.baht", { amount: money(amount) });
