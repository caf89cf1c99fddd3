// The set-up of the workshop, as the start page shows it until it is done or put away.
import { html, useState } from "../../../../vendor/ui.js";
import { t } from "../../../core/i18n.js";
import { Icon } from "../../../ui/parts.js";
import { Head, Office } from "../layout.js";
import { isAway, putAway, Steps } from "../../../ui/setup_steps.js";

export const title = "setup.title";
export const styles = ["pages/start"];

export default function SetUpPage() {
  const [wasAway] = useState(isAway());
  const [away, setAway] = useState(wasAway);
  return html`<${Office}><${Head}><h1 tabindex="-1">${t("setup.title")}</h1><//>
    <${Steps} part=${(steps, { isComplete }) => html`<section class="card set-up">
      <p class="soft">${t(isComplete ? "setup.complete" : "setup.hint")}</p>
      ${steps}
      ${wasAway && html`<p role="status">${away
        ? html`<button type="button" class="quiet-button" onClick=${() => [putAway(false), setAway(false)]}>
            <${Icon} name="house" />${t("setup.back")}</button>`
        : html`<span class="saved"><${Icon} name="circle-check" />${t("setup.isBack")}</span>`}</p>`}
    </section>`} /><//>`;
}
