// The passport of a pane: drawing, route, timeline, remakes, claims and its unit; live.
import { html, useRef, useState } from "../../../../vendor/ui.js";
import { api } from "../../../core/api.js";
import { dateTime, number, t } from "../../../core/i18n.js";
import { OPEN } from "../../../core/pane_flow.js";
import { may, seesPrices } from "../../../core/permissions.js";
import { idOf, updated, withChange } from "../../../core/records.js";
import { Drawing } from "../../../ui/drawing.js";
import { Findings } from "../../../ui/findings.js";
import { Lazy } from "../../../ui/lazy.js";
import { Icon } from "../../../ui/parts.js";
import { Loaded, useResource } from "../../../ui/use_resource.js";
import { Back } from "../back.js";
import { CopyRequest } from "../copy_request.js";
import { Head, Office, OFFICE } from "../layout.js";
import { baht } from "../money.js";
import { hasPrice } from "../panes_of.js";
import { Deadline, Empty, Station, Status } from "../parts.js";
import History from "../history.js";
import { Timeline, useTimeline } from "../timeline.js";
import { Related } from "./related.js";
import { Route } from "./route.js";
import { isClaimable, isCorrectable } from "../pane_rules.js";

export const title = "office.pane";
export const styles = ["pages/office/panes/panes", "ui/drawing", "ui/grid", "ui/station_colors"];

const POPULATE = "order.customer,request,material,remakeOf,mergedInto,routing,currentStation,rack";

async function readPane(number) {
  return (await api(`/panes/${encodeURIComponent(number)}?populate=${POPULATE}`)).data;
}

async function readRelated(number) {
  const path = `/panes/${encodeURIComponent(number)}/related?populate=defectStation`;
  return (await api(path)).data;
}

/** The related records after an event of a pane; undefined where a new one belongs to them. */
function withRelated(related, payload, pane) {
  const { data } = payload;
  const belongs = {
    remakes: pane && idOf(data.remakeOf) === pane._id,
    unit: pane && idOf(data.parentPane) === (idOf(pane.parentPane) ?? pane._id),
  };
  const next = { ...related };
  for (const name of Object.keys(belongs)) {
    const known = related[name].some(({ _id }) => _id === data._id);
    if (known) next[name] = withChange(related[name], payload);
    else if (belongs[name]) return undefined;
  }
  return next;
}

export default function Passport({ number: wanted }) {
  const pane = useResource(`pane ${wanted}`, () => [
    () => readPane(wanted),
    {
      "pane:updated": (value, { action, data }) =>
        data._id !== value._id
          ? value
          : action === "deleted" || idOf(data.mergedInto) !== idOf(value.mergedInto)
            ? undefined
            : updated(value, data),
      "request:updated": (value, { data }) => (idOf(value.request) === data._id ? undefined : value),
    },
  ]);
  const current = useRef(); // for the handlers of events
  const record = (current.current = pane.value);
  const timeline = useTimeline(wanted, current);
  const related = useResource(`related ${wanted}`, () => [
    () => readRelated(wanted),
    {
      "pane:updated": (value, payload) => withRelated(value, payload, current.current),
      "claim:updated": (value, { data }) => (idOf(data.pane) === current.current?._id ? undefined : value),
    },
  ]);
  return html`<${Office}>
    <${Head}>
      <${Back} section="panes" record=${record} owners=${["order", "request"]} />
      <h1 tabindex="-1">${record?.paneNumber ?? wanted}</h1>
      ${record && html`<${Status} status=${record.currentStatus} />`}
    <//>
    <${Loaded} of=${pane} missing=${html`<${Empty} icon="circle-help"
      title=${t("office.noPane", { number: wanted })} hint=${t("office.noPaneHint")} />`}>${() => html`
      <div class="passport">
        <div>
          <${Facts} pane=${record} related=${related.value} onStale=${pane.load} />
          <section class="card" aria-label=${t("field.dimensions")}><${Drawing} pane=${record} /></section>
          ${record.makeability?.length > 0 && html`<section class="card" aria-labelledby="makeability">
            <h2 id="makeability">${t("field.makeability")}</h2><${Findings} findings=${record.makeability} />
            ${record.overrideReason && html`<p><span class="soft">${t("field.overrideReason")}:</span> ${record.overrideReason}</p>`}</section>`}
        </div>
        <div>
          <section class="card" aria-labelledby="route">
            <h2 id="route">${t("field.routing")}</h2><${Route} pane=${record} />
          </section>
          <${Loaded} of=${related}>${() => html`<${Related} pane=${record} ...${related.value} />`}<//>
          <section class="card" aria-labelledby="timeline">
            <h2 id="timeline">${t("office.timeline")}</h2><${Timeline} of=${timeline} />
          </section>
        </div>
      </div>
      <${AsItWas} key=${wanted} number=${wanted} />
      <${History} path=${`/panes/${record._id}`} version=${record.version} />`}
    <//>
  <//>`;
}

