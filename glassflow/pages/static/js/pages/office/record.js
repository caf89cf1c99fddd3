// The page of one record, also of a new one.
import { html, useLayoutEffect, useRef, useState } from "../../../vendor/ui.js";
import { t } from "../../core/i18n.js";
import { may } from "../../core/permissions.js";
import { go, query } from "../../core/router.js";
import { Form } from "../../ui/form.js";
import { Icon } from "../../ui/parts.js";
import { KnownRecordPage, toList } from "./known_record.js";
import { Head, Office, OFFICE } from "./layout.js";

/**
 * `resource` is the list of the API; `id` is "new" for a new record. `manage` is the key that
 * changes records. `nameOf`, `below`, `actions`, `canDelete`, `isClosed` (it
 * does not change any more) and a function `fields` take
 * the record; `below` and `actions` also what reads it again, and `back` draws another way back than the
 * list. `another(...added)`, for a second button that begins the next record, returns its initial
 * values after those added, the newest first. The others are those of `Form`.
 */
export function RecordPage(properties) {
  if (properties.id !== "new") return html`<${KnownRecordPage} ...${properties} />`;
  return html`<${NewRecordPage} ...${properties}><${NewRecord} ...${properties} /><//>`;
}

/** The page around a new record. */
export const NewRecordPage = ({ section, newTitle, children }) => html`<${Office}>
  <${Head}>${toList(section)}<h1 tabindex="-1">${newTitle}</h1><//>${children}<//>`;

/** The form of a new record; the address has the name that another form has searched for and not found. */
export function NewRecord({ section, resource, fields, manage, nameOf, initial, another, ...form }) {
  const name = query.value.get("name");
  const [added, setAdded] = useState([]);
  const addsAnother = useRef(false);
  useLayoutEffect(() => added[0] && document.getElementById("field-name").focus(), [added]);
  const saved = (data) => (addsAnother.current ? setAdded([data, ...added]) : go(`${OFFICE}/${section}/${data._id}`));
  return html`<section class="card" onSubmit=${({ submitter }) => (addsAnother.current = submitter?.name === "another")}>
      <p role="status">${added[0] && html`<span class="saved"><${Icon} name="circle-check" />${t("office.added", { name: nameOf(added[0]) })}</span>`}</p>
      <${Form} key=${added.length} fields=${fields} path=${`/${resource}`} readOnly=${!may(manage)}
        initial=${added[0] ? another(...added) : { ...initial, ...(name && { name }) }} onSaved=${saved}
        second=${another && html`<button class="quiet-button" name="another"><${Icon} name="plus" />${t("office.another")}</button>`}
        ...${form} /></section>`;
}
