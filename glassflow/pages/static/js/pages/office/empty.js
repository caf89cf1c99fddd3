// What stands where a list would be; apart from parts.js, as forms show nothing else of it.
import { html } from "../../../vendor/ui.js";
import { Icon } from "../../ui/parts.js";

/** A sentence where a list would be, and the next step. */
export function Empty({ icon, title, hint, children }) {
  return html`<div class="empty"><${Icon} name=${icon} />
    <p><strong>${title}</strong><br />${hint}${children}</p></div>`;
}
