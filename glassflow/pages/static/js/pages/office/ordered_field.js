// A list whose order matters: its entries are moved by a step, removed, or added from a choice.
import { html } from "../../../vendor/ui.js";
import { t } from "../../core/i18n.js";
import { Icon } from "../../ui/parts.js";

/**
 * `value` is the list, `options` [{value, label}] what can be added, with the label `add`.
 * `wordOf(entry)` names an entry, `draw(entry)` shows it; `empty` is shown in place of the choice
 * where there is nothing to add. Without `id`, no label belongs to the choice.
 */
export function OrderedField({
  id,
  value,
  options,
  add,
  wordOf,
  draw = wordOf,
  empty,
  readOnly,
  onChange,
  values,
  ...described
}) {
  const swap = (at) => onChange(value.map((_, place) => value[place === at ? at - 1 : place === at - 1 ? at : place]));
  const remove = (at) => onChange(value.filter((_, place) => place !== at));
  const choose = ({ target }) => {
    if (target.value) onChange([...value, target.value]);
    target.value = "";
  };
  const button = (key, icon, at, act, isOff = false) => {
    const words = t(key, { name: wordOf(value[at]), place: at + 1 });
    return html`<button type="button" class="icon-button" disabled=${isOff} aria-label=${words} title=${words}
      onClick=${() => act(at)}><${Icon} name=${icon} /></button>`;
  };
  return html`<div class="ordered-field">
    ${value.length > 0 && html`<ol>${value.map((one, at) => html`<li key=${`${JSON.stringify(one)} ${at}`}><span>${draw(one)}</span>
      ${!readOnly && html`${button("ordered.up", "arrow-up", at, swap, at === 0)}${button("ordered.remove", "x", at, remove)}`}</li>`)}</ol>`}
    ${!readOnly && (options.length > 0
      ? html`<select id=${id} aria-label=${id ? undefined : add} onChange=${choose} ...${described}>
          <option value="">${add}</option>
          ${options.map((one) => html`<option key=${one.value} value=${one.value}>${one.label}</option>`)}</select>`
      : empty)}</div>`;
}
