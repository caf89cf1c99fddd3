// One field of a form: its label, hint, unit, and faults.
import { html } from "../../vendor/ui.js";
import { t } from "../core/i18n.js";
import { fromLocal, LATEST, toLocal } from "./moments.js";
import { Reference } from "./reference.js";

/**
 * `field` is {name, label, kind, required, hint, unit, wide, readOnly, heading} and by its kind:
 *   text, textarea, password   `attributes` for the input (autocomplete, maxlength ...)
 *   number                     `min`, `max`, `step`; the value is a number or null
 *   select                     `options` [{value, label}]; `empty`: the label of no value
 *   checkbox                   the value is true or false
 *   moment                     a date with the time, in the workshop's time zone; ISO 8601
 *   reference                  `resource`, `nameOf(record)`, `query`: see Reference; an id.
 *                              `onChosen(record, set)` changes other fields by what was chosen
 *   custom                     `draw({id, value, values, onChange, set, readOnly, ...})`; `set(name, value)`
 *                              changes another field
 * `heading` is the one of a group of fields, which begins here. `isShown(values)` hides a field
 * that does not apply. `prefix` begins the ids.
 */
export function Field({ field, value, values, faults, readOnly, prefix = "field", onChange, set = undefined }) {
  if (field.isShown && !field.isShown(values)) return null;
  const id = `${prefix}-${field.name}`;
  const described = [field.hint && `${id}-hint`, faults && `${id}-fault`].filter(Boolean).join(" ");
  const shared = {
    id,
    name: field.name,
    required: field.required,
    ...field.attributes,
    "aria-invalid": faults ? "true" : undefined,
    "aria-describedby": described || undefined,
    readOnly: readOnly || field.readOnly,
  };
  const input = INPUTS[field.kind ?? "text"]({ field, value, values, onChange, set, shared });
  const isCheck = field.kind === "checkbox";
  return html`${field.heading && html`<h2>${field.heading}</h2>`}<div class=${`field ${field.wide ? "wide" : ""} ${isCheck ? "check" : ""}`}>
    <label for=${id}>${field.label}${field.required && html`<span class="visually-hidden"> ${t("form.required")}</span>
      <i aria-hidden="true">*</i>`}</label>
    ${field.unit ? html`<span class="with-unit">${input}<span>${field.unit}</span></span>` : input}
    ${field.hint && html`<small id=${`${id}-hint`}>${field.hint}</small>`}
    ${faults && html`<p class="field-fault" id=${`${id}-fault`}>${faults.join(" ")}</p>`}
  </div>`;
}

const typed = (onChange) => (event) => onChange(event.target.value);
const text =
  (type) =>
  ({ value, onChange, shared }) =>
    html`<input type=${type} autocomplete="off" value=${value ?? ""} onInput=${typed(onChange)} ...${shared} />`;

const INPUTS = {
  text: text("text"),
  password: text("password"),
  textarea: ({ field, value, onChange, shared }) =>
    html`<textarea rows=${field.rows ?? 3} value=${value ?? ""} onInput=${typed(onChange)} ...${shared}></textarea>`,
  number: ({ field: { min, max, step = "any" }, value, onChange, shared }) =>
    html`<input type="number" inputmode="decimal" value=${value ?? ""} min=${min} max=${max} step=${step}
      onInput=${(event) => onChange(event.target.value === "" ? null : Number(event.target.value))} ...${shared} />`,
  select: ({ field, value, onChange, shared: { readOnly, ...shared } }) =>
    html`<select disabled=${readOnly} onChange=${(event) => onChange(event.target.value || null)} ...${shared}>
      ${(field.empty !== undefined || !value) && html`<option value="" selected=${!value}>${field.empty ?? ""}</option>`}
      ${field.options.map((one) => html`<option key=${one.value} value=${one.value}
        selected=${one.value === value}>${one.label}</option>`)}</select>`,
  checkbox: ({ value, onChange, shared: { readOnly, ...shared } }) =>
    html`<input type="checkbox" checked=${Boolean(value)} disabled=${readOnly}
      onChange=${(event) => onChange(event.target.checked)} ...${shared} />`,
  moment: ({ value, onChange, shared }) =>
    html`<input type="datetime-local" max=${LATEST} value=${toLocal(value)}
      onChange=${(event) => onChange(fromLocal(event.target.value))} ...${shared} />`,
  reference: ({ field, value, onChange, set, shared }) =>
    html`<${Reference} ...${field} adds value=${value} shared=${shared}
      onChange=${(id, record) => [onChange(id), field.onChosen?.(record, set)]} />`,
  custom: ({ field, value, values, onChange, set, shared }) => field.draw({ value, values, onChange, set, ...shared }),
};
