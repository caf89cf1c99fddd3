// The verdict on a scan: a colour, a sign and words. A page that shows it has "verdict" in
// its `styles`, and a place for it with aria-live="assertive".
import { html } from "../../vendor/ui.js";
import { hasText, number, t } from "../core/i18n.js";
import { nameOf } from "../core/station_names.js";
import { Icon } from "./parts.js";

const SIGNS = { yes: "check", failed: "check", no: "x", kept: "arrow-up", outside: "map-pin-off" };
const BY_STATUS = { 0: "UNREACHABLE", 403: "FORBIDDEN", 404: "NOT_FOUND" };

/**
 * `kind` is "yes" (green), "failed" (a red frame: the pane's failure is recorded), "no" (red) or
 * "kept" (amber: on this device, not sent yet), or "outside" (an amber frame: kept or to be kept, but
 * not in the queue that this device knows).
 */
export function Verdict({ kind, title, children }) {
  return html`<div class="verdict" data-kind=${kind}>
    <${Icon} name=${SIGNS[kind]} />
    <div><strong>${title}</strong>${children}</div>
  </div>`;
}

/** What is shown of an error of a request or of the outbox: {code, facts, message, requestId}. */
export function reasonOf({ code, errors, faults = [], message, requestId, status = 0 }) {
  const said = faults.map((fault) => fault.message).join(" ") || message;
  const known = code || BY_STATUS[status] || (status >= 500 ? "BUSY" : "");
  return { code: known, facts: errors, message: said, requestId };
}

/** The sentence for a reason: what the service says, where the page has no words for it. */
export function explainReason({ code, facts, message }) {
  if (!hasText(`verdict.${code}`)) return message || t("fault.unexpected");
  return t(`verdict.${code}`, valuesOf(facts ?? {}));
}

/** The same as a paragraph, with the id of a request that has failed; `say(sentence)` may set it in parts. */
export function Reason({ reason, say = String }) {
  const { code, requestId } = reason;
  const failed = ["", "BUSY", "STORE_UNAVAILABLE"].includes(code ?? "");
  return html`<p>${say(explainReason(reason))}</p>
    ${failed && requestId && html`<p><small>${t("fault.request")} <code>${requestId}</code></small></p>`}`;
}

function valuesOf({ currentStation, givenStation, station, ...facts }) {
  const name = (one) => nameOf(one) || "–";
  const figure = (value) => (value === undefined ? "–" : number(value));
  return {
    here: name(currentStation),
    given: name(givenStation),
    station: name(station),
    survivor: facts.survivorPaneNumber ?? "–",
    number: facts.laminateSurvivorPaneNumber ?? facts.remadePaneNumber ?? "–",
    present: figure(facts.sheetsPresent),
    total: figure(facts.sheetsTotal),
    available: figure(facts.available),
    requested: figure(facts.requested),
  };
}
