// The menu of the office on a phone, which the button below the page opens.
import { html } from "../../../vendor/ui.js";
import { t } from "../../core/i18n.js";
import { Dialog } from "../../ui/dialog.js";

/** `Sections` draws what there is to choose; `onClose` is called once it is closed, as by the choice of a section. */
export default function Menu({ Sections, onClose }) {
  const chosen = (event) => event.target.closest("a") && onClose();
  return html`<${Dialog} title=${t("office.menu")} className="menu" onClose=${onClose}>
    <nav onClick=${chosen} aria-label=${t("office.rail")}><${Sections} /></nav>
  <//>`;
}
