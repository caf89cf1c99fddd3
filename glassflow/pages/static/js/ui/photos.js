// Photos that are added to a record: made small on the device, and shown until they are sent.
import { html, useRef, useState } from "../../vendor/ui.js";
import { number, t } from "../core/i18n.js";
import { shrink } from "../scan/photo.js";
import { dataUrl } from "./data_url.js";
import { Icon } from "./parts.js";

/** Whether a file is a photo of an iPhone, which most browsers cannot read. */
export const isHeic = ({ name, type }) => /hei[cf]$/i.test(type || name);

/**
 * The photos of a record that is not sent yet, as data URLs; `onChange(photos)`. At most
 * `max` of them. `camera`: a phone opens its camera instead of its pictures. The page has
 * "photos" in its `styles`.
 */
export function Photos({ photos, onChange, max, camera = false }) {
  const [fault, setFault] = useState(null);
  const latest = useRef(photos); // another photo may be added while one is made small
  latest.current = photos;
  const add = async (event) => {
    const files = [...event.target.files].slice(0, max - photos.length);
    event.target.value = "";
    try {
      const added = await Promise.all(files.map(async (file) => dataUrl(await shrink(file))));
      setFault(null);
      latest.current = [...latest.current, ...added].slice(0, max);
      onChange(latest.current);
    } catch {
      setFault(files.some(isHeic) ? "photos.heic" : "photos.unusable");
    }
  };
  return html`<div class="photos">
    ${photos.map((photo, i) => html`<figure key=${photo.length + photo.slice(-40)}>
      <img src=${photo} alt=${t("photos.one", { number: number(i + 1) })} />
      <button type="button" class="icon-button" aria-label=${t("photos.remove", { number: number(i + 1) })}
        onClick=${() => onChange(photos.filter((one) => one !== photo))}><${Icon} name="trash-2" /></button></figure>`)}
    ${photos.length < max && html`<label class="quiet-button"><input type="file" accept="image/*" multiple=${!camera}
      capture=${camera ? "environment" : undefined} class="visually-hidden" onChange=${add} />
      <${Icon} name="camera" />${t(camera ? "photos.take" : "photos.add")}</label>`}
    <p role="alert">${fault && t(fault)}</p>
  </div>`;
}
