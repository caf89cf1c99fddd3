// A group of panes to choose from: ticked as a whole, or opened for single panes.
import { html, useState } from "../../../vendor/ui.js";
import { number, t } from "../../core/i18n.js";
import { paneColumns } from "./panes_of.js";

/**
 * `label` names the tick of the group, `summary` is shown beside it, and `children` above its `panes`, of which
 * a line has the `columns` by name. `chosen` is a set of ids; `put(ids, next)` chooses those of `next` among `ids`.
 */
export function ChoiceGroup({ label, summary, panes, columns, chosen, put, startsOpen, className, children }) {
  const [isOpen, setOpen] = useState(startsOpen);
  const ids = panes.map(({ _id }) => _id);
  const count = ids.filter((id) => chosen.has(id)).length;
  const cells = paneColumns().filter(({ name }) => columns.includes(name));
  return html`<li><label class="row-check"><input type="checkbox" aria-label=${label}
      checked=${count === ids.length} indeterminate=${count > 0 && count < ids.length} onClick=${({ target }) => put(ids, target.checked ? ids : [])} /></label>
    <details class=${className} open=${isOpen} onToggle=${({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>${summary}${count > 0 && count < ids.length && html`<b>${t("list.selected", { count: number(count) })}</b>`}</summary>
      ${isOpen && html`${children}
        <ul>${panes.map((pane) => html`<li key=${pane._id}><label><input type="checkbox" checked=${chosen.has(pane._id)}
            onClick=${({ target }) => put([pane._id], target.checked ? [pane._id] : [])} />
          ${cells.map((one) => html`<span key=${one.name} class=${one.name}>${one.cell(pane)}</span>`)}</label></li>`)}</ul>`}
    </details></li>`;
}
