// What was changed of a request after a price was agreed for it, the latest first.
import { html, useState } from "../../../vendor/ui.js";
import { dateTime, number, t } from "../../core/i18n.js";
import { takeTask } from "../../core/router.js";
import { Icon } from "../../ui/parts.js";
import { baht, signed } from "./money.js";
import { Warnings } from "./request_actions.js";
import { ChangeLines } from "./request_change_lines.js";

const MOST = 5;

/** `changes` are those of the request, the oldest first. */
export default function ChangesOf({ changes }) {
  const [isAll, setAll] = useState(false);
  const [said] = useState(() => takeTask()?.said ?? []); // by the change that led here
  const isFolded = (index) => index >= MOST && !isAll;
  return html`<section class="card request-changes" aria-labelledby="request-changes"><h2 id="request-changes">${t("field.changes")}</h2>
    <${Warnings} of=${said} />
    <ol class="timeline">${changes.toReversed().map((one, index) => html`<${Change} key=${one.number} ...${one} isFolded=${isFolded(index)} />`)}</ol>
    ${isFolded(changes.length - 1) && html`<button type="button" class="quiet-button" onClick=${() => setAll(true)}>
      <${Icon} name="chevron-down" />${t("requestchange.more", { count: number(changes.length) })}</button>`}</section>`;
}

function Change({ number: place, at, by, reason, before, after, lines, begun, isFolded }) {
  return html`<li data-folded=${isFolded ? "" : undefined}>
    <p><strong>${t("requestchange.one", { number: number(place) })}</strong> <strong>${signed(after - before)}</strong>
      <span class="soft">${t("requestchange.then", { amount: baht(after) })}</span></p>
    ${reason && html`<p>${reason}</p>`}
    <${ChangeLines} lines=${lines} />
    ${begun.length > 0 && html`<p><${Icon} name="triangle-alert" />${t("requestchange.begunOf", { panes: begun.join(", ") })}</p>`}
    <p class="soft"><time datetime=${at}>${dateTime(new Date(at))}</time> ${by}</p></li>`;
}
