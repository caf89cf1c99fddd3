// What happened, or would happen, to the panes of a request by a change of it.
import { html } from "../../../vendor/ui.js";
import { number, t } from "../../core/i18n.js";
import { Changed } from "./changes.js";
import { signed } from "./money.js";

const MOST_NUMBERS = 8;
const UNSTORED = "?"; // the number of a new pane begins with it in a preview

/** The lines of a change: what happened, to which panes, and what it costs. */
export function ChangeLines({ lines }) {
  return html`<div class="change-lines changes" role="list">${lines.map((line, index) => html`<div role="listitem" key=${index}>
    <p><strong>${t(`requestchangekind.${line.kind}`)}</strong> <span>${panesWord(line.panes)}</span>
      <b>${line.difference ? signed(line.difference) : "–"}</b></p>
    ${line.kind === "added" ? html`<p class="soft">${whatIs(line.fields)}</p>`
      : line.fields.length > 0 && html`<${Changed} row=${{ action: "updated", changes: line.fields, hidden: [] }} fields=${[]} />`}</div>`)}</div>`;
}

function panesWord(numbers) {
  const count = t("office.countOfKind", { count: number(numbers.length) });
  if (numbers[0].startsWith(UNSTORED)) return count;
  const named = numbers.slice(0, MOST_NUMBERS).join(", ");
  return numbers.length > MOST_NUMBERS ? `${named} … (${count})` : named;
}

/** Glass and size of added panes, as the fields of the line tell them. */
function whatIs(fields) {
  const {
    glassTypeLabel,
    glassType,
    rawGlass = {},
    dimensions = {},
  } = Object.fromEntries(fields.map(({ field, to }) => [field, to]));
  const { width, height } = dimensions;
  const size = width && height && t("office.mm", { size: `${number(width)} × ${number(height)}` });
  return [glassTypeLabel ?? glassType ?? rawGlass.glassType, size].filter(Boolean).join(" · ");
}
