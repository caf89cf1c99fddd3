// The sheets of a plan as drawings, live: panes are left out or moved to another plan before the
// release; afterwards a sheet is cut, and its cut is taken back.
import { html, useEffect, useRef, useState } from "../../../../vendor/ui.js";
import { api, serviceTime } from "../../../core/api.js";
import { date, dateTime, number, t } from "../../../core/i18n.js";
import { may } from "../../../core/permissions.js";
import { idOf } from "../../../core/records.js";
import { RetryKey } from "../../../core/retry_key.js";
import { useNow } from "../../../ui/connection.js";
import { Dialog } from "../../../ui/dialog.js";
import { Icon } from "../../../ui/parts.js";
import { SheetDrawing, size, stateOf } from "../../../ui/sheet_drawing.js";
import { Loaded, useResource } from "../../../ui/use_resource.js";
import { ActionButton, Refusal } from "../dialog_button.js";
import { OFFICE, passportOf } from "../layout.js";
import { sizeOf } from "../lots/parts.js";
import { urgency } from "../parts.js";
import { RESERVING } from "./parts.js";

const UNDO_MS = 3_600_000; // in which a cut can be taken back
const onSheet = (sheets, id) => sheets.some(({ panes }) => panes.some(({ _id }) => _id === id));

export function Sheets({ plan, onStale }) {
  const [pane, setPane] = useState(null);
  const sheets = useResource(`sheets ${plan._id}`, () => [
    async () => (await api(`/cutting-plans/${plan._id}/sheets`)).data.sheets,
    { "pane:updated": (value, { data }) => (onSheet(value, data?._id) ? undefined : value) },
  ]);
  const shown = useRef(plan.version);
  useEffect(() => {
    if (shown.current !== plan.version) sheets.load();
    shown.current = plan.version;
  }, [plan.version]);
  return html`<${Loaded} of=${sheets}>${() => sheets.value.length > 0 && html`<section class="sheets" aria-label=${t("cutting.sheets")}>
      ${sheets.value.map((sheet) => html`<${Sheet} key=${sheet.number} plan=${plan} sheet=${sheet} onPane=${setPane} onStale=${onStale} />`)}</section>
    ${pane && html`<${PaneDialog} plan=${plan} pane=${pane} onStale=${onStale} onClose=${() => setPane(null)} />`}`}<//>`;
}

const kindOf = ({ due, state }) => (state === "planned" ? urgency(due, serviceTime()) : "");
const lotLink = ({ _id, inventoryNumber }) => html`<a href=${`${OFFICE}/stock/${_id}`}>${inventoryNumber || "–"}</a>`;

function Sheet({ plan, sheet, onPane, onStale }) {
  const { number: n, lot, isRemnant, usePercent, remnants, cutAt, cutByName } = sheet;
  const id = `sheet-${n}`;
  return html`<article class="card sheet" aria-labelledby=${id} data-cut=${cutAt ? "" : null}>
    <h2 id=${id}>${t("cutting.sheet", { number: n })} <small>${sizeOf(sheet)}</small></h2>
    <p class="soft">${isRemnant && html`<strong>${t("stock.remnant")}</strong> `}${lotLink(lot)}${lot.location && ` · ${lot.location}`} · ${t("cutting.useOf", { percent: number(usePercent) })}</p>
    <${SheetDrawing} sheet=${sheet} onPane=${onPane} kindOf=${kindOf} />
    ${cutAt && html`<p class="cut"><${Icon} name="circle-check" />${t("cutting.cutBy", { name: cutByName, time: dateTime(new Date(cutAt)) })}</p>`}
    ${remnants.length > 0 && html`<p>${t("cutting.remnantsMade")}: ${remnants.map((one) => html`${lotLink(one)} `)}
      <a class="quiet-button" href=${`/floor/labels?lots=${remnants.map(({ _id }) => _id)}`}><${Icon} name="qr-code" />${t("stock.remnantLabels")}</a></p>`}
    ${may("panes:scan") && html`<${CutActions} plan=${plan} sheet=${sheet} onStale=${onStale} />`}</article>`;
}

