// The page of a list: a heading with the button for a new record, and the list.
import { html } from "../../../vendor/ui.js";
import { t } from "../../core/i18n.js";
import { may } from "../../core/permissions.js";
import { ImportLink } from "../../ui/imports.js";
import { Icon } from "../../ui/parts.js";
import { RecordList } from "../../ui/record_list.js";
import { Head, Office, OFFICE } from "./layout.js";
import { Empty } from "./parts.js";

/**
 * `section` is the section of the rail, `icon` its icon. `create` is the key that creates
 * records, `newTitle` the button's text; `hint` says how the first record comes to be. The
 * other properties are those of `RecordList`; `children` are drawn above the list. A file is
 * imported into `imported`, where that is not the list's `resource`.
 */
export function ListPage({ section, icon, create, newTitle, hint, children, imported, ...list }) {
  const label = t(`office.${section}`);
  const link =
    create &&
    may(create) &&
    html`<a class="main-button new" href=${`${OFFICE}/${section}/new`}>
    <${Icon} name="plus" />${newTitle}</a>`;
  return html`<${Office}>
    <${Head}><h1 tabindex="-1">${label}</h1>${link}<${ImportLink} resource=${imported ?? list.resource} /><//>
    ${children}
    <${RecordList} label=${label} href=${({ _id }) => `${OFFICE}/${section}/${_id}`}
      empty=${html`<${Empty} icon=${icon} title=${t("office.nothingYet")} hint=${hint} />`} ...${list} />
  <//>`;
}
