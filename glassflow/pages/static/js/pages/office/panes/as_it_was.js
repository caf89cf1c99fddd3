// A pane as it was at a moment: its state, route, order, lots, claims and what had happened.
import { html, useState } from "../../../../vendor/ui.js";
import { api } from "../../../core/api.js";
import { dateTime, number, t } from "../../../core/i18n.js";
import { fromLocal, LATEST, toLocal } from "../../../ui/moments.js";
import { Loaded, useResource } from "../../../ui/use_resource.js";
import { passportOf } from "../layout.js";
import { Empty, Station, Status } from "../parts.js";
import { latestFirst, Timeline } from "../timeline.js";
import { Route } from "./route.js";

const POPULATE = "mergedInto,routing,currentStation,worker";

async function read(pane, at) {
  const asked = { at, populate: POPULATE };
  const { data, warnings } = await api(`/panes/${encodeURIComponent(pane)}/passport?${new URLSearchParams(asked)}`);
  return { ...data, timeline: latestFirst(data.timeline, warnings) };
}

export default function AsItWas({ number: pane }) {
  const [at, setAt] = useState(() => new Date().toISOString());
  return html`<div class="field as-it-was"><label for="as-it-was">${t("panes.moment")}</label>
      <input id="as-it-was" type="datetime-local" max=${LATEST} value=${toLocal(at)} aria-describedby="as-it-was-fault"
        onChange=${(event) => event.target.value && setAt(fromLocal(event.target.value))} /></div>
    <${Moment} key=${at} pane=${pane} at=${at} />`;
}

function Moment({ pane, at }) {
  const passport = useResource(`passport ${pane} ${at}`, () => [() => read(pane, at)]);
  const [fault] = passport.error?.faults ?? [];
  if (fault) return html`<p class="field-fault" id="as-it-was-fault" role="alert">${fault.message}</p>`;
  const missing = html`<${Empty} icon="circle-help" title=${t("panes.notThere")} hint=${t("panes.notThereHint")} />`;
  return html`<${Loaded} of=${passport} missing=${missing}>${() => html`<${Passport} of=${passport} ...${passport.value} />`}<//>`;
}

function Passport({ of, pane, order, lots, claims, timeline, unknownBefore }) {
  const { width, height, thickness } = pane.dimensions;
  const size = [width, height, thickness]
    .filter((side) => side > 0)
    .map(number)
    .join(" × ");
  const links = (rows, name, href) =>
    rows.length > 0 &&
    rows.map(
      (row, index) => html`${index > 0 && ", "}
    ${href ? html`<a href=${href(row)}>${row[name]}</a>` : row[name]}`,
    );
  const facts = [
    ["field.status", html`<${Status} status=${pane.currentStatus} />`],
    ["field.currentStation", pane.currentStation && html`<${Station} station=${pane.currentStation} />`],
    ["field.dimensions", size && t("office.mm", { size })],
    ["field.order", order?.orderNumber],
    ["panes.lots", links(lots, "inventoryNumber")],
    ["office.claims", links(claims, "claimNumber")],
    [
      "field.mergedInto",
      pane.mergedInto?.paneNumber &&
        html`<a href=${passportOf(pane.mergedInto.paneNumber)}>${pane.mergedInto.paneNumber}</a>`,
    ],
    ["field.notes", pane.notes],
  ].filter(([, value]) => value);
  const events = { ...of, value: timeline };
  return html`${unknownBefore && html`<p class="warning">${t("panes.unknownBefore", { time: dateTime(new Date(unknownBefore)) })}</p>`}
    <dl>${facts.map(([name, value]) => html`<dt key=${name}>${t(name)}</dt><dd>${value}</dd>`)}</dl>
    <h3>${t("field.routing")}</h3><${Route} pane=${pane} />
    <h3>${t("office.timeline")}</h3><${Timeline} of=${events} />`;
}
