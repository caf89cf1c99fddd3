// The link to the labels of the panes that belong to selected records.
import { html } from "../../../vendor/ui.js";
import { t } from "../../core/i18n.js";
import { may } from "../../core/permissions.js";
import { Icon } from "../../ui/parts.js";

/** `field` is what the page of the labels is asked for ("panes"), `names` are their numbers. */
export function Labels({ field, names }) {
  if (!may("panes:view")) return null;
  return html`<a class="quiet-button" href=${`/floor/labels?${field}=${encodeURIComponent(names)}`}>
    <${Icon} name="printer" />${t("office.printLabels")}</a>`;
}
