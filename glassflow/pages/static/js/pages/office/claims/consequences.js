// What a decision on a claim will do, in sentences; the service says it (outcomes).
import { html } from "../../../../vendor/ui.js";
import { inWords } from "../../../core/api.js";
import { number, t } from "../../../core/i18n.js";
import { Icon } from "../../../ui/parts.js";
import { explainReason } from "../../../ui/verdict.js";
import { baht } from "../money.js";
import { Station, Status } from "../parts.js";

/** `outcome` is one of those of the claim, `order` the figures of its order now. */
export function Consequences({ outcome, claim, order }) {
  if (outcome.refusal) {
    const { code, message } = inWords(outcome.refusal);
    const reason = { code, facts: outcome.refusal, message };
    const words = code === "STATION_GONE" ? message : explainReason(reason); // it names them
    return html`<p class="fault"><${Icon} name="circle-alert" /><span>${words}</span></p>`;
  }
  return html`<ul class="consequences">
    ${outcome.pane && html`<li><${Pane} outcome=${outcome} number=${claim.pane?.paneNumber} /></li>`}
    ${outcome.remake === false || outcome.status === "rejected" ? html`<li>${t("claims.makesNothing")}</li>` : null}
    ${outcome.remade && html`<li>${t(`claimsremake.${outcome.remade.kind}`, { pieces: number(outcome.remade.pieces) })}${" "}
      ${outcome.remade.station && html`<${Station} station=${outcome.remade.station} />`}</li>`}
    ${outcome.remade && html`<li>${t("claims.takesNothing")}</li>`}
    ${outcome.lostPrice > 0 && html`<li>${t("claims.priceLost", { amount: baht(outcome.lostPrice) })}</li>`}
    ${outcome.order && order && html`<li><${Order} before=${order} after=${outcome.order} number=${claim.order?.orderNumber} /></li>`}
    ${outcome.status === "approved" && claim.reportedBy?.name && html`<li>${t("claims.tells", { name: claim.reportedBy.name })}</li>`}
  </ul>`;
}

function Pane({ outcome: { status, pane }, number: paneNumber }) {
  const text =
    status === "rejected" ? "claims.goesBack" : pane.status === "defected" ? "claims.isScrapped" : "claims.isKept";
  return html`${t(text, { number: paneNumber })} <${Status} status=${pane.status} />
    ${pane.station && html` <${Station} station=${pane.station} />`}`;
}

const FIGURES = ["panesCompleted", "paneCount"];

function Order({ before, after, number: orderNumber }) {
  const same = FIGURES.every((name) => before[name] === after[name]) && before.status === after.status;
  const done = ({ panesCompleted, paneCount }) =>
    t("office.doneOf", { done: number(panesCompleted), count: number(paneCount) });
  if (same) return t("claims.orderStays", { number: orderNumber, done: done(before) });
  return html`${t("claims.orderChanges", { number: orderNumber })} ${done(before)} → <b>${done(after)}</b>
    ${before.status !== after.status && html` <${Status} status=${after.status} />`}`;
}
