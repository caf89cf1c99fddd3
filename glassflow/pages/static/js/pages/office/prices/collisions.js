// The prices that two people have changed at once, and which of them to keep.
import { html } from "../../../../vendor/ui.js";
import { number, t } from "../../../core/i18n.js";
import { Icon } from "../../../ui/parts.js";

/** `collisions` are {path, mine, theirs} of cells. */
export function Collisions({ collisions, onTake, onKeep }) {
  return html`<section class="conflict" aria-label=${t("form.conflict")}>
    <p><${Icon} name="triangle-alert" /><strong>${t("form.conflict")}</strong> ${t("prices.conflictHint")}</p>
    <dl>${collisions.map(({ path, mine, theirs }) => html`<dt key=${path}>${cellName(path)}</dt>
      <dd>${t("prices.collision", { mine: shown(mine), theirs: shown(theirs) })}</dd>`)}</dl>
    <div><button type="button" class="quiet-button" onClick=${onTake}>${t("form.takeTheirs")}</button>
      <button type="button" class="quiet-button" onClick=${onKeep}>${t("form.keepMine")}</button></div></section>`;
}

const shown = (value) => (typeof value === "number" ? number(value) : (value ?? "–"));

function cellName(path) {
  const [part, first, thickness, column] = JSON.parse(path);
  if (part === "glassPrices") return `${first} ${thickness}, ${t(`prices.${column}`)}`;
  if (part === "laminationRates") return t(`prices.${first}`);
  return first === undefined ? t(`prices.${part}`) : `${t(`prices.${part}`)}, ${first}`;
}
