// What can be done with a delivery: hand it over, plan what came back.
import { html } from "../../../../vendor/ui.js";
import { t } from "../../../core/i18n.js";
import { may } from "../../../core/permissions.js";
import { Icon } from "../../../ui/parts.js";
import { OFFICE } from "../layout.js";

export default function Actions({ delivery: { _id: id, status, missingPanes } }) {
  return html`${status === "planned" && may("panes:scan") && html`<a class="main-button" href=${`/floor/deliveries/${id}`}><${Icon} name="truck" />${t("delivery.handOver")}</a>`}
    ${missingPanes.length > 0 && may("orders:manage") && html`<a class="main-button" href=${`${OFFICE}/deliveries/new?rest=${id}`}><${Icon} name="plus" />${t("delivery.planRest")}</a>`}`;
}
