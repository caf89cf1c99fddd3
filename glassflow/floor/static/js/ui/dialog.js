// A dialog over the page: the focus stays inside and returns when it closes; Escape, its
// button and a click beside it close it.
import { html, useLayoutEffect, useRef } from "../../vendor/ui.js";
import { addTexts, t } from "../core/i18n/index.js";
import { texts } from "./dialog_texts.js";
import { Icon } from "./parts.js";

addTexts(texts);

/**
 * `title` names the dialog; `onClose` is called once it is closed. The element with
 * `autofocus` gets the focus as it opens, else its button.
 */
export function Dialog({ title, onClose, className = "", children }) {
  const dialog = useRef();
  useLayoutEffect(() => {
    const { current } = dialog;
    current.showModal();
    return () => current.open && current.close(); // which returns the focus
  }, []);
  const beside = (event) => event.target === dialog.current && dialog.current.close();
  return html`<dialog ref=${dialog} class=${`dialog ${className}`} aria-label=${title}
      onClose=${onClose} onClick=${beside}>
    <div class="dialog-content">
      <header>
        <h2>${title}</h2>
        <button type="button" class="icon-button" aria-label=${t("dialog.close")}
          onClick=${() => dialog.current.close()}><${Icon} name="x" /></button>
      </header>
      ${children}
    </div>
  </dialog>`;
}
