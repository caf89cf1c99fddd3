// The parts of the form of a station template: fields of `uiSchema`, and its JSON.
import { html, useState } from "../../../../vendor/ui.js";
import { t } from "../../../core/i18n.js";
import { Icon } from "../../../ui/parts.js";
import { TextList } from "../text_list.js";
import { OrderedField } from "../ordered_field.js";
import {
  filled,
  isLayout,
  isTextOf,
  itemsOf,
  schemaOf,
  textOf,
  ticked,
  withItems,
  withText,
  wordOf,
} from "./schema.js";

/**
 * How a field of a member is drawn: by `draw` where its value is one that it `fits`, else as it is,
 * to read. While the JSON is being typed and is no object, nobody changes a member.
 */
export const member =
  (fits, draw) =>
  ({ values, readOnly, value, ...field }) =>
    (value ?? null) === null || fits(value)
      ? draw({ value: value ?? undefined, values, readOnly: readOnly || !isLayout(values.uiSchema), ...field })
      : html`<input type="text" readonly id=${field.id} aria-describedby=${field["aria-describedby"]} value=${wordOf(value)} />`;

export const isText = (value) => typeof value === "string";

/** A text; without one, the layout does not name it. */
export const drawText = ({ value, values, onChange, ...shared }) =>
  html`<input type="text" autocomplete="off" value=${value ?? ""} onInput=${({ target }) => onChange(target.value || undefined)} ...${shared} />`;

/** One of `options` [{value, label, hint}]; a value that is none of them is one more. */
export function Choice({ id, name, label, value, options, readOnly, onChange }) {
  const isKnown = options.some((one) => (one.value ?? undefined) === value);
  const all = isKnown ? options : [...options, { value, label: value, hint: t("templates.unknownLayout") }];
  return html`<div class="choice-list" id=${id} role="radiogroup" aria-label=${label} tabindex="-1">
    ${all.map((one) => html`<label key=${one.label}><input type="radio" name=${name} disabled=${readOnly}
      checked=${(one.value ?? undefined) === value} onChange=${() => onChange(one.value ?? undefined)} />
      <span>${one.label}<small>${one.hint}</small></span></label>`)}</div>`;
}

/** Some of `options` [{value, label}]; `order` is that of the list, in which unknown entries keep their place. */
export function Ticks({ id, label, value = [], options, order, readOnly, onChange }) {
  const unknown = value.filter((one) => !options.some((option) => option.value === one));
  const all = [...options, ...unknown.map((one) => ({ value: one, label: wordOf(one) }))];
  return html`<div class="ticks" id=${id} role="group" aria-label=${label} tabindex="-1">
    ${all.map((one) => html`<label key=${one.label}><input type="checkbox" checked=${value.includes(one.value)} disabled=${readOnly}
      onChange=${({ target }) => onChange(ticked(value, one.value, target.checked, order))} />${one.label}</label>`)}</div>`;
}

/** Fields of the pane in their order, of those in `options`; each at most once. */
export function Columns({ value = [], options, onChange, ...field }) {
  const wordOfColumn = (one) => options.find((option) => option.value === one)?.label ?? wordOf(one);
  return html`<${OrderedField} value=${value} options=${options.filter((one) => !value.includes(one.value))}
    add=${t("templates.addColumn")} wordOf=${wordOfColumn} onChange=${(list) => onChange(filled(list))} ...${field} />`;
}

/** The items of the checklist, and the whole layout as JSON: both change `value`, the layout. */
export function Rest({ id, value, values, onChange, readOnly, ...shared }) {
  const items = itemsOf(schemaOf(values));
  return html`${items && html`<div class="checklist"><label for="checklist">${t("templates.checklist")}</label>
      <${TextList} id="checklist" lines value=${items} readOnly=${readOnly || !isLayout(value)} aria-describedby="checklist-hint"
        onChange=${(next) => onChange(withItems(schemaOf(values), next))} /><small id="checklist-hint">${t("templates.checklistHint")}</small></div>`}
    <${Advanced} id=${id} value=${value} onChange=${onChange} readOnly=${readOnly} ...${shared} />`;
}

function Advanced({ id, value, onChange, ...shared }) {
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState(null);
  const text = typed !== null && isTextOf(typed, value) ? typed : textOf(value); // as it was typed, not as it is written
  const type = ({ target }) => {
    setTyped(target.value);
    onChange(withText(value, target.value));
  };
  const isInvalid = Boolean(shared["aria-invalid"]); // it stays open then
  return html`<details class="advanced" open=${isOpen || isInvalid} onToggle=${({ target }) => setOpen(target.open)}>
    <summary class="quiet-button" onClick=${(event) => isInvalid && event.preventDefault()}><${Icon} name="settings" />${t("templates.advanced")}</summary>
    <small>${t("templates.schemaHint")}</small>
    <textarea id=${id} class="code" rows=${Math.min(14, text.split("\n").length + 3)} spellcheck="false" ...${shared} value=${text}
      onInput=${type}></textarea></details>`;
}
