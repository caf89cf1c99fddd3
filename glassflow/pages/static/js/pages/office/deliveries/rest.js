// What came back from a delivery, for a new one: which panes it begins with, and which it leaves out.
import { html } from "../../../../vendor/ui.js";
import { api } from "../../../core/api.js";
import { number, t } from "../../../core/i18n.js";
import { may } from "../../../core/permissions.js";
import { Icon } from "../../../ui/parts.js";
import { Loaded } from "../../../ui/use_resource.js";
import { OFFICE, passportOf } from "../layout.js";
import { readChecklist, useChecklist } from "./checklist.js";
import { reasonOf } from "./status.js";

const CAN_BE_DELIVERED = ["ready", "unfinished"];
const canBe = ({ state }) => CAN_BE_DELIVERED.includes(state);

/** The values that a delivery of the rest of the delivery `id` begins with. */
export async function readRest(id) {
  const [{ data }, checklist] = await Promise.all([api(`/deliveries/${encodeURIComponent(id)}`), readChecklist(id)]);
  const { customer, recipient, address, contact, phone, notes, language } = data;
  const panes = checklist.missingPanes.filter(canBe).map(({ _id }) => _id);
  // where a request names another place now, the service takes that
  const to = checklist.changedPlaces.length > 0 ? {} : { address, contact, phone };
  return { customer, recipient, ...to, notes, language, panes };
}

/** Why each pane came back, and why some of them cannot be planned. */
export default function Rest({ id }) {
  const checklist = useChecklist(id);
  return html`<section class="card rest" aria-labelledby="rest"><${Loaded} of=${checklist}>${() => html`<${Panes} ...${checklist.value} />`}<//></section>`;
}

function Panes({ _id, deliveryNumber, missingPanes, handOvers = [] }) {
  const groups = [
    ["chosen", missingPanes.filter(canBe)],
    ["leftOut", missingPanes.filter((one) => !canBe(one))],
  ];
  const claims = new Map(
    handOvers.flatMap(({ left }) => left.filter(({ claim }) => claim).map((one) => [one.pane, one])),
  );
  const title = html`<a href=${`${OFFICE}/deliveries/${_id}`}>${deliveryNumber}</a>`;
  return html`<h2 id="rest">${t("delivery.restOf")} ${title}</h2>
    ${missingPanes.length === 0 && html`<p class="soft">${t("delivery.noneWaits")}</p>`}
    ${groups.filter(([, panes]) => panes.length).map(([name, panes]) => html`<h3 key=${name}>${t(`deliveryrest.${name}`)} <b>${number(panes.length)}</b></h3>
      <ul key=${`${name} panes`}>${panes.map((one) => html`<li key=${one._id}><a href=${passportOf(one.paneNumber)}>${one.paneNumber}</a>
        ${one.reason && html`<span>${reasonOf(one.reason)}</span>`}
        ${!canBe(one) && html`<${Obstacle} state=${one.state} row=${claims.get(one._id)} />`}</li>`)}</ul>`)}`;
}

function Obstacle({ state, row }) {
  const link =
    row?.claim && may("claims:view")
      ? html`<a href=${`${OFFICE}/claims/${row.claim}`}>${row.claimNumber}</a>`
      : row?.claimNumber;
  return html`<span class="obstacle"><${Icon} name="triangle-alert" />${t(`deliverywhy.${state}`)} ${state === "claimed" && link}</span>`;
}
