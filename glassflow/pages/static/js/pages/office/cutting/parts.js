// Parts of the pages of cutting: the stage of a plan, its figures, and panes by their numbers.
import { html } from "../../../../vendor/ui.js";
import { number, t } from "../../../core/i18n.js";
import { Icon } from "../../../ui/parts.js";
import { passportOf } from "../layout.js";

const SIGNS = { proposed: "pencil", released: "lock", cutting: "play", done: "circle-check", cancelled: "ban" };
/** The stages in which the sheets and the panes of a plan are reserved. */
export const RESERVING = ["released", "cutting"];

/** The stage of a plan as a sign, a word and a colour. */
export const PlanStatus = ({ status }) => html`<span class="status" data-status=${status}>
  <${Icon} name=${SIGNS[status]} />${t(`cuttingstatus.${status}`)}</span>`;

/** Whether a better plan is still searched for. */
export const isSearching = ({ status, searchStatus }) =>
  status === "proposed" && ["waiting", "running"].includes(searchStatus);

/** The share of the glass that becomes panes, without the rests that are kept, in words; "" without sheets. */
export function usePercent({ paneArea, sheetArea, remnantAreaUsed, remnantAreaMade }) {
  const taken = sheetArea + remnantAreaUsed - remnantAreaMade;
  return taken > 0 ? `${number(Math.round((1000 * paneArea) / taken) / 10)} %` : "";
}

/** The links to the passports of `panes`, the first of `count`. */
export function Panes({ panes, count = panes.length, from = "cutting" }) {
  return html`<ul class="pane-links">${panes.map(({ _id, paneNumber }) => html`<li key=${_id}>${paneNumber ? html`<a href=${`${passportOf(paneNumber)}?from=${from}`}>${paneNumber}</a>` : "–"}</li>`)}
    ${count > panes.length && html`<li class="soft">${t("cutting.more", { count: number(count - panes.length) })}</li>`}</ul>`;
}

/** Panes that no plan can have, by the reason: {reason, count, panes}. */
export const Unplanned = ({
  of: { reason, count, panes },
}) => html`<p><${Icon} name="triangle-alert" />${t(`cuttingreason.${reason}`, { count })}</p>
  <${Panes} panes=${panes} count=${count} />`;
