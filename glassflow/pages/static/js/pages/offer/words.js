// What went wrong with a request of a customer.
import { duration, hasText, t } from "../../core/i18n.js";
import { explain } from "../../ui/fault.js";

/** A function that returns texts of an offer; a confirmation says some of them in its own way. */
export const wordsFor =
  ({ kind }) =>
  (key, facts) =>
    t(kind === "confirmation" && hasText(`confirmed.${key}`) ? `confirmed.${key}` : key, facts);

/** The sentence for an error of a request. */
export const wordsOf = (error) =>
  error.status === 429 ? t("login.tooMany", { wait: duration(error.retryAfterS) }) : explain(error);
