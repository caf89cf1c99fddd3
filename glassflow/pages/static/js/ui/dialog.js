// A dialog over the page: the focus stays inside and returns when it closes; Escape, its
// button and a click beside it close it, but not while an action of it is being carried out.
import { html, useLayoutEffect, useRef } from "../../vendor/ui.js";
import { t } from "../core/i18n.js";
import { Icon } from "./parts.js";

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
  const isBusy = () => dialog.current.querySelector(".working") !== null;
  const close = () => isBusy() || dialog.current.close();
  const beside = (event) => event.target === dialog.current && close();
  const escaped = (event) => isBusy() && event.preventDefault();
  return html`<dialog ref=${dialog} class=${`dialog ${className}`} aria-label=${title}
      onClose=${onClose} onCancel=${escaped} onClick=${beside}>
    <div class="dialog-content">
      <header>
        <h2>${title}</h2>
        <button type="button" class="icon-button" aria-label=${t("dialog.close")}
          onClick=${close}><${Icon} name="x" /></button>
      </header>
      ${children}
    </div>
  </dialog>`;
}
