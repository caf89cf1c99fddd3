// The columns of a file in words.
import { t, textOr } from "../../../core/i18n.js";

const PARTS = "panes."; // rows of a quote or a request that are its panes
const SIZES = ["dimensions", "details", "specDetails"]; // members that are clear without the name of their object
const OTHERS = { unitPrice: "requests.unitPrice", correctionReason: "field.reason" };
/** What programs write, not people. */
const INTERNAL = ["currentPrices", `${PARTS}dimensions.area`, "currentStationIndex", "stationHistory", "stationData"];

/** The name of a column of a resource in words; its own name where there are none. */
export function columnName(resource, name) {
  const isPart = name.startsWith(PARTS) && !name.endsWith(".paneNumber");
  if (isPart) return `${t("field.pane")} · ${columnName("panes", name.slice(PARTS.length))}`;
  const [first, ...inner] = name.split(".");
  const word = (one) => textOr(`field.${resource}.${one}`, textOr(OTHERS[one] ?? `field.${one}`, one));
  const last = inner.at(-1);
  const isReference = /^(user)?name$|Number$/.test(last ?? "");
  if (!last || isReference) return word(first);
  return SIZES.includes(first) ? word(last) : `${word(first)} · ${word(last)}`;
}

/** The columns that can be chosen for a part of a file, of those that an import writes. */
export const choices = (taken) => taken.filter((name) => !INTERNAL.includes(name));
