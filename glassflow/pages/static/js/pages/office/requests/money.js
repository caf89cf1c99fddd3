// Amounts of money.
import { t } from "../../../core/i18n.js";
import { lang } from "../../../core/preferences.js";

/** An amount, a number or a text of the API, with its satang, so that a column is read alike. */
export const money = (amount) =>
  Number(amount).toLocaleString(lang.value, { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** An amount of baht. */
export const baht = (amount) => t("requests.baht", { amount: money(amount) });
