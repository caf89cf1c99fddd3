// The link that begins a new request with the panes of an earlier one.
import { html } from "../../../vendor/ui.js";
import { t } from "../../core/i18n.js";
import { may } from "../../core/permissions.js";
import { idOf } from "../../core/records.js";
import { Icon } from "../../ui/parts.js";
import { REQUESTS } from "./layout.js";

/** `request` is its id or the record; a scanner presses the link with the card "COPY". */
export function CopyRequest({ request }) {
  const id = idOf(request);
  return (
    id &&
    may("requests:manage") &&
    html`<a class="quiet-button" data-card="COPY" href=${`${REQUESTS}/new?copy=${id}`}>
    <${Icon} name="copy" />${t("office.copyRequest")}</a>`
  );
}
