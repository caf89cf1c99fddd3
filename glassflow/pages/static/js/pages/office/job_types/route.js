// A route that is changed: its stations in order, each moved by a step, removed, or added.
import { html } from "../../../../vendor/ui.js";
import { t } from "../../../core/i18n/index.js";
import { nameOf } from "../../../core/station_names.js";
import { stationOf, stations } from "../../../core/stations.js";
import { Icon } from "../../../ui/parts.js";
import { Station } from "../parts.js";

/** `value` are the ids of the stations; one may occur twice. */
export function Route({ id, value, readOnly, onChange, ...described }) {
  const named = (station) => (stationOf(station) ? nameOf(stationOf(station)) : t("office.unknownStation"));
  const swap = (at) => onChange(value.map((_, index) => value[index === at ? at + 1 : index === at + 1 ? at : index]));
  const add = (event) => {
    if (event.target.value) onChange([...value, event.target.value]);
    event.target.value = "";
  };
  const button = (key, icon, at, act, possible = true) => html`<button type="button" class="icon-button"
    disabled=${!possible} aria-label=${t(key, { name: named(value[at]), step: at + 1 })} onClick=${act}><${Icon} name=${icon} /></button>`;
  return html`<div class="route-field">
    <ol>${value.map((station, at) => html`<li key=${`${station} ${at}`}><${Station} station=${station} />
      ${!readOnly && html`<span>
        ${button("jobtypes.up", "arrow-up", at, () => swap(at - 1), at > 0)}
        ${button("jobtypes.remove", "x", at, () => onChange(value.filter((_, index) => index !== at)))}</span>`}</li>`)}</ol>
    <select id=${id} disabled=${readOnly} onChange=${add} ...${described}>
      <option value="">${t("jobtypes.addStation")}</option>
      ${stations().map((one) => html`<option key=${one._id} value=${one._id}>${nameOf(one)}</option>`)}</select></div>`;
}
