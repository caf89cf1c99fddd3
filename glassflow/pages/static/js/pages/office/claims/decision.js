// The decision on a claim: rejection and approval side by side, each with what it will do.
import { html, useState } from "../../../../vendor/ui.js";
import { api } from "../../../core/api.js";
import { dateTime, t } from "../../../core/i18n.js";
import { may } from "../../../core/permissions.js";
import { idOf } from "../../../core/records.js";
import { session } from "../../../core/session.js";
import { stationOf } from "../../../core/stations.js";
import { nameOf } from "../../../core/station_names.js";
import { Dialog } from "../../../ui/dialog.js";
import { Lazy } from "../../../ui/lazy.js";
import { Icon } from "../../../ui/parts.js";
import { explainReason, reasonOf } from "../../../ui/verdict.js";
import { Loaded, useResource } from "../../../ui/use_resource.js";
import { passportOf } from "../layout.js";
import { Consequences } from "./consequences.js";

/** Waiting: who may decide it, or the two decisions. Decided: what was decided, for good. */
export function Decision({ claim, onStale }) {
  if (claim.status !== "pending") return html`<${Decided} claim=${claim} />`;
  const me = session.value.worker._id;
  const isOwn = [idOf(claim.reportedBy), idOf(claim.createdBy)].includes(me);
  const why = !may("claims:approve") ? "claims.notAllowed" : isOwn && !may("*") ? "claims.own" : "";
  return html`<section class="card" aria-labelledby="decision"><h2 id="decision">${t("claims.decision")}</h2>
    ${why ? html`<p class="soft">${t(why)}</p>` : html`<${Choices} claim=${claim} onStale=${onStale} />`}</section>`;
}

function Decided({ claim }) {
  const { status, decision, remadePane, approvedBy, rejectedWith } = claim;
  const approved = status === "approved";
  return html`<section class="card decided" data-status=${status} aria-labelledby="decision">
    <h2 id="decision"><${Icon} name=${approved ? "circle-check" : "ban"} />${t(`claimsdecided.${status}`)}</h2>
    <p>${approved && html`${t(decision === "destroy" ? "claims.wasDestroyed" : "claims.wasKept")} · `}
      ${approved && (remadePane ? html`${t("field.remadePane")}${" "}
        ${remadePane.paneNumber ? html`<a href=${passportOf(remadePane.paneNumber)}>${remadePane.paneNumber}</a>` : "–"}` : t("claims.noRemake"))}
      ${rejectedWith && t("claims.withCancellation", { number: rejectedWith })}</p>
    <p class="soft">${[approvedBy?.name, dateTime(new Date(claim.updatedAt))].filter(Boolean).join(" · ")}</p>
    <p class="soft">${t("claims.final")}</p></section>`;
}

/** Where the new piece starts, and its route if that is chosen, as the service takes them. */
const startOf = (station, routing) => ({
  ...(station && { remakeStation: station }),
  ...(routing.length > 0 && { routing }),
});

async function readOutcomes(id, station, routing) {
  return (await api(`/claims/${id}/outcomes?${new URLSearchParams(startOf(station, routing))}`)).data;
}

