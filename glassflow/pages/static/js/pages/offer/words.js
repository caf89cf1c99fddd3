// What went wrong with a request of a customer.
import { duration, t } from "../../core/i18n.js";
import { explain } from "../../ui/fault.js";

/** The sentence for an error of a request. */
export const wordsOf = (error) =>
  error.status === 429 ? t("login.tooMany", { wait: duration(error.retryAfterS) }) : explain(error);
