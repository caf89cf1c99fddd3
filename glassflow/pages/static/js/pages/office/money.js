// Amounts of money, in words of the office.
import { t } from "../../core/i18n.js";
import { money } from "../../ui/money.js";

export { money };

/** An amount of baht. */
export const baht = (amount) => t("requests.baht", { amount: money(amount) });

/** An amount with its sign: a difference. */
export const signed = (amount) => `${amount > 0 ? "+" : ""}${money(amount)}`;
