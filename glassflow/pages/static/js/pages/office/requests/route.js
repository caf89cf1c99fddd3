// The route of a pane or an order: stations in their order, added, moved and removed.
import { html } from "../../../../vendor/ui.js";
import { t } from "../../../core/i18n/index.js";
import { nameOf } from "../../../core/station_names.js";
import { stations } from "../../../core/stations.js";
import { Icon } from "../../../ui/parts.js";
import { Station } from "../parts.js";

/** `value` is a list of ids of stations; `id` that of the control for a label. */
export function Route({ id, value, onChange, readOnly }) {
  const moved = (index, step) => {
    const next = [...value];
    [next[index], next[index + step]] = [next[index + step], next[index]];
    onChange(next);
  };
  return html`<div class="route-editor">
    ${value.length > 0 && html`<ol>${value.map((station, index) => html`<li key=${`${index} ${station}`}>
      <b>${index + 1}</b><${Station} station=${station} />
      ${!readOnly && html`<span>
        <button type="button" class="icon-button" disabled=${index === 0} aria-label=${t("requests.earlier", { number: index + 1 })}
          title=${t("requests.earlier", { number: index + 1 })} onClick=${() => moved(index, -1)}><${Icon} name="arrow-up" /></button>
        <button type="button" class="icon-button" aria-label=${t("requests.offRoute", { number: index + 1 })}
          title=${t("requests.offRoute", { number: index + 1 })} onClick=${() => onChange(value.filter((_, at) => at !== index))}><${Icon} name="x" /></button></span>`}
    </li>`)}</ol>`}
    ${!readOnly && html`<select id=${id} aria-label=${t("requests.addStation")}
        onChange=${(event) => event.target.value && [onChange([...value, event.target.value]), (event.target.value = "")]}>
      <option value="">${t("requests.addStation")}</option>
      ${stations().map((one) => html`<option key=${one._id} value=${one._id}>${nameOf(one)}</option>`)}</select>`}
  </div>`;
}
