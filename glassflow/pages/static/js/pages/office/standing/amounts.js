// Amounts where there is little room.
import { money } from "../../../ui/money.js";

/** An amount of baht, a number or a text of the API, with its satang only where it has some. */
export const whole = (amount) => money(amount).replace(/\.00$/, "");
