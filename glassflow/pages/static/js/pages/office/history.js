// The history of a record, below it: closed until someone asks for it, so that it costs nothing.
import { html, useState } from "../../../vendor/ui.js";
import { t } from "../../core/i18n.js";
import { Lazy } from "../../ui/lazy.js";
import { Icon } from "../../ui/parts.js";

/**
 * `path` is that of the record in the API ("/customers/…"), `version` the one that is known;
 * `fields` are those of its form, whose labels and options name what was changed.
 */
export default function History({ path, version, fields = [] }) {
  const [open, setOpen] = useState(false);
  return html`<details class="card record-history" onToggle=${(event) => setOpen(event.target.open)}>
    <summary class="quiet-button"><${Icon} name="history" />${t("office.history")}</summary>
    ${open && html`<${Lazy} load=${() => import("./changes.js")} path=${path} version=${version} fields=${fields} />`}
  </details>`;
}
