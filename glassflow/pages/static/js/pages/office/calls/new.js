// A new call; `?station=` is the id of the station that needs help.
import { html } from "../../../../vendor/ui.js";
import { t } from "../../../core/i18n.js";
import { may } from "../../../core/permissions.js";
import { query } from "../../../core/router.js";
import { withoutEmpty } from "../../../ui/form_values.js";
import { NewRecord, NewRecordPage } from "../record.js";
import { stationOptions } from "../station_options.js";
import { kind, reason, stands } from "./fields.js";

export const title = "calls.newTitle";

export default function NewCall() {
  const initial = { station: query.value.get("station"), kind: "machine", machineStands: false, refusesScanIn: false };
  return html`<${NewRecordPage} section="calls" newTitle=${t("calls.newTitle")}>
    <${NewRecord} section="calls" resource="calls" manage="panes:scan" nameOf=${({ callNumber }) => callNumber}
      fields=${fields()} initial=${initial} toBody=${toBody} submit=${t("calls.new")} /><//>`;
}

function fields() {
  const all = [
    { name: "station", label: t("field.station"), kind: "select", required: true, options: stationOptions() },
    kind(),
    stands(),
    {
      name: "refusesScanIn",
      label: t("calls.refuses"),
      kind: "checkbox",
      hint: t("calls.refusesHint"),
      isShown: isStop,
    },
    reason(),
  ];
  return may("stations:manage") ? all : all.filter(({ name }) => name !== "refusesScanIn");
}

const isStop = ({ kind, machineStands }) => kind === "machine" && machineStands;

/** What is sent: without what is asked of stops only. */
export const toBody = (values) =>
  withoutEmpty({ ...values, refusesScanIn: (isStop(values) && values.refusesScanIn) || undefined });
