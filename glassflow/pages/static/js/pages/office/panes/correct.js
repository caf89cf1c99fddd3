// The form that corrects where a pane is: its status, station and route, with a reason.
import { html } from "../../../../vendor/ui.js";
import { number, t } from "../../../core/i18n.js";
import { OPEN } from "../../../core/pane_flow.js";
import { idOf } from "../../../core/records.js";
import { nameOf } from "../../../core/station_names.js";
import { stationOf } from "../../../core/stations.js";
import { Dialog } from "../../../ui/dialog.js";
import { Form } from "../../../ui/form.js";
import { baht } from "../money.js";
import { Station, Status } from "../parts.js";
import RouteField from "../route_field.js";
import { statusesFor } from "../pane_rules.js";

/** A pane with ids in place of the stations that its form lets choose. */
const plain = (pane) => ({ ...pane, currentStation: idOf(pane.currentStation), routing: pane.routing.map(idOf) });

/** Status, station and route of a pane, with the reason that its log keeps. */
export default function CorrectDialog({ pane, onStale, onClose }) {
  const check = ({ correctionReason }) =>
    correctionReason?.trim() ? {} : { correctionReason: [t("panes.reasonMissing")] };
  return html`<${Dialog} title=${t("panes.correct")} onClose=${onClose}>
    <p class="soft">${t("panes.correctHint")}</p>
    <${Form} fields=${correctionFields(pane)} record=${plain(pane)} path="/panes" check=${check} toBody=${correctionBody}
      onStale=${onStale} onSaved=${onClose} submit=${t("panes.correct")}>${({ values }) => html`
      <${Said} pane=${pane} values=${values} />`}<//><//>`;
}

function correctionFields(pane) {
  const isParent = pane.laminateRole === "parent";
  const steps = [...new Set(pane.routing.map(idOf))];
  const station = (id) => ({ value: id, label: stationOf(id) ? nameOf(stationOf(id)) : t("office.unknownStation") });
  return [
    {
      name: "currentStatus",
      label: t("field.status"),
      kind: "select",
      options: statusesFor(pane).map((value) => ({ value, label: t(`status.${value}`) })),
    },
    {
      name: "currentStation",
      label: t("field.currentStation"),
      kind: "select",
      empty: t("office.noStation"),
      options: steps.map(station),
      isShown: ({ currentStatus }) => !isParent && OPEN.includes(currentStatus),
    },
    {
      name: "routing",
      label: t("field.routing"),
      kind: "custom",
      wide: true,
      show: (ids) => ids.map((id) => station(id).label).join(" → "),
      draw: (field) => html`<${RouteField} ...${field} />`,
    },
    { name: "correctionReason", label: t("form.reason"), hint: t("panes.reasonHint"), required: true, wide: true },
  ];
}

// A pane that is closed has no station: one that is still chosen is not sent.
function correctionBody(values, changed) {
  const { currentStation, ...rest } = changed;
  const isSent = currentStation !== undefined && OPEN.includes(values.currentStatus);
  return isSent ? { ...rest, currentStation } : rest;
}

/** What the correction will do. */
function Said({ pane, values }) {
  const isOpen = OPEN.includes(values.currentStatus);
  const moves =
    values.currentStatus !== pane.currentStatus || (isOpen && values.currentStation !== idOf(pane.currentStation));
  if (!moves) return null;
  return html`<p class="status-line"><${Status} status=${pane.currentStatus} />
    ${pane.currentStation && html`<${Station} station=${pane.currentStation} />`} → <${Status} status=${values.currentStatus} />
    ${isOpen && values.currentStation && html`<${Station} station=${values.currentStation} />`}
    <span>${t("panes.orderFollows")}</span></p>
    ${pane.laminateRole === "parent" && html`<p>${t("panes.sheetsFollow", { count: number(pane.rawGlass.sheetsPerPane) })}</p>`}
    ${values.currentStatus === "cancelled" && pane.agreedPrice > 0 && !pane.deliveredAt && html`<p>${t("panes.priceLost", { amount: baht(pane.agreedPrice) })}</p>`}`;
}
