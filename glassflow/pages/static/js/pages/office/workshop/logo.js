// The logo in the form of the workshop: shown, chosen as a file, removed.
import { html, useState } from "../../../../vendor/ui.js";
import { t } from "../../../core/i18n.js";
import { shrink } from "../../../scan/photo.js";
import { dataUrl } from "../../../ui/data_url.js";
import { Icon } from "../../../ui/parts.js";

const MAX_BYTES = 200 * 1024; // as the service takes them
const ACCEPTED = ["image/png", "image/jpeg"];
const LONGEST_PX = 800; // of a picture that is made smaller

/** `value` is a data URL or null; `shared` are the attributes of the input. */
export function Logo({ value, onChange, readOnly, ...shared }) {
  const [failed, setFailed] = useState(false);
  const choose = async ({ target }) => {
    const [file] = target.files;
    target.value = "";
    if (!file) return;
    try {
      const isTaken = ACCEPTED.includes(file.type) && file.size <= MAX_BYTES;
      onChange(await dataUrl(isTaken ? file : await shrink(file, LONGEST_PX, MAX_BYTES)));
      setFailed(false);
    } catch {
      setFailed(true);
    }
  };
  return html`<div class="logo">
    ${value ? html`<img src=${value} alt=${t("field.logo")} />` : html`<p class="soft">${t("workshop.noLogo")}</p>`}
    ${!readOnly && html`<div class="form-buttons">
      <label class="quiet-button"><input type="file" accept=${[...ACCEPTED, "image/*"].join()} class="visually-hidden"
        onChange=${choose} ...${shared} /><${Icon} name="upload" />${t("workshop.chooseLogo")}</label>
      ${value && html`<button type="button" class="quiet-button" onClick=${() => onChange(null)}>
        <${Icon} name="trash-2" />${t("workshop.removeLogo")}</button>`}</div>`}
    <p role="alert">${failed && html`<span class="field-fault">${t("workshop.logoUnusable")}</span>`}</p>
  </div>`;
}
