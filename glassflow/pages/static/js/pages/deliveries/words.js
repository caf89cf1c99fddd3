// What the list, a delivery and its hand-over say alike.
import { html } from "../../../vendor/ui.js";
import { hourMinute, number, t } from "../../core/i18n.js";
import { money } from "../../ui/money.js";
import { Icon } from "../../ui/parts.js";
import { Reason, Verdict } from "../../ui/verdict.js";
import { countsOf, endOf, handOversOf } from "./rules.js";

/** The icon of each state in which a pane cannot leave. */
export const LACKS = { unfinished: "hourglass", claimed: "triangle-alert", lost: "ban" };

/** How many panes cannot leave, and why. */
export function Lacks({ delivery }) {
  const counts = countsOf(delivery);
  return Object.entries(LACKS).map(
    ([state, icon]) =>
      counts[state] > 0 &&
      html`<span key=${state} class="warn">
    <${Icon} name=${icon} />${t(`deliveries.lacks_${state}`, { count: number(counts[state]) })}</span>`,
  );
}

/** When a hand-over was, by `format(epoch milliseconds)`, and to whom: in words. */
export function handedTo({ at, receivedBy, panes }, format) {
  const time = format(Date.parse(at));
  if (!panes.length) return t("deliveries.cameBack", { time });
  return receivedBy ? t("deliveries.doneTo", { time, name: receivedBy }) : t("deliveries.doneAt", { time });
}

/** How many panes were handed over, of how many; of all of them when, and to whom. */
export function Handed({ delivery }) {
  const { given, all } = countsOf(delivery);
  if (given && given < all) return html`<b>${t("deliveries.partly", { given: number(given), all: number(all) })}</b>`;
  const last = handOversOf(delivery).at(-1) ?? { at: endOf(delivery), panes: delivery.panes };
  return html`<span class=${given ? "good" : "warn"}><${Icon} name=${given ? "circle-check" : "undo-2"} />
    ${handedTo(last, hourMinute)}</span>`;
}

/** That the customer pays cash and has not paid: {missing}, baht or null. */
export const Unpaid = ({ unpaid }) =>
  unpaid &&
  html`<p class="line warn"><${Icon} name="banknote" />
    <b>${unpaid.missing ? t("deliveries.unpaidAmount", { amount: money(unpaid.missing) }) : t("deliveries.unpaid")}</b></p>`;

/** The sign of what the service does not know yet. */
export const ToSend = () => html`<span class="warn"><${Icon} name="upload" />${t("station.toSend")}</span>`;

/** The size of a pane in mm, and its glass. */
export function sizeOf({ width, height, thickness }) {
  const sides = [width, height, thickness].filter(Boolean).map(number).join("\u2009×\u2009");
  return sides && `${sides} ${t("station.mm")}`;
}

/** The verdict on what was scanned or done last. */
export function Said({ desk }) {
  const { said, notice, sheet } = desk.state.value;
  return html`<div class="status-line" aria-live="assertive">
    ${said && html`<${Verdict} key=${said.at} kind=${said.kind} title=${said.code ? t(`deliveries.said_${said.code}`, said) : t("station.no")}>
      ${said.number && html`<p>${said.number}</p>`}
      ${said.kind === "kept" && html`<p>${t("deliveries.keptHint")}</p>`}
      ${!said.code && said.reason && html`<${Reason} reason=${said.reason} />`}<//>`}
    ${notice && !sheet && html`<p class="notice"><${Icon} name="circle-alert" />${t(`station.${notice}`)}</p>`}
  </div>`;
}
