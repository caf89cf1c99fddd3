// Amounts of money.
import { lang } from "../core/preferences.js";

/** A number, or its text, with its satang and a true minus. */
export const money = (amount) =>
  Number(amount).toLocaleString(lang.value, { minimumFractionDigits: 2, maximumFractionDigits: 2 }).replace("-", "−");
