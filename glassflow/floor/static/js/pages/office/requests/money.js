// Amounts of money.
import { number, t } from "../../../core/i18n/index.js";

/** An amount of baht. */
export const baht = (amount) => t("requests.baht", { amount: number(amount) });
