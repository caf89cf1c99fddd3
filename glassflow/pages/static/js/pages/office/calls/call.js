// One call: who called and who went, what can be done, and what is corrected afterwards.
import { html } from "../../../../vendor/ui.js";
import { dateTime, t } from "../../../core/i18n.js";
import { may } from "../../../core/permissions.js";
import { FactsCard } from "../facts_card.js";
import { KnownRecordPage } from "../known_record.js";
import { OFFICE, passportOf } from "../layout.js";
import { Station } from "../parts.js";
import { CallActions } from "./actions.js";
import { kind, reason, stands } from "./fields.js";
import { CallStatus, ended, hoursAndMinutes, Lasted, secondsBetween, Stands } from "./parts.js";

export const title = "calls.one";
export const styles = ["ui/station_colors", "pages/office/calls/calls"];

/** The fields; maintenance is always the stop of a machine. */
const fields = ({ refusesScanIn }) => (refusesScanIn ? [reason()] : [kind(), stands(), reason()]);

export default function Call({ id }) {
  return html`<${KnownRecordPage} section="calls" resource="calls" id=${id} event="call:updated" manage="stations:manage"
    nameOf=${({ callNumber }) => callNumber} fields=${fields} canDelete=${({ status }) => status === "ended"}
    actions=${(call, load) => html`${call.machineStands && html`<${Stands} />`}<${CallStatus} status=${call.status} /><${CallActions} call=${call} onDone=${load} />`}
    above=${(call) => html`<${Facts} call=${call} />`} />`;
}

const at = (name, moment, ...more) => [name, dateTime(new Date(moment)), ...more].filter(Boolean).join(" · ");

function Facts({ call }) {
  const { station, calledFrom, paneNumber, calledAt, calledByName, takenAt, takenByName, endedAt } = call;
  const place = (one) =>
    html`<a href=${may("stations:view") ? `${OFFICE}/stations/${one?._id ?? one}` : undefined}><${Station} station=${one} /></a>`;
  const after = (moment) => t("calls.afterTime", { time: hoursAndMinutes(secondsBetween(calledAt, moment)) });
  const facts = [
    [t("field.station"), place(station)],
    [t("field.calledFrom"), calledFrom && place(calledFrom)],
    [t("field.pane"), paneNumber && html`<a href=${passportOf(paneNumber)}>${paneNumber}</a>`],
    [t("field.calledBy"), at(calledByName, calledAt)],
    [t("calls.went"), takenAt && at(takenByName, takenAt, after(takenAt))],
    [t("field.endedBy"), endedAt && at(ended(call), endedAt)],
    [t("calls.lasted"), html`<${Lasted} call=${call} />`],
    [t("calls.refuses"), call.refusesScanIn && t("history.yes")],
  ];
  return html`<${FactsCard} id="call-facts" title=${t("field.details")} facts=${facts} />`;
}
