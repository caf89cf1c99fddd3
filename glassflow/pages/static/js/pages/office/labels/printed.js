// How the label is printed: the picture that the service makes of it, filled in by a pane.
import { html } from "../../../../vendor/ui.js";
import { inWords, Refused } from "../../../core/api.js";
import { t } from "../../../core/i18n.js";
import { may } from "../../../core/permissions.js";
import { explain } from "../../../ui/fault.js";
import { Icon } from "../../../ui/parts.js";
import { Reference } from "../../../ui/reference.js";

// In the labels page these tell of several labels.
const OWN_WARNINGS = ["TEXT_CUT", "CHARACTER_MISSING"];
const warning = (one) =>
  OWN_WARNINGS.includes(one.code) ? t(`stickerwarn.${one.code}`, one) : t(`labels.warn${one.code}`, one);

export function Printed({ rendered: { answer, error, asking, again }, label, pane, onPane, dpi, onDpi }) {
  return html`<section class="printed" aria-label=${t("stickers.printed")}>
    <h2>${t("stickers.printed")}</h2>
    <div class="of">
      ${may("panes:view") && html`<div class="field"><label for="design-pane">${t("stickers.pane")}</label>
        <${Reference} resource="panes" value=${pane?.id ?? null} nameOf=${({ paneNumber }) => paneNumber}
          onChange=${(id) => onPane(id && { id })} shared=${{ id: "design-pane", placeholder: t("stickers.examples") }} /></div>`}
      <div class="field"><label for="design-dpi">${t("stickers.dpi")}</label>
        <select id="design-dpi" onChange=${(event) => onDpi(Number(event.target.value))}>
          ${[203, 300, 600].map((one) => html`<option key=${one} value=${one} selected=${one === dpi}>${one} dpi</option>`)}</select></div>
    </div>
    ${error && html`<${Failure} error=${error} onAgain=${again} />`}
    <div class="paper" aria-busy=${String(Boolean(asking))}>${answer?.image
      ? html`<img src=${answer.image} alt=${t("stickers.printedAlt", label)} />`
      : answer && html`<p><${Icon} name="ban" />${t("stickers.unprintable")}</p>`}</div>
    <div role="status"><ul class="remarks">
      ${answer?.faults.map(inWords).map(({ field, message }) => html`<li key=${field} class="bad"><${Icon} name="circle-alert" /><span><code>${field}</code> ${message}</span></li>`)}
      ${answer?.warnings.map((one) => html`<li key=${one.code + one.element}><${Icon} name="triangle-alert" /><span>
        ${warning(one)}</span></li>`)}</ul></div>
  </section>`;
}

function Failure({ error, onAgain }) {
  const isKnown = error instanceof Refused && error.status < 500;
  return html`<div class="fault" role="alert"><${Icon} name="circle-alert" />
    <p>${isKnown ? error.faults[0]?.message ?? error.message : explain(error)}
      ${error.requestId && html`<small>${t("fault.request")} <code>${error.requestId}</code></small>`}</p>
    <button type="button" class="quiet-button" onClick=${onAgain}><${Icon} name="rotate-cw" />${t("fault.again")}</button></div>`;
}