function Choices({ claim, onStale }) {
  const [decision, setDecision] = useState("destroy");
  const [remake, setRemake] = useState(Boolean(claim.pane));
  const [routing, setRouting] = useState([]); // chosen where the stations of the old route are gone
  const steps = routing.length ? [...new Set(routing)] : stepsOf(claim.pane);
  const [chosen, setStation] = useState(idOf(claim.remakeStation));
  const station = steps.includes(chosen) || !steps.length ? (chosen ?? "") : steps[0];
  const again = () => undefined; // what a decision does depends on the pane, its order and the stock
  const of = useResource(`outcomes ${claim._id} ${station} ${routing}`, () => [
    () => readOutcomes(claim._id, station, routing),
    {
      "pane:updated": (value, { data }) => (data._id === idOf(claim.pane) ? again() : value),
      "order:updated": (value, { data }) => (data._id === idOf(claim.order) ? again() : value),
      "inventory:updated": again,
    },
  ]);
  const [asked, setAsked] = useState(null); // the outcome that is to be confirmed
  const pick = (wanted) =>
    of.value.outcomes.find(
      (one) =>
        one.status === wanted.status &&
        (wanted.status === "rejected" || (one.decision === decision && one.remake === remake)),
    );
  const panel = (status, children) => {
    const outcome = pick({ status });
    const isRejection = status === "rejected";
    return (
      outcome &&
      html`<div class="choice" data-status=${status}><h3>${t(`claims.${status}`)}</h3>${children}
      <h4>${t("claims.willDo")}</h4><${Consequences} outcome=${outcome} claim=${claim} order=${of.value.order} />
      <button type="button" class=${isRejection ? "quiet-button" : "main-button"} disabled=${Boolean(outcome.refusal)}
        onClick=${() => setAsked(outcome)}><${Icon} name=${isRejection ? "ban" : "check"} />${t(`claims.${status}`)}</button></div>`
    );
  };
  return html`<${Loaded} of=${of}>${() => html`<div class="decisions">
      ${panel("approved", claim.pane && html`<${Options} decision=${decision} onDecision=${setDecision} remake=${remake}
        onRemake=${setRemake} station=${station} onStation=${setStation} steps=${steps}
        routing=${routing} onRouting=${setRouting} isGone=${pick({ status: "approved" })?.refusal?.code === "STATION_GONE"} />`)}
      ${panel("rejected")}</div>
    ${asked && html`<${Confirm} claim=${claim} outcome=${asked} order=${of.value.order} start=${startOf(station, routing)}
      onStale=${onStale} onClose=${() => setAsked(null)} />`}`}<//>`;
}

/** Where a remake may start; for a laminated pane the service knows, and takes the first. */
function stepsOf(pane) {
  return pane?.laminateMergedAt ? [] : [...new Set((pane?.routing ?? []).map(idOf))].filter(stationOf);
}

function Options({ decision, onDecision, remake, onRemake, station, onStation, steps, routing, onRouting, isGone }) {
  const radio = (group, value, chosen, onChoose, label) => html`<label><input type="radio"
    name=${group} checked=${chosen} onChange=${() => onChoose(value)} />${label}</label>`;
  return html`<fieldset><legend>${t("claims.oldPiece")}</legend>
      ${radio("piece", "destroy", decision === "destroy", onDecision, t("claims.destroy"))}
      ${radio("piece", "keep", decision === "keep", onDecision, t("claims.keep"))}</fieldset>
    <fieldset><legend>${t("claims.newPiece")}</legend>
      ${radio("remake", true, remake, onRemake, t("claims.remake"))}
      ${radio("remake", false, !remake, onRemake, t("claims.noRemake"))}</fieldset>
    ${remake && (isGone || routing.length > 0) && html`<${Lazy} load=${() => import("./new_route.js")} value=${routing} onChange=${onRouting} />`}
    ${remake && steps.length > 1 && html`<label class="field"><span>${t("claims.remakeAt")}</span>
      <select onChange=${(event) => onStation(event.target.value)}>
        ${steps.map((id) => html`<option key=${id} value=${id} selected=${id === station}>${
          stationOf(id) ? nameOf(stationOf(id)) : t("office.unknownStation")}</option>`)}
      </select></label>`}`;
}

/** Asks once more, because a decision is final, and decides. */
function Confirm({ claim, outcome, order, start, onStale, onClose }) {
  const [state, setState] = useState({});
  const [version] = useState(claim.version); // what was read is what is decided
  const { status, decision, remake } = outcome;
  const decide = async () => {
    setState({ sending: true });
    const body = status === "rejected" ? { status } : { status, decision, remake, ...(remake && start) };
    try {
      const headers = { "If-Match": `"${version}"` };
      await api(`/claims/${claim._id}`, { method: "PATCH", body, headers });
      onClose();
    } catch (error) {
      setState({ error: error.status === 412 ? t("claims.changedMeanwhile") : explainReason(reasonOf(error)) });
    }
    onStale();
  };
  return html`<${Dialog} title=${t(`claims.${status}`)} onClose=${onClose}>
    <p>${t("claims.finalHint", { number: claim.claimNumber })}</p>
    <${Consequences} outcome=${outcome} claim=${claim} order=${order} />
    <div role="alert">${state.error && html`<p class="fault"><${Icon} name="circle-alert" /><span>${state.error}</span></p>`}</div>
    <div class="form-buttons"><button type="button" class=${`main-button ${status === "rejected" ? "danger" : ""}`}
      disabled=${state.sending} onClick=${decide}><${Icon} name="check" />${t(`claims.${status}`)}</button></div><//>`;
}
