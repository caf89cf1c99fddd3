// The route of a pane, an order or a job type in a form: its stations in order; one may occur twice.
import { html } from "../../../vendor/ui.js";
import { t } from "../../core/i18n.js";
import { idOf } from "../../core/records.js";
import { nameOf } from "../../core/station_names.js";
import { areRead, stationOf, stations } from "../../core/stations.js";
import { Lazy } from "../../ui/lazy.js";
import { OrderedField } from "./ordered_field.js";
import { Station } from "./parts.js";

const nothingFound = () => import("../../ui/nothing_found.js");

/** `value` are the stations or their ids; `onChange(ids)`. The others are those of `OrderedField`. */
export default function RouteField({ value, ...field }) {
  const ids = (value ?? []).map(idOf);
  const options = stations().map((one) => ({ value: one._id, label: nameOf(one) }));
  const wordOf = (id) => (stationOf(id) ? nameOf(stationOf(id)) : t("office.unknownStation"));
  return html`<${OrderedField} value=${ids} options=${options} add=${t("add.stations")}
    wordOf=${wordOf} draw=${(id) => html`<${Station} station=${id} />`}
    empty=${areRead() && html`<${Lazy} load=${nothingFound} resource="stations" text="" rows=${[]}
      onAdd=${({ _id }) => field.onChange([...ids, _id])} />`} ...${field} />`;
}
