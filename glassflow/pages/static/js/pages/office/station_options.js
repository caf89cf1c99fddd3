// The stations as the options of a select.
import { addTexts, t } from "../../core/i18n/index.js";
import { may } from "../../core/permissions.js";
import { nameOf } from "../../core/station_names.js";
import { stations } from "../../core/stations.js";
import { texts as loadedTexts } from "../../ui/loaded_texts.js";
import { texts } from "../../ui/nothing_found_texts.js";

addTexts(loadedTexts);
addTexts(texts);

/** All stations as [{value, label}]; without any, an option of no value that says why. */
export function stationOptions() {
  const options = stations().map((one) => ({ value: one._id, label: nameOf(one) }));
  const none = { value: "", label: t(may("stations:view") ? "none.stations" : "loaded.forbidden") };
  return options.length ? options : [none];
}