/** The buttons of a sheet: that it is cut, or was not. */
function CutActions({ plan, sheet, onStale }) {
  const [retryKey] = useState(() => new RetryKey());
  const isRecent = sheet.cutAt && new Date(sheet.cutAt).getTime() + UNDO_MS > serviceTime();
  useNow(Boolean(isRecent)); // until the hour is over
  const send = (action) => async (values) => {
    await retryKey.post(`/cutting-plans/${plan._id}/sheets/${sheet.number}/${action}`, values);
    onStale();
  };
  if (isRecent && ["done", ...RESERVING].includes(plan.status))
    return html`<${ActionButton} icon="undo-2" label=${t("cutting.undo")} hint=${t("cutting.undoHint")} isDanger record=${sheet}
      fields=${[{ name: "reason", label: t("field.reason"), wide: true }]} send=${send("undo")} />`;
  const planned = sheet.panes.filter(({ state }) => state === "planned");
  if (sheet.cutAt || !RESERVING.includes(plan.status) || !planned.length) return null;
  const fields = [
    { name: "broken", label: t("cutting.broken"), kind: "custom", wide: true, draw: brokenChoice(planned) },
    ...(sheet.rests.some(({ isKept }) => isKept)
      ? [{ name: "location", label: t("cutting.remnantPlace"), hint: t("cutting.remnantPlaceHint"), wide: true }]
      : []),
  ];
  return html`<${ActionButton} icon="check" label=${t("cutting.sheetDone")} hint=${t("cutting.sheetDoneHint", { count: planned.length })} isMain
    record=${sheet} records=${planned.length} fields=${fields} initial=${{ broken: [] }} send=${send("cut")} />`;
}

const brokenChoice =
  (panes) =>
  ({ id, value, onChange }) => {
    const set = (pane, isBroken) => onChange(isBroken ? [...value, pane] : value.filter((one) => one !== pane));
    return html`<div class="broken-panes" id=${id} role="group" aria-label=${t("cutting.broken")}>${panes.map((pane) => html`<label key=${pane._id}>
      <input type="checkbox" checked=${value.includes(pane._id)} onChange=${({ target }) => set(pane._id, target.checked)} />${pane.paneNumber}
      <span class="soft">${size(pane)}</span></label>`)}</div>`;
  };

/** What a pane is, and where else it can go as long as the plan is proposed. */
function PaneDialog({ plan, pane, onStale, onClose }) {
  const [{ sending, error }, setState] = useState({});
  const others = useResource(`plans beside ${plan._id}`, () => [() => proposedBeside(plan), {}]);
  const mayChange = plan.status === "proposed" && may("inventory:manage");
  const leave = async (to) => {
    setState({ sending: true });
    try {
      // it is in both plans for a moment: a proposed plan reserves nothing
      if (to) await change(to, [...to.panes, pane._id]);
      await change(
        plan,
        plan.panes.filter((one) => idOf(one) !== pane._id),
      );
      onStale();
      onClose();
    } catch (failure) {
      setState({ error: failure });
    }
  };
  const facts = [
    [t("cutting.state"), stateOf(pane)],
    [t("cutting.size"), sizeOf(pane) + (pane.isTurned ? ` · ${t("cutting.turned")}` : "")],
    [t("field.order"), pane.orderNumber],
    [t("cuttingfigure.due"), pane.due && date(new Date(pane.due))],
    [t("cutting.nextStation"), pane.nextStation],
    [t("field.rack"), pane.rack],
  ];
  return html`<${Dialog} title=${[pane.paneNumber, pane.mark].filter(Boolean).join(" · ")} className="with-form" onClose=${onClose}>
    <dl>${facts.filter(([, words]) => words).map(([name, words]) => html`<dt key=${name}>${name}</dt><dd>${words}</dd>`)}</dl>
    <${Refusal} error=${error} />
    <div class="form-buttons"><a class="quiet-button" href=${`${passportOf(pane.paneNumber)}?from=cutting`}><${Icon} name="arrow-right" />${t("cutting.passport")}</a>
      ${mayChange && plan.panes.length > 1 && html`<button type="button" class="quiet-button" disabled=${sending} onClick=${() => leave(null)}><${Icon} name="x" />${t("cutting.leaveOut")}</button>`}
      ${mayChange && plan.panes.length > 1 && others.value?.map((one) => html`<button key=${one._id} type="button" class="quiet-button" disabled=${sending} onClick=${() => leave(one)}>
        <${Icon} name="move" />${t("cutting.moveTo", { plan: one.planNumber })}</button>`)}</div><//>`;
}

const change = (plan, panes) =>
  api(`/cutting-plans/${plan._id}`, { method: "PATCH", body: { panes }, headers: { "If-Match": `"${plan.version}"` } });

/** The other proposed plans of the material, the latest first. */
async function proposedBeside(plan) {
  const query = new URLSearchParams({
    material: idOf(plan.material),
    status: "proposed",
    sort: "-createdAt",
    limit: "6",
  });
  const { data } = await api(`/cutting-plans?${query}`);
  return data.filter(({ _id }) => _id !== plan._id);
}
