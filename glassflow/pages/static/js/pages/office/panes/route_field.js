// The route of a pane in a form: its stations in order, moved, removed and added.
import { html } from "../../../../vendor/ui.js";
import { number, t } from "../../../core/i18n/index.js";
import { stations } from "../../../core/stations.js";
import { nameOf } from "../../../core/station_names.js";
import { Icon } from "../../../ui/parts.js";
import { Station } from "../parts.js";

/** `value` are the ids of the stations; `onChange(ids)`. */
export function RouteField({ id, value = [], onChange, readOnly }) {
  const swap = (index, other) =>
    onChange(value.map((one, at) => (at === index ? value[other] : at === other ? value[index] : one)));
  const button = (icon, label, index, onClick, disabled) => html`<button type="button" class="icon-button"
    disabled=${disabled} aria-label=${t(label, { number: number(index + 1) })} onClick=${onClick}><${Icon} name=${icon} /></button>`;
  return html`<ol class="route-field">${value.map((step, index) => html`<li key=${index}>
      <span>${number(index + 1)}. <${Station} station=${step} /></span>
      ${!readOnly && html`${button("arrow-up", "panes.stepUp", index, () => swap(index, index - 1), index === 0)}
        ${button("trash-2", "panes.stepRemove", index, () => onChange(value.filter((_, at) => at !== index)))}`}</li>`)}</ol>
    ${!readOnly && html`<select id=${id} onChange=${(event) => {
      onChange([...value, event.target.value]);
      event.target.value = "";
    }}><option value="">${t("panes.stepAdd")}</option>${stations().map((one) => html`
      <option key=${one._id} value=${one._id}>${nameOf(one)}</option>`)}</select>`}`;
}
