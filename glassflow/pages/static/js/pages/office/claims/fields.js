// The fields of a claim that people write, for a new one and for one that waits.
import { html } from "../../../../vendor/ui.js";
import { api } from "../../../core/api.js";
import { t } from "../../../core/i18n.js";
import { DEFECTS } from "../../../core/record_terms.js";
import { sendPhotos } from "../../../scan/photo.js";
import { Photos } from "../../../ui/photos.js";
import { stationOptions } from "../station_options.js";

export const SOURCES = ["worker", "customer"];
const MOST_PHOTOS = 10;

/** What is wrong: the fields for `Form`. */
export function defectFields() {
  return [
    {
      name: "defectCode",
      label: t("field.defectCode"),
      kind: "select",
      empty: "",
      options: DEFECTS.map((value) => ({ value, label: t(`defect.${value}`) })),
    },
    {
      name: "source",
      label: t("field.source"),
      kind: "select",
      required: true,
      options: SOURCES.map((value) => ({ value, label: t(`claimssource.${value}`) })),
    },
    {
      name: "defectStation",
      label: t("field.defectStation"),
      kind: "select",
      empty: "",
      options: stationOptions(),
    },
    { name: "description", label: t("field.description"), kind: "textarea", required: true, wide: true },
    {
      name: "photos",
      label: t("field.photos"),
      kind: "custom",
      wide: true,
      show: (photos = []) => String(photos.length),
      draw: ({ value = [], onChange, readOnly }) =>
        !readOnly && html`<${Photos} photos=${value} max=${MOST_PHOTOS} onChange=${onChange} />`,
    },
  ];
}

/**
 * Photos as a claim names them: new ones (data URLs) are sent, others stay as they are. `ids`, a
 * Map that the form keeps, has those that were sent before: a claim that is sent again names
 * the same photos, and thus is the same request.
 */
export async function sent(photos = [], ids) {
  const post = (path, body) => api(path, { method: "POST", body });
  const named = new Set(photos); // of a photo that was chosen twice, a claim has one
  for (const photo of named)
    if (photo.startsWith("data:") && !ids.has(photo)) ids.set(photo, (await sendPhotos([photo], post))[0]);
  return [...named].map((photo) => ids.get(photo) ?? photo);
}
