// What a form shows where somebody else has changed the same fields; loaded when that happens.
import { html } from "../../vendor/ui.js";
import { dateTime, t } from "../core/i18n.js";
import { valueAt } from "./form_values.js";
import { Icon } from "./parts.js";

/** `theirs` is the record with the values of somebody else; `onTake` and `onKeep` end the conflict. */
export default function Conflict({ fields, theirs, onTake, onKeep }) {
  return html`<section class="conflict" aria-label=${t("form.conflict")}>
    <p><${Icon} name="triangle-alert" /><strong>${t("form.conflict")}</strong> ${t("form.conflictHint")}</p>
    ${fields.length > 0 && html`<dl>${fields.map((field) => html`
      <dt key=${field.name}>${field.label}</dt>
      <dd>${shown(field, valueAt(theirs, field.name))}</dd>`)}</dl>`}
    <div><button type="button" class="quiet-button" onClick=${onTake}>${t("form.takeTheirs")}</button>
      <button type="button" class="quiet-button" onClick=${onKeep}>${t("form.keepMine")}</button></div>
  </section>`;
}

/** A value of a field in words. */
function shown({ kind, options = [], show }, value) {
  if (show) return show(value);
  if (value === undefined || value === null || value === "") return "–";
  if (kind === "checkbox") return t(value ? "form.yes" : "form.no");
  if (kind === "moment") return dateTime(new Date(value));
  const option = options.find((one) => one.value === value);
  return option?.label ?? value.name ?? (typeof value === "object" ? JSON.stringify(value) : String(value));
}
