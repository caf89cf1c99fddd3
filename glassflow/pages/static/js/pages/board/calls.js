// The strip of a lane: what is called for at a station, for how long, and who comes.
import { html } from "../../../vendor/ui.js";
import { date, dayMonth, duration, hourMinute, number, t } from "../../core/i18n.js";
import { CALL_ICONS, inOrder } from "../../ui/calls.js";
import { Icon } from "../../ui/parts.js";

/** The first of the calls of a station, and how many more there are. */
export default function Calls({ calls, now }) {
  const [call] = inOrder(calls);
  const { kind, machineStands, refusesScanIn, paneNumber } = call;
  const state = refusesScanIn ? "maintenance" : machineStands ? "stands" : "call";
  const what = state === "call" ? t(`board.call_${kind}`) : t(`board.${state}`);
  return html`<div class="call" data-state=${state}>
    <p><${Icon} name=${state === "stands" ? "triangle-alert" : CALL_ICONS[kind]} /><b>${what}${paneNumber && html`<span class="pane"> ${paneNumber}</span>`}</b>
      ${calls.length > 1 && html`<b class="more">+${number(calls.length - 1)}</b>`}</p>
    <p class="for">${refusesScanIn ? sinceWhen(call, now) : howLong(call, now)}</p>
    ${refusesScanIn && call.reason && html`<p class="words" data-why>${call.reason}</p>`}
    ${(!refusesScanIn || call.takenByName) && html`<p class="words">${call.takenByName ? t("board.comes", { name: call.takenByName }) : t("board.nobodyComes")}</p>`}
  </div>`;
}

const howLong = ({ calledAt }, now) => duration((now - Date.parse(calledAt)) / 1000, { unitDisplay: "short" });

function sinceWhen({ calledAt }, now) {
  const moment = Date.parse(calledAt);
  return t("board.since", { time: date(moment) === date(now) ? hourMinute(moment) : dayMonth(moment) });
}
