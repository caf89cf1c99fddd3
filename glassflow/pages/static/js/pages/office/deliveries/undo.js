// Undo one hand-over of a delivery.
import { html } from "../../../../vendor/ui.js";
import { serviceTime } from "../../../core/api.js";
import { t } from "../../../core/i18n.js";
import { may } from "../../../core/permissions.js";
import { session } from "../../../core/session.js";
import { useNow } from "../../../ui/connection.js";
import { actOn } from "../act_on.js";
import { ActionButton } from "../dialog_button.js";

/** For an hour the worker who handed over may undo it; an order manager always may, later with a reason. */
export function Undo({ delivery, handOver, isOnly, onStale }) {
  const { number, worker, undoableUntil, panes, left } = handOver;
  const isRecent = Date.parse(undoableUntil) > serviceTime();
  useNow(isRecent); // until the hour is over
  const isOwn = isRecent && worker === session.value.worker._id && may("panes:scan");
  if (!isOwn && !may("orders:manage")) return null;
  const claims = left.map(({ claimNumber }) => claimNumber).filter(Boolean);
  const reason = {
    name: "reason",
    label: t("delivery.undoReason"),
    kind: "textarea",
    rows: 2,
    wide: true,
    required: !isRecent,
  };
  return html`<${ActionButton} icon="undo-2" label=${t("delivery.undo")} hint=${t(isOnly ? "delivery.undoHint" : "delivery.undoOneHint")} isDanger
    about=${claims.length > 0 && html`<p>${t("delivery.undoClaims", { claims: claims.join(", ") })}</p>`}
    record=${delivery} records=${panes.length} fields=${[reason]}
    send=${({ reason: words }) => actOn("/deliveries", delivery, { action: "undo", body: { reason: words, handOver: number }, records: panes.length, onStale })} />`;
}
