// The stations as the options of a select.
import { t } from "../../core/i18n.js";
import { may } from "../../core/permissions.js";
import { nameOf } from "../../core/station_names.js";
import { stations } from "../../core/stations.js";

/** All stations as [{value, label}]; without any, an option of no value that says why. */
export function stationOptions() {
  const options = stations().map((one) => ({ value: one._id, label: nameOf(one) }));
  const none = { value: "", label: t(may("stations:view") ? "none.stations" : "loaded.forbidden") };
  return options.length ? options : [none];
}
