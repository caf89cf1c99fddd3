// The page of one record that there is.
import { html } from "../../../vendor/ui.js";
import { t } from "../../core/i18n.js";
import { may } from "../../core/permissions.js";
import { updated } from "../../core/records.js";
import { go } from "../../core/router.js";
import { Form } from "../../ui/form.js";
import { Lazy } from "../../ui/lazy.js";
import { Icon } from "../../ui/parts.js";
import { Loaded } from "../../ui/use_resource.js";
import { useRecord } from "../../ui/use_record.js";
import { Empty } from "./empty.js";
import { Head, Office, OFFICE } from "./layout.js";

const remover = () => import("./delete.js").then(({ Delete }) => ({ default: Delete }));

/** The link to the list of a section. */
export const toList = (section) => html`<a class="back" href=${`${OFFICE}/${section}`}>
  <${Icon} name="arrow-left" />${t(`office.${section}`)}</a>`;

/** `RecordPage` of a record that is not new. */
export function KnownRecordPage({ id, ...rest }) {
  return html`<${Office}><${KnownRecord} key=${id} id=${id} ...${rest} /><//>`;
}

function KnownRecord({
  section,
  resource,
  event,
  id,
  nameOf,
  manage,
  populate,
  fields,
  canDelete = (_) => true,
  isClosed = (_) => false,
  above,
  below,
  actions,
  back = (_) => toList(section),
  ...form
}) {
  const record = useRecord(resource, id, event, populate);
  const missing = html`<${Empty} icon="circle-help" title=${t("office.gone")} hint=${t("office.goneHint")}>
    <br /><a href=${`${OFFICE}/activity?action=deleted`}>${t("office.activity")}</a><//>`;
  const { value } = record;
  const shown = value && typeof fields === "function" ? fields(value) : fields;
  return html`<${Head}>${back(value)}
      <h1 tabindex="-1">${value ? nameOf(value) : t(`office.${section}`)}</h1>
      ${value && actions?.(value, record.load)}
      ${value && may(manage) && canDelete(value) && html`<${Lazy} load=${remover} record=${value} name=${nameOf(value)}
        path=${`/${resource}`} onDeleted=${() => go(`${OFFICE}/${section}`)} />`}<//>
    <${Loaded} of=${record} missing=${missing}>${() => value === null ? missing : html`
      ${above?.(value, record.load)}
      <section class="card"><${Form} fields=${shown} record=${value}
        path=${`/${resource}`} readOnly=${!may(manage) || isClosed(value)} onStale=${record.load} ...${form}
        onSaved=${(data) => [event || record.put(updated(value, data)), form.onSaved?.(data)]} /></section>
      ${below?.(value, record.load)}
      <${Lazy} load=${() => import("./history.js")} path=${`/${resource}/${value._id}`} version=${value.version} fields=${shown} />`}<//>`;
}
