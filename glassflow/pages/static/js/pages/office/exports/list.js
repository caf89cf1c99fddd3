// The exports that were saved by a name, one's own and those of others for all.
import { html, useState } from "../../../../vendor/ui.js";
import { t } from "../../../core/i18n.js";
import { idOf } from "../../../core/records.js";
import { session } from "../../../core/session.js";
import { downloadExport, Failure } from "../../../ui/exports.js";
import { Icon } from "../../../ui/parts.js";
import { Delete } from "../delete.js";
import { OFFICE } from "../layout.js";
import { ListPage } from "../list_page.js";
import { SECTIONS } from "../sections.js";
import { listAddress } from "./address.js";

export const title = "office.exports";
export const styles = ["pages/office/import/import"];

const SECTION_OF = { "billing-entries": "billing", inventories: "stock", workers: "people" }; // where the name is another one

export default function Exports() {
  return html`<${ListPage} section="exports" icon="download" hint=${t("exports.hint")} resource="saved-exports"
    sort="name" populate="owner" exported=${null} draw=${(rows, { load }) => html`<ul class="saved-exports" aria-label=${t("office.exports")}>
      ${rows.map((one) => html`<${Saved} key=${one._id} of=${one} onDeleted=${load} />`)}</ul>`} />`;
}

function Saved({ of, onDeleted }) {
  const [{ busy, error }, setState] = useState({});
  const { _id, name, format, shared, owner } = of;
  const isOwn = idOf(owner) === session.value.worker?._id;
  const get = async () => {
    setState({ busy: true });
    try {
      await downloadExport(`/saved-exports/${_id}/file`);
      setState({});
    } catch (failure) {
      setState({ error: failure });
    }
  };
  return html`<li class="card"><div><h2>${name}</h2>
      <p class="soft">${[t(`export.${format}`), shared && t("exports.shared"), isOwn ? t("exports.own") : owner?.name].filter(Boolean).join(" · ")}</p></div>
    <${OpenList} of=${of} />
    <button type="button" class="main-button" disabled=${busy} onClick=${get}><${Icon} name=${busy ? "hourglass" : "download"} />
      <span>${t("exports.get", { name: t(`export.${format}`) })}<span class="visually-hidden"> ${name}</span></span></button>
    ${isOwn && html`<${Delete} record=${of} name=${name} path="/saved-exports" hint=${t("exports.sure")} onDeleted=${onDeleted} />`}
    <p role="status" class="visually-hidden">${busy && t("exports.busy")}</p>
    <div role="alert"><${Failure} error=${error} /></div></li>`;
}

/** The list of a saved export, with its filters. */
function OpenList({ of }) {
  const { resource } = of;
  const section = SECTIONS.find(({ name }) => name === (SECTION_OF[resource] ?? resource))?.name;
  if (!section) return html`<span>${resource}</span>`;
  return html`<a class="quiet-button" href=${listAddress(`${OFFICE}/${section}`, of)}><${Icon} name="list" />${t(`office.${section}`)}</a>`;
}
