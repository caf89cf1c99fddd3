// The link to the import of a list.
import { html } from "../../../../vendor/ui.js";
import { t } from "../../../core/i18n.js";
import { Icon } from "../../../ui/parts.js";
import { mayImport } from "../../../ui/imports.js";

/** Where files are imported into a list, for those who may. */
export const ImportLink = ({ resource }) =>
  mayImport(resource) &&
  html`<a class="quiet-button import"
  href=${`/floor/office/import/${resource}`}><${Icon} name="upload" />${t("office.import")}</a>`;
