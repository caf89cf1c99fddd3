// What was added, changed and cancelled after a price was agreed for a request.
import { html, useState } from "../../../../vendor/ui.js";
import { dateTime, number, t } from "../../../core/i18n.js";
import { Icon } from "../../../ui/parts.js";
import { Changed } from "../changes.js";
import { passportOf } from "../layout.js";
import { baht, money } from "./money.js";

const FEW = 5;
const MOST_NUMBERS = 8; // of panes in a line

/** The card of a request; nothing without any change, or for callers who are not shown prices. */
export default function ChangesOfRequest({ request: { changes = [] } }) {
  const [showsAll, setShowsAll] = useState(false);
  if (!changes.length) return null;
  const rows = [...changes].reverse().slice(0, showsAll ? undefined : FEW);
  return html`<section class="card" aria-labelledby="changes-made"><h2 id="changes-made">${t("changed.title")}</h2>
    <ol class="timeline changes">${rows.map((one) => html`<li key=${one.number}>
      <p><strong>${signed(one.after - one.before)}</strong> <span>${t("changed.to", { amount: baht(one.after) })}</span></p>
      <${Lines} change=${one} />
      ${one.reason && html`<p>${t("agreed.because", { reason: one.reason })}</p>`}
      <p class="soft"><time datetime=${one.at}>${dateTime(new Date(one.at))}</time><span>${one.by}</span></p></li>`)}</ol>
    ${rows.length < changes.length && html`<button type="button" class="quiet-button" onClick=${() => setShowsAll(true)}>
      <${Icon} name="chevron-down" />${t("history.more")}</button>`}</section>`;
}

/** What happened to which panes, a line for all to which the same happened. */
export function Lines({ change: { lines, begun } }) {
  return html`<ul class="change-lines">${lines.map(({ kind, panes, fields, difference }, at) => html`<li key=${at}>
      <p>${t(`changedkind.${kind}`, { count: number(panes.length) })} <${Numbers} panes=${panes} />
        ${difference !== 0 && html`<b>${signed(difference)}</b>`}</p>
      ${kind === "changed" && html`<${Changed} row=${{ action: "updated", changes: fields, hidden: [] }} fields=${[]} />`}</li>`)}</ul>
    ${begun.length > 0 && html`<p class="status-line"><${Icon} name="triangle-alert" /> <span>${t("changed.begun")} <${Numbers} panes=${begun} /></span></p>`}`;
}

function Numbers({ panes }) {
  const known = panes.filter((one) => !one.startsWith("?")); // those of a preview have no numbers yet
  return html`${known.slice(0, MOST_NUMBERS).map((one, at) => html`${at > 0 && ", "}<a href=${passportOf(one)}>${one}</a>`)}
    ${known.length > MOST_NUMBERS && ` ${t("changed.more", { count: number(known.length - MOST_NUMBERS) })}`}`;
}

/** A difference in baht, with its sign. */
export const signed = (amount) =>
  t("requests.baht", { amount: `${amount > 0 ? "+" : amount < 0 ? "−" : "±"}${money(Math.abs(amount))}` });
