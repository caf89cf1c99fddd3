// What can be done with a delivery: hand it over, print its note, undo it, plan what stayed.
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
import { PdfButton } from "../pdf_button.js";

const LANGUAGES = ["th", "en"];

export default function Actions({ delivery, onStale }) {
  const { _id: id, status, missingPanes, language } = delivery;
  const isPlanned = status === "planned";
  const inOrder = [language, ...LANGUAGES.filter((one) => one !== language)];
  return html`${isPlanned && may("panes:scan") && html`<a class="main-button" href=${`/floor/deliveries/${id}`}><${Icon} name="truck" />${t("delivery.handOver")}</a>`}
    ${missingPanes.length > 0 && may("orders:manage") && html`<a class="main-button" href=${`${OFFICE}/deliveries/new?rest=${id}`}><${Icon} name="plus" />${t("delivery.planRest")}</a>`}
    ${inOrder.map((one) => html`<${PdfButton} key=${one} path=${`/deliveries/${id}/pdf?language=${one}`} label=${t(`deliverynote.${one}`)} />`)}
    <${Undo} delivery=${delivery} onStale=${onStale} />`;
}

/** For a while, whoever handed over may take it back, and who manages orders. */
function Undo({ delivery, onStale }) {
  const { undoableUntil, deliveredBy, panes } = delivery;
  const now = serviceTime(useNow(Boolean(undoableUntil)));
  const isOwn = idOf(deliveredBy) === session.value.worker._id && may("panes:scan");
  if (!undoableUntil || Date.parse(undoableUntil) < now || !(isOwn || may("orders:manage"))) return null;
  return html`<${ActionButton} icon="undo-2" label=${t("delivery.undo")} hint=${t("delivery.undoHint")} isDanger record=${delivery} records=${panes.length}
    send=${() => actOn("/deliveries", delivery, { action: "undo", body: {}, records: panes.length, onStale })} />`;
}
