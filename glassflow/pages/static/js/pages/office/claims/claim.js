// One claim: its photos, the defect, the timeline of its pane, and the decision; live.
import { html, useEffect, useRef, useState } from "../../../../vendor/ui.js";
import { dateTime, t } from "../../../core/i18n.js";
import { may } from "../../../core/permissions.js";
import { idOf } from "../../../core/records.js";
import { go } from "../../../core/router.js";
import { session } from "../../../core/session.js";
import { Lazy } from "../../../ui/lazy.js";
import { Icon } from "../../../ui/parts.js";
import { Loaded } from "../../../ui/use_resource.js";
import { useRecord } from "../../../ui/use_record.js";
import { Back } from "../back.js";
import { Delete } from "../delete.js";
import { Gallery } from "../gallery.js";
import History from "../history.js";
import { Head, Office, OFFICE, ORDERS, passportOf } from "../layout.js";
import { Empty, Station, Status } from "../parts.js";
import { Timeline, useTimeline } from "../timeline.js";
import { Decision } from "./decision.js";

export const title = "claims.one";
export const styles = [
  "pages/office/requests/requests",
  "pages/office/claims/claims",
  "ui/photos",
  "ui/station_colors",
];

const POPULATE = "order,pane,material,reportedBy,approvedBy,createdBy,remadePane,defectStation,remakeStation";

export default function Claim({ id }) {
  const claim = useRecord("claims", id, "claim:updated", POPULATE);
  const { value } = claim;
  // whoever watches sees who decided it, and the remake, which no event names
  const isDecided = value && value.status !== "pending";
  useEffect(() => void (isDecided && typeof value.approvedBy === "string" && claim.load()), [isDecided]);
  const missing = html`<${Empty} icon="circle-help" title=${t("office.gone")} hint=${t("office.goneHint")} />`;
  const canDelete = value?.status === "pending" && may("claims:manage");
  return html`<${Office}><${Head}>
      <${Back} section="claims" record=${value} />
      <h1 tabindex="-1">${value?.claimNumber ?? t("claims.one")}</h1>
      ${value && html`<${Status} status=${value.status} />`}
      ${canDelete && html`<${Delete} record=${value} name=${value.claimNumber} path="/claims"
        onDeleted=${() => go(`${OFFICE}/claims`)} />`}<//>
    <${Loaded} of=${claim} missing=${missing}>${() => value === null ? missing : html`<div class="passport">
      <div><${Facts} claim=${value} onStale=${claim.load} /></div>
      <div><${Decision} key=${`${id} ${value.status}`} claim=${value} onStale=${claim.load} />
        ${value.pane?.paneNumber && html`<${PaneTimeline} key=${value.pane._id} pane=${value.pane} />`}</div>
    </div><${History} path=${`/claims/${value._id}`} version=${value.version} />`}<//><//>`;
}

function PaneTimeline({ pane }) {
  const current = useRef(pane);
  const timeline = useTimeline(pane.paneNumber, current);
  return html`<section class="card" aria-labelledby="timeline">
    <h2 id="timeline">${t("claims.timeline", { number: pane.paneNumber })}</h2><${Timeline} of=${timeline} /></section>`;
}

function Facts({ claim, onStale }) {
  const [isEditing, setEditing] = useState(false);
  const { order, pane, material } = claim;
  const facts = [
    ["field.pane", pane?.paneNumber && html`<a href=${passportOf(pane.paneNumber)}>${pane.paneNumber}</a>`],
    ["field.order", order?.orderNumber && html`<a href=${`${ORDERS}/${order._id}`}>${order.orderNumber}</a>`],
    ["field.material", material?.name],
    ["field.defectStation", claim.defectStation && html`<${Station} station=${claim.defectStation} />`],
    ["field.source", t(`claimssource.${claim.source}`)],
    ["field.reportedBy", claim.reportedBy?.name],
    ["claims.createdBy", claim.createdBy && idOf(claim.createdBy) !== idOf(claim.reportedBy) && claim.createdBy.name],
    ["field.claimDate", dateTime(new Date(claim.claimDate))],
  ].filter(([, shown]) => shown);
  const mayEdit = may("claims:manage") || idOf(claim.reportedBy) === session.value.worker._id;
  return html`<section class="card" aria-labelledby="facts">
    <h2 id="facts">${claim.defectCode ? t(`defect.${claim.defectCode}`) : t("field.defectCode")}</h2>
    <p class="about">${claim.description}</p>
    <${Gallery} photos=${claim.photos} />
    ${!claim.photos.length && html`<p class="soft">${t("claims.noPhotos")}</p>`}
    <dl>${facts.map(([name, shown]) => html`<dt key=${name}>${t(name)}</dt><dd>${shown}</dd>`)}</dl>
    ${mayEdit && html`<div class="form-buttons"><button type="button" class="quiet-button" onClick=${() => setEditing(true)}>
      <${Icon} name="pencil" />${t("form.editDetails")}</button></div>`}
    ${isEditing && html`<${Lazy} load=${() => import("./edit.js")} claim=${claim} onStale=${onStale} onClose=${() => setEditing(false)} />`}
  </section>`;
}
