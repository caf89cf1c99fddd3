// Calls for help and stops of machines: their figures, and a list with those that have not ended first; live.
import { html } from "../../../../vendor/ui.js";
import { dayMonth, hourMinute, t } from "../../../core/i18n.js";
import { may } from "../../../core/permissions.js";
import { dayFilters } from "../../../ui/filters.js";
import { ListPage } from "../list_page.js";
import { Station } from "../parts.js";
import { stationOptions } from "../station_options.js";
import Pareto from "./pareto.js";
import { CallStatus, ended, Kind, kindOptions, Lasted, Stands, went } from "./parts.js";

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

const shortTime = (moment) => `${dayMonth(moment)} ${hourMinute(moment)}`; // the year is on the call's page

export function columns() {
  return [
    {
      name: "number",
      title: t("field.callNumber"),
      width: "100px",
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
      fields: "kind,machineStands",
      sort: "kind",
      cell: ({ kind, machineStands }) => html`<${Kind} kind=${kind} /> ${machineStands && html`<${Stands} />`}`,
    },
    {
      name: "reason",
      title: t("field.reason"),
      width: "3fr",
      fields: "reason,paneNumber",
      sort: "reason",
      cell: ({ reason, paneNumber }) => [paneNumber, reason].filter(Boolean).join(" · "),
    },
    {
      name: "called",
      title: t("field.calledBy"),
      width: "2fr",
      sort: "calledAt",
      fields: "calledByName,calledAt",
      cell: ({ calledByName, calledAt }) => [calledByName, shortTime(new Date(calledAt))].filter(Boolean).join(" · "),
    },
    {
      name: "went",
      title: t("calls.went"),
      width: "2fr",
      isWide: true,
      fields: "takenByName,takenAt",
      sort: "takenAt",
      cell: went,
    },
    {
      name: "lasted",
      title: t("calls.lasted"),
      width: "100px",
      fields: "endedAt",
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
      fields: "endedByName,ending",
      sort: "ending",
      cell: (call) => (call.ending ? ended(call) : ""),
    },
  ];
}
