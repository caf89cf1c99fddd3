// Calls for help and stops of machines: their figures, and a list with those that have not ended first; live.
import { html } from "../../../../vendor/ui.js";
import { dateTime, t } from "../../../core/i18n.js";
import { may } from "../../../core/permissions.js";
import { dayFilters } from "../../../ui/filters.js";
import { Icon } from "../../../ui/parts.js";
import { ListPage } from "../list_page.js";
import { Station } from "../parts.js";
import { stationOptions } from "../station_options.js";
import { Pareto } from "./pareto.js";
import { CallStatus, ended, Kind, kindOptions, Lasted, went } from "./parts.js";

export const title = "office.calls";
export const styles = ["ui/station_colors", "pages/office/calls/calls"];

const NOT_ENDED = "open,taken";

export default function Calls() {
  return html`<${ListPage} section="calls" icon="circle-help" create="panes:scan" newTitle=${t("calls.new")} hint=${t("calls.hint")}
    resource="calls" event="call:updated" sort="-status,-calledAt" columns=${columns()} filters=${filters()}
    rowName=${({ callNumber }) => callNumber}><${Pareto} /><//>`;
}

function filters() {
  const status = (value) => ({ value, label: t(`callsstatus.${value}`) });
  return [
    {
      name: "status",
      label: t("field.status"),
      options: [{ value: NOT_ENDED, label: t("calls.notEnded") }, ...["open", "taken", "ended"].map(status)],
    },
    { name: "kind", label: t("field.kind"), options: kindOptions() },
    { name: "station", label: t("field.station"), options: stationOptions() },
    ...dayFilters({ name: "calledAt", from: t("calls.from"), to: t("calls.to") }),
    {
      name: "machineStands",
      label: t("calls.stands"),
      options: ["true", "false"].map((value) => ({ value, label: t(`callsstands.${value}`) })),
      more: true,
    },
  ];
}

export function columns() {
  return [
    {
      name: "number",
      title: t("field.callNumber"),
      width: "105px",
      sort: "callNumber",
      cell: ({ callNumber }) => html`<strong>${callNumber}</strong>`,
    },
    {
      name: "station",
      title: t("field.station"),
      width: "2fr",
      // not written as one word, which would be the key of a text
      sort: may("stations:view") && ["station", "position"].join("."),
      cell: ({ station }) => html`<${Station} station=${station} />`,
    },
    {
      name: "kind",
      title: t("field.kind"),
      width: "150px",
      sort: "kind",
      cell: ({ kind }) => html`<${Kind} kind=${kind} />`,
    },
    {
      name: "stands",
      title: t("calls.stands"),
      width: "130px",
      sort: "machineStands",
      cell: ({ machineStands }) =>
        machineStands &&
        html`<span class="status" data-status="defected"><${Icon} name="pause" />${t("callsstands.true")}</span>`,
    },
    {
      name: "reason",
      title: t("field.reason"),
      width: "3fr",
      sort: "reason",
      cell: ({ reason, paneNumber }) => [paneNumber, reason].filter(Boolean).join(" · "),
    },
    {
      name: "called",
      title: t("field.calledBy"),
      width: "2fr",
      sort: "calledAt",
      cell: ({ calledByName, calledAt }) => `${calledByName} · ${dateTime(new Date(calledAt))}`,
    },
    {
      name: "went",
      title: t("calls.went"),
      width: "2fr",
      isWide: true,
      sort: "takenAt",
      cell: went,
    },
    {
      name: "lasted",
      title: t("calls.lasted"),
      width: "120px",
      sort: "endedAt",
      cell: (call) => html`<${Lasted} call=${call} />`,
    },
    {
      name: "state",
      title: t("field.status"),
      width: "150px",
      sort: "status",
      cell: ({ status }) => html`<${CallStatus} status=${status} />`,
    },
    {
      name: "ending",
      title: t("field.endedBy"),
      width: "2fr",
      isWide: true,
      sort: "ending",
      cell: (call) => (call.ending ? ended(call) : ""),
    },
  ];
}
