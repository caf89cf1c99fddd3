// The line above a form that has opened with what was typed before and not saved.
import { html } from "../../vendor/ui.js";
import { dateTime, t } from "../core/i18n.js";
import { Icon } from "./parts.js";
import { useRecord } from "./reference.js";

/**
 * `at` is when the `values` were typed (epoch milliseconds), `about` words about them. The required
 * reference of the `fields` is named. `onDrop` is what the button `drop` does.
 */
export default function OpenedDraft({ at = Date.now(), fields, values, about, drop, onDrop }) {
  const { name, resource } = fields.find(({ kind, required }) => kind === "reference" && required);
  const record = useRecord(resource, values[name] ?? null);
  const words = [t("form.opened", { time: dateTime(new Date(at)) }), record?.name, about];
  return html`<p class="opened-draft" role="status"><${Icon} name="pencil" /><span>${words.filter(Boolean).join(" · ")}</span>
    <button type="button" class="quiet-button" onClick=${onDrop}>${drop}</button></p>`;
}
