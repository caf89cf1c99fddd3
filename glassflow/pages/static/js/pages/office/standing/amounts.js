// Amounts where there is little room.
import { number } from "../../../core/i18n.js";
import { money } from "../../../ui/money.js";

/** An amount of baht, a number or a text of the API, with its satang only where it has some. */
export const whole = (amount) => (Number.isInteger(Number(amount)) ? number(Number(amount)) : money(amount));
