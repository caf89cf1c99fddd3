// The buttons of a lot, whose dialogs are loaded when they are opened.
import { html, useState } from "../../../../vendor/ui.js";
import { t } from "../../../core/i18n.js";
import { may } from "../../../core/permissions.js";
import { Lazy } from "../../../ui/lazy.js";
import { Icon } from "../../../ui/parts.js";

const dialog = () => import("./lot_dialog.js");

/**
 * The buttons of a lot, as far as the worker may use them; `readAgain()` once it is changed, or
 * somebody else has changed it.
 */
export function LotActions({ lot, unit, readAgain }) {
  const [open, setOpen] = useState("");
  const [said, setSaid] = useState("");
  const done = (text) => [setOpen(""), setSaid(text), readAgain()];
  const name = lot.inventoryNumber;
  const shared = { lot, unit, onDone: done, onStale: readAgain, onClose: () => setOpen("") };
  return html`<span class="lot-actions">
    ${may("inventory:move") && lot.isActive && lot.quantity > 0 && html`<button type="button" class="quiet-button"
      onClick=${() => setOpen("move")}><${Icon} name="move" />${t("stock.move")}<span class="visually-hidden"> ${name}</span></button>`}
    ${may("inventory:manage") && html`<button type="button" class="quiet-button"
      onClick=${() => setOpen("correct")}><${Icon} name="pencil" />${t("stock.correct")}<span class="visually-hidden"> ${name}</span></button>`}
    <span class="visually-hidden" role="status">${said}</span>
    ${open && html`<${Lazy} key=${open} load=${dialog} kind=${open} ...${shared} />`}
  </span>`;
}
