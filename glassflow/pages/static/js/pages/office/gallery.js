// Photos of a record, small; one that is pressed is shown large.
import { html, useState } from "../../../vendor/ui.js";
import { number, t } from "../../core/i18n.js";
import { Dialog } from "../../ui/dialog.js";
import { Icon } from "../../ui/parts.js";

// What the Content-Security-Policy lets a page show; others are links.
const isShown = (photo) => /^(\/api\/|data:|blob:)/.test(photo);

/** `photos` are links as the API gives them. */
export function Gallery({ photos }) {
  const [at, setAt] = useState(null);
  if (!photos?.length) return null;
  const name = (index) => t("photos.one", { number: number(index + 1) });
  const step = (by) => setAt((at + by + photos.length) % photos.length);
  return html`<ul class="gallery">${photos.map((photo, index) => html`<li key=${photo}>${isShown(photo)
      ? html`<button type="button" onClick=${() => setAt(index)}><img src=${photo} alt=${name(index)} loading="lazy" /></button>`
      : html`<a class="quiet-button" href=${photo} target="_blank" rel="noreferrer">
          <${Icon} name="image" />${name(index)}</a>`}</li>`)}</ul>
    ${at !== null && html`<${Dialog} title=${name(at)} className="photo" onClose=${() => setAt(null)}>
      <img src=${photos[at]} alt=${name(at)} />
      ${photos.filter(isShown).length > 1 && html`<div class="form-buttons">
        <button type="button" class="quiet-button" onClick=${() => step(-1)}><${Icon} name="chevron-left" />${t("list.previous")}</button>
        <button type="button" class="quiet-button" onClick=${() => step(1)}>${t("list.next")}<${Icon} name="chevron-right" /></button></div>`}
    <//>`}`;
}