/** The pane at a moment that is asked for; loaded when it is opened. */
function AsItWas({ number: wanted }) {
  const [open, setOpen] = useState(false);
  return html`<details class="card record-history" onToggle=${(event) => setOpen(event.target.open)}>
    <summary class="quiet-button"><${Icon} name="clock" />${t("panes.asItWas")}</summary>
    ${open && html`<${Lazy} load=${() => import("./as_it_was.js")} number=${wanted} />`}
  </details>`;
}

const standsOn = ({ rackNumber, name, place }) => [rackNumber, name, place].filter(Boolean).join(" · ");

function Facts({ pane, related, onStale }) {
  const [open, setOpen] = useState(""); // "correct" or "edit"
  const { width, height, thickness } = pane.dimensions;
  const size = [width, height, thickness]
    .filter((side) => side > 0)
    .map(number)
    .join(" × ");
  const facts = [
    ["field.currentStation", pane.currentStation && html`<${Station} station=${pane.currentStation} />`],
    [
      "field.rack",
      pane.rack?.rackNumber && html`<a href=${`${OFFICE}/racks/${pane.rack._id}`}>${standsOn(pane.rack)}</a>`,
    ],
    ["panes.since", pane.arrivedAt && dateTime(new Date(pane.arrivedAt))],
    ["field.customer", pane.order?.customer?.name],
    ["field.request", pane.request?.requestNumber],
    [
      "office.due",
      pane.request?.deadline &&
        html`<${Deadline} deadline=${pane.request.deadline}
      isOpen=${OPEN.includes(pane.currentStatus)} />`,
    ],
    ["field.mark", pane.mark],
    ["field.dimensions", size && t("office.mm", { size })],
    ["field.material", pane.material?.name],
    ["field.agreedPrice", seesPrices() && hasPrice(pane) && baht(pane.agreedPrice)],
    ["field.labelledAt", pane.labelledAt && dateTime(new Date(pane.labelledAt))],
    ["field.notes", pane.notes],
  ].filter(([, value]) => value);
  return html`<section class="card" aria-labelledby="facts">
    <h2 id="facts">${pane.glassTypeLabel || t("field.details")}</h2>
    <dl>${facts.map(([name, value]) => html`<dt key=${name}>${t(name)}</dt><dd>${value}</dd>`)}</dl>
    <${Actions} pane=${pane} related=${related} onOpen=${setOpen} />
    ${open && html`<${Lazy} key=${open} load=${DIALOGS[open]} pane=${pane} onStale=${onStale} onClose=${() => setOpen("")} />`}
  </section>`;
}

const DIALOGS = { correct: () => import("./correct.js"), edit: () => import("./edit.js") };

/** What the worker may do with the pane. */
function Actions({ pane, related, onOpen }) {
  const number = encodeURIComponent(pane.paneNumber);
  const button = (name, icon, text) => html`<button type="button" class="quiet-button" onClick=${() => onOpen(name)}>
    <${Icon} name=${icon} />${text}</button>`;
  return html`<div class="form-buttons">
    <a class="main-button" href=${`/floor/labels?panes=${number}`}><${Icon} name="printer" />${t("office.printLabels")}</a>
    <${CopyRequest} request=${pane.request} />
    ${related && may("claims:create") && isClaimable(pane, related) && html`<a class="quiet-button"
      href=${`${OFFICE}/claims/new?pane=${number}`}><${Icon} name="triangle-alert" />${t("office.claim")}</a>`}
    ${may("panes:manage") && isCorrectable(pane) && button("correct", "move", t("panes.correct"))}
    ${may("panes:manage") && button("edit", "pencil", t("form.editDetails"))}
  </div>`;
}
