// How urgent a notification is.
import { PRIORITIES } from "../../../core/record_terms.js";
import { t } from "../../../core/i18n.js";

/** The priorities from the highest on as the options of a field, in the language of the page. */
export const priorities = () =>
  [...PRIORITIES].reverse().map((value) => ({ value, label: t(`notificationspriority.${value}`) }));
