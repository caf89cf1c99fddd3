// What belongs to a pane: remakes, the unit with its set of sheets, claims.
import { html } from "../../../../vendor/ui.js";
import { date, number, t } from "../../../core/i18n.js";
import { OFFICE, passportOf } from "../layout.js";
import { Station, Status } from "../parts.js";
import { presence } from "../pane_rules.js";

export function Related({ pane, remakes, unit, claims }) {
  const sheets = unit.filter(({ _id }) => _id !== pane._id);
  const lists = [
    ["office.remakeOf", pane.remakeOf?._id ? [pane.remakeOf] : []],
    ["field.remadePane", remakes],
    ["office.mergedInto", pane.mergedInto?._id ? [pane.mergedInto] : []],
    ["office.unit", sheets],
  ].filter(([, panes]) => panes.length);
  return html`
    ${lists.length > 0 && html`<section class="card" aria-labelledby="related">
      <h2 id="related">${t("office.related")}</h2>
      ${lists.map(([name, panes]) => html`<div class="related" key=${name}>
        <h3>${t(name)}${name === "office.unit" && html`<${Presence} pane=${pane} unit=${unit} />`}</h3><ul>${panes.map((one) => html`<${Other} key=${one._id} pane=${one} />`)}</ul>
      </div>`)}
    </section>`}
    ${claims.length > 0 && html`<section class="card" aria-labelledby="claims">
      <h2 id="claims">${t("office.claims")}</h2>
      <ul class="pane-claims">${claims.map((claim) => html`<${Claim} key=${claim._id} claim=${claim} />`)}</ul>
    </section>`}`;
}

function Other({ pane }) {
  return html`<li><a href=${passportOf(pane.paneNumber)}>
    <strong>${pane.paneNumber}</strong>
    <${Status} status=${pane.currentStatus} />
    ${pane.currentStation && html`<${Station} station=${pane.currentStation} />`}
  </a></li>`;
}

function Claim({ claim }) {
  return html`<li>
    <p><a href=${`${OFFICE}/claims/${claim._id}?from=pane`}>${claim.claimNumber}</a> <${Status} status=${claim.status} />
      <span class="soft">${date(new Date(claim.claimDate))}</span></p>
    <p>${claim.defectCode && html`<b>${t(`defect.${claim.defectCode}`)}</b>${" "}`}${claim.description}
      ${claim.defectStation?.name && html`
        <span class="soft">${t("office.defectAt")}</span> <${Station} station=${claim.defectStation} />`}</p>
  </li>`;
}

/** How many sheets of the set are at their lamination station. */
function Presence({ pane, unit }) {
  const found = presence(pane, unit);
  if (!found) return null;
  const values = { present: number(found.present), total: number(found.total) };
  return html` <span class="soft">${t("panes.present", values)}
    ${pane.laminateStation && html` <${Station} station=${pane.laminateStation} />`}</span>`;
}
