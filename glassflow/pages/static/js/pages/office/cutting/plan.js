// One cutting plan: how good it is, its sheets as drawings, live, and what is done with it.
import { html, useEffect, useRef } from "../../../../vendor/ui.js";
import { api } from "../../../core/api.js";
import { dateTime, number, t } from "../../../core/i18n.js";
import { may } from "../../../core/permissions.js";
import { lang } from "../../../core/preferences.js";
import { idOf } from "../../../core/records.js";
import { Icon } from "../../../ui/parts.js";
import { actOn } from "../act_on.js";
import { ActionButton } from "../dialog_button.js";
import { FactsCard } from "../facts_card.js";
import { KnownRecordPage } from "../known_record.js";
import { OFFICE } from "../layout.js";
import { PdfButton } from "../pdf_button.js";
import { isSearching, PlanStatus, RESERVING, Unplanned, usePercent } from "./parts.js";
import { Sheets } from "./sheets.js";

export const title = "cutting.plan";
export const styles = ["pages/office/cutting/cutting"];

const POPULATE = "material,releasedBy,cancelledBy";
const notes = () => [{ name: "notes", label: t("field.notes"), kind: "textarea", wide: true }];

export default function Plan({ id }) {
  return html`<${KnownRecordPage} section="cutting" resource="cutting-plans" id=${id} event="planning:updated" populate=${POPULATE}
    manage="inventory:manage" nameOf=${({ planNumber }) => planNumber} fields=${notes()}
    canDelete=${({ status }) => ["proposed", "cancelled"].includes(status)}
    actions=${(plan, load) => html`<${PlanStatus} status=${plan.status} />${may("inventory:manage") && html`<${Actions} plan=${plan} onStale=${load} />`}`}
    above=${(plan, load) => html`<${Search} plan=${plan} onStale=${load} /><${Facts} plan=${plan} /><${NotInPlan} plan=${plan} />
      <${Sheets} plan=${plan} onStale=${load} />`} />`;
}

function Actions({ plan, onStale }) {
  const act = (action) => (body) =>
    actOn("/cutting-plans", plan, { action, body, records: plan.panes.length, onStale });
  const allWaiting = { name: "allWaiting", label: t("cutting.allWaiting"), kind: "checkbox", wide: true };
  const isProposed = plan.status === "proposed";
  return html`
    ${isProposed && plan.figures.panes > 0 && html`<${ActionButton} icon="lock" label=${t("cutting.release")} hint=${t("cutting.releaseHint")} isMain
      record=${plan} records=${plan.panes.length} send=${() => act("release")()} />`}
    ${isProposed && html`<${ActionButton} icon="refresh-cw" label=${t("cutting.again")} hint=${t("cutting.againHint")} record=${plan}
      fields=${[allWaiting]} initial=${{ allWaiting: true }} send=${act("improve")} />`}
    ${[...RESERVING, "proposed"].includes(plan.status) && html`<${ActionButton} icon="ban" label=${t("cutting.cancel")} isDanger
      hint=${t(isProposed ? "cutting.cancelProposedHint" : "cutting.cancelHint")} record=${plan} records=${plan.panes.length} send=${() => act("cancel")()} />`}`;
}

/** That a better plan is searched for; the search ends with the page that shows it. */
function Search({ plan, onStale }) {
  const last = useRef(plan);
  last.current = plan;
  const stop = () => api(`/cutting-plans/${plan._id}/stop`, { method: "POST" });
  useEffect(
    () => () => {
      const { current } = last;
      // one that has found nothing yet was asked for, and goes on
      if (isSearching(current) && current.figures.panes && may("inventory:manage")) stop().catch(() => {});
    },
    [],
  );
  const failed = plan.status === "proposed" && plan.searchStatus === "failed";
  return html`<div class="cutting-search" role="status">${isSearching(plan) && html`<p><${Icon} name="hourglass" />${t(plan.figures.panes ? "cutting.searchingBetter" : "cutting.searching", { seconds: plan.searchSeconds })}
      ${plan.figures.panes > 0 && may("inventory:manage") && html`<button type="button" class="quiet-button" onClick=${() => stop().then(onStale, onStale)}>
        <${Icon} name="square" />${t("cutting.stop")}</button>`}</p>`}
    ${failed && html`<p class="fault"><${Icon} name="circle-alert" />${t("cutting.searchFailed")}</p>`}</div>`;
}

const area = (m2) => t("today.area", { area: number(Math.round(m2 * 100) / 100) });

function Facts({ plan }) {
  const { figures, material, status } = plan;
  const by = (worker, at) => at && [worker?.name, dateTime(new Date(at))].filter(Boolean).join(" · ");
  const href = may("materials:view") ? `${OFFICE}/materials/${idOf(material)}?from=cutting` : undefined;
  const without = figures.sheetAreaWithoutRemnants;
  const facts = [
    [t("field.material"), html`<a href=${href}>${material?.name ?? "–"}</a>`],
    [t("cutting.panesOf"), t("cutting.ofPanes", { count: number(figures.panes), all: number(plan.panes.length) })],
    [t("cutting.newSheets"), figures.sheets > 0 && `${number(figures.sheets)} · ${area(figures.sheetArea)}`],
    [
      t("cutting.remnantsUsed"),
      figures.remnants > 0 && `${number(figures.remnants)} · ${area(figures.remnantAreaUsed)}`,
    ],
    [t("cutting.remnantsMade"), figures.remnantAreaMade > 0 && area(figures.remnantAreaMade)],
    [t("cutting.use"), usePercent(figures)],
    [
      t("cutting.withoutRemnants"),
      without !== null &&
        figures.remnants > 0 &&
        t("cutting.saved", { without: area(without), saved: area(without - figures.sheetArea) }),
    ],
    [t("field.releasedBy"), by(plan.releasedBy, plan.releasedAt)],
    [t("field.doneAt"), status === "done" && plan.doneAt && dateTime(new Date(plan.doneAt))],
    [t("field.cancelledBy"), by(plan.cancelledBy, plan.cancelledAt)],
  ];
  const file = (format) => `/cutting-plans/${plan._id}/${format}?language=${lang.value}`;
  return html`<${FactsCard} id="plan-facts" title=${t("field.figures")} facts=${facts}>
    ${figures.panes > 0 && html`<p class="files"><${PdfButton} path=${file("pdf")} label=${t("cutting.pdf")} /><${PdfButton} path=${file("csv")} label=${t("cutting.csv")} /></p>`}<//>`;
}

function NotInPlan({ plan: { unplanned } }) {
  if (!unplanned.length) return null;
  const reasons = [...new Set(unplanned.map(({ reason }) => reason))];
  const groups = reasons.map((reason) => {
    const panes = unplanned.filter((one) => one.reason === reason);
    return { reason, count: panes.length, panes: panes.map(({ pane, paneNumber }) => ({ _id: pane, paneNumber })) };
  });
  return html`<section class="card" aria-labelledby="unplanned"><h2 id="unplanned">${t("field.unplanned")}</h2>
    ${groups.map((one) => html`<div key=${one.reason} class="unplanned"><${Unplanned} of=${one} /></div>`)}</section>`;
}
