// The panes that a part of a billing entry charges, each with its amount.
import { html, useState } from "../../../../vendor/ui.js";
import { number, t } from "../../../core/i18n.js";
import { money } from "../../../ui/money.js";
import { Icon } from "../../../ui/parts.js";
import { Loaded, useResource } from "../../../ui/use_resource.js";
import { passportOf } from "../layout.js";
import { readByIds } from "../read_by_ids.js";

const FEW = 20; // rows that a page shows at once
const FIELDS = "paneNumber,glassTypeLabel,dimensions";

/** The panes with these ids, by their id; those that are gone are left out. */
export const usePanes = (ids) =>
  useResource(`charged panes ${ids}`, () => [
    async () => {
      const rows = await readByIds("panes", ids, { fields: FIELDS, includeMerged: true });
      return Object.fromEntries(rows.map((row) => [row._id, row]));
    },
  ]);

/** `lines` are {pane, net}: its id, and the baht before VAT; null where no price was known. */
export function ChargedPanes({ lines }) {
  const [isWhole, setWhole] = useState(false);
  const panes = usePanes(lines.map(({ pane }) => pane));
  const isFolded = (index) => index >= FEW && !isWhole;
  return html`<${Loaded} of=${panes}>${() => html`<ul class="charged-panes">${lines.map(({ pane, net }, index) => html`
    <li key=${pane} data-folded=${isFolded(index) ? "" : undefined}><${Pane} pane=${panes.value[pane]} />
      <span class="amount"><${Amount} net=${net} /></span></li>`)}</ul>
    ${isFolded(lines.length - 1) && html`<button type="button" class="quiet-button" onClick=${() => setWhole(true)}>
      <${Icon} name="chevron-down" />${t("billing.whole", { count: number(lines.length) })}</button>`}`}<//>`;
}

/** The number, size and glass of a pane. One that was deleted has no page; `isPlain`: without the link to it. */
export function Pane({ pane, isPlain = false }) {
  if (!pane) return html`<span class="soft">${t("billing.paneGone")}</span>`;
  const { paneNumber, glassTypeLabel, dimensions: { width, height } = {} } = pane;
  const size = width > 0 && t("office.mm", { size: `${number(width)} × ${number(height)}` });
  return html`${isPlain ? html`<b>${paneNumber}</b>` : html`<a href=${passportOf(paneNumber)}>${paneNumber}</a>`}
    <span class="soft">${[size, glassTypeLabel].filter(Boolean).join(" · ")}</span>`;
}

function Amount({ net }) {
  if (net !== null) return money(net);
  return html`<span class="unpriced" title=${t("billing.noPrice")}><${Icon} name="triangle-alert" /><span aria-hidden="true">–</span>
    <span class="visually-hidden">${t("billing.noPrice")}</span></span>`;
}
