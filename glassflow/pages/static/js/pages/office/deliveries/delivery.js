// One delivery: a planned one in a form, its panes, what came of it, and what can be done.
import { html, useState } from "../../../../vendor/ui.js";
import { t } from "../../../core/i18n.js";
import { may } from "../../../core/permissions.js";
import { Lazy } from "../../../ui/lazy.js";
import { Icon } from "../../../ui/parts.js";
import { KnownRecordPage } from "../known_record.js";
import { OFFICE } from "../layout.js";
import { Standing } from "../standing/slot.js";
import { changeBody, fieldsOf } from "./fields.js";
import { DeliveryStatus } from "./status.js";

export const title = "delivery.one";
export const styles = [
  "ui/station_colors",
  "pages/office/choice_groups",
  "pages/office/deliveries/deliveries",
  "pages/office/standing/standing",
];

const choice = () => import("./pane_choice.js");
const beforeLeaving = () => import("./before_leaving.js");
const oneAddress = () => import("./one_address.js");
const contents = () => import("./contents.js");
const isPlanned = ({ status }) => status === "planned";

export default function DeliveryPage({ id }) {
  return html`<${KnownRecordPage} section="deliveries" resource="deliveries" id=${id} event="delivery:updated"
    populate="customer,driver" manage="orders:manage" nameOf=${({ deliveryNumber }) => deliveryNumber}
    fields=${fieldsOf()} toBody=${changeBody} records=${({ panes }) => panes.length}
    isClosed=${(delivery) => !isPlanned(delivery)} canDelete=${isPlanned}
    actions=${(delivery) => html`<${DeliveryStatus} ...${delivery} /><${Actions} delivery=${delivery} />`}
    above=${(delivery, load) => html`<${Standing} kind="delivery" id=${delivery._id} />
      ${isPlanned(delivery) && html`<${Lazy} load=${beforeLeaving} delivery=${delivery} onStale=${load} />`}`}
    below=${(delivery, load) => html`<${Lazy} load=${contents} delivery=${delivery} onStale=${load} />`}>
    ${(form) => isPlanned(form.values) && may("orders:manage") && html`<${Panes} id=${id} form=${form} />`}<//>`;
}

/** The choice of other panes, once somebody wants one. */
function Panes({ id, form }) {
  const [isOpen, setOpen] = useState(false);
  const { code } = form.error ?? {};
  if (isOpen || code === "PANES_REFUSED" || code === "SEVERAL_PLACES")
    return html`<${Lazy} load=${choice} id=${id} ...${form} />
      ${code === "SEVERAL_PLACES" && html`<${Lazy} load=${oneAddress} ...${form} />`}`;
  return html`<div class="form-buttons"><button type="button" class="quiet-button" onClick=${() => setOpen(true)}>
    <${Icon} name="layers" />${t("delivery.changePanes")}</button></div>`;
}

/** Hand it over, plan what came back. */
function Actions({ delivery: { _id: id, status, missingPanes } }) {
  return html`${status === "planned" && may("panes:scan") && html`<a class="main-button" href=${`/floor/deliveries/${id}`}><${Icon} name="truck" />${t("delivery.handOver")}</a>`}
    ${missingPanes.length > 0 && may("orders:manage") && html`<a class="main-button" href=${`${OFFICE}/deliveries/new?rest=${id}`}><${Icon} name="plus" />${t("delivery.planRest")}</a>`}`;
}
