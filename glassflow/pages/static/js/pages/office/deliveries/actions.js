// What can be done with a delivery: hand it over, undo that, plan what stayed.
import { html } from "../../../../vendor/ui.js";
import { serviceTime } from "../../../core/api.js";
import { t } from "../../../core/i18n.js";
import { may } from "../../../core/permissions.js";
import { idOf } from "../../../core/records.js";
import { session } from "../../../core/session.js";
import { useNow } from "../../../ui/connection.js";
import { Icon } from "../../../ui/parts.js";
import { actOn } from "../act_on.js";
import { ActionButton } from "../dialog_button.js";
import { OFFICE } from "../layout.js";

export default function Actions({ delivery, onStale }) {
  const { _id: id, status, missingPanes } = delivery;
  return html`${status === "planned" && may("panes:scan") && html`<a class="main-button" href=${`/floor/deliveries/${id}`}><${Icon} name="truck" />${t("delivery.handOver")}</a>`}
    ${missingPanes.length > 0 && may("orders:manage") && html`<a class="main-button" href=${`${OFFICE}/deliveries/new?rest=${id}`}><${Icon} name="plus" />${t("delivery.planRest")}</a>`}
    <${Undo} delivery=${delivery} onStale=${onStale} />`;
}

/** For an hour the worker who handed over may undo it; an order manager always may, later with a reason. */
function Undo({ delivery, onStale }) {
  const { status, undoableUntil, deliveredBy, panes } = delivery;
  const isRecent = Date.parse(undoableUntil) > serviceTime();
  useNow(isRecent); // until the hour is over
  const isOwn = isRecent && idOf(deliveredBy) === session.value.worker._id && may("panes:scan");
  if (status !== "delivered" || !(isOwn || may("orders:manage"))) return null;
  const reason = {
    name: "reason",
    label: t("delivery.undoReason"),
    kind: "textarea",
    rows: 2,
    wide: true,
    required: !isRecent,
  };
  return html`<${ActionButton} icon="undo-2" label=${t("delivery.undo")} hint=${t("delivery.undoHint")} isDanger record=${delivery} records=${panes.length}
    fields=${[reason]} send=${(values) => actOn("/deliveries", delivery, { action: "undo", body: values, records: panes.length, onStale })} />`;
}
