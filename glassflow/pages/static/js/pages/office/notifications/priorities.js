// How urgent a notification is.
import { t } from "../../../core/i18n.js";

const PRIORITIES = ["urgent", "high", "medium", "low"];

/** The priorities as the options of a field, in the language of the page. */
export const priorities = () => PRIORITIES.map((value) => ({ value, label: t(`notificationspriority.${value}`) }));
