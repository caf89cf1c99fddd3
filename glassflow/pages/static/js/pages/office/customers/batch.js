// Actions on the selected customers: exported, and merged into one of them.
import { html, useState } from "../../../../vendor/ui.js";
import { number, t } from "../../../core/i18n.js";
import { may } from "../../../core/permissions.js";
import { ExportButton } from "../../../ui/export_button.js";
import { Lazy } from "../../../ui/lazy.js";
import { Icon } from "../../../ui/parts.js";

const MOST_EXPORTED = 100; // ids in one address
const MOST_MERGED = 10; // side by side
const KEYS = ["customers:manage", "requests:manage", "orders:manage"];
const merge = () => import("./merge.js");

/** The buttons for the selected rows; see RecordList. */
export default function CustomerActions({ rows, clear, list, file }) {
  const [merging, setMerging] = useState(null); // the customers as they were when it was opened
  const parameters = { _id: String(rows.map(({ _id }) => _id)), sort: file.parameters.sort };
  const close = (isDone) => [setMerging(null), isDone && [clear(), list.load()]];
  return html`${rows.length > MOST_EXPORTED
      ? html`<span class="soft">${t("customers.mostExported", { count: number(MOST_EXPORTED) })}</span>`
      : html`<${ExportButton} ...${file} parameters=${parameters} total=${rows.length} />`}
    ${KEYS.every(may) && html`<button type="button" class="quiet-button" disabled=${rows.length < 2 || rows.length > MOST_MERGED}
      title=${t("customers.mergeHow", { count: number(MOST_MERGED) })} onClick=${() => setMerging(rows)}><${Icon} name="users" />${t("customers.merge")}</button>`}
    ${merging && html`<${Lazy} load=${merge} customers=${merging} onClose=${close} />`}`;
}
