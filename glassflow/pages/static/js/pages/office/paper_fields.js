// Fields of what is printed for a customer: a day of the workshop, and the language.
import { html } from "../../../vendor/ui.js";
import { t } from "../../core/i18n.js";
import { toLocal } from "../../ui/moments.js";

/** The languages of what is printed. */
export const LANGUAGES = ["th", "en"];

export const language = () => ({
  name: "language",
  label: t("field.language"),
  kind: "select",
  options: LANGUAGES.map((value) => ({ value, label: t(`quoteslanguage.${value}`) })),
});

/** A day of the workshop; `more` are further properties of the field. */
export function day(name, more) {
  const draw = ({ value, onChange, values: _, ...shared }) => html`<input type="date" value=${dayOf(value)}
    onInput=${(event) => onChange(event.target.value || null)} ...${shared} />`;
  return { name, label: t(`field.${name}`), kind: "custom", draw, show: dayOf, ...more };
}

/** The day of a moment of the API, or of a day that was chosen, as <input type="date"> has it. */
export const dayOf = (value) => (/T/.test(value ?? "") ? toLocal(value).slice(0, 10) : (value ?? ""));
