// Actions on the selected records of a list: what each will do is shown first, and what became
// of each record afterwards.
import { html, useState } from "../../../vendor/ui.js";
import { api } from "../../core/api.js";
import { number, t } from "../../core/i18n.js";
import { may } from "../../core/permissions.js";
import { Dialog } from "../../ui/dialog.js";
import { explain } from "../../ui/fault.js";
import { Icon } from "../../ui/parts.js";
import { Working } from "../../ui/working.js";

/**
 * A button for each of `actions`, {icon, label, dialog}: it opens the dialog, a component that
 * gets `records`, the selected rows as they were then, and `onClose(isDone)`.
 */
export function BatchButtons({ rows, clear, actions }) {
  const [open, setOpen] = useState(null); // {dialog, records}
  const close = (isDone) => [setOpen(null), isDone && clear()];
  return html`${actions.map(({ icon, label, dialog }) => html`<button key=${label} type="button" class="quiet-button"
      onClick=${() => setOpen({ dialog, records: rows })}><${Icon} name=${icon} />${label}</button>`)}
    ${open && html`<${open.dialog} records=${open.records} onClose=${close} />`}`;
}

/**
 * Says what will happen to which records (`say`, and below it `about`), does it, and says what
 * became of each. `plan` is as `plan` of batch_plan.js makes it; `nameOf(record)` names one,
 * `state(record)` draws it, `then(row)` what it will be and `after(record)` what it has become.
 * `why(reason)` says why one is left out. `send(taken, tell)` calls
 * `tell(id, outcome)` for each record: {record} or {error}, a text; what it returns is drawn
 * below them. With `asOne` it is one request. `children` are what is asked for; it cannot be confirmed while it is `missing`.
 */
export function BatchDialog({
  title,
  submit = title,
  say,
  about,
  plan,
  nameOf,
  state,
  then,
  after = state,
  why,
  missing,
  danger,
  asOne,
  send,
  onClose,
  children,
}) {
  const [outcomes, setOutcomes] = useState(null); // {id: {record} or {error}}
  const [sending, setSending] = useState(false);
  const [taken, setTaken] = useState([]);
  const [more, setMore] = useState(null);
  const confirm = async () => {
    setTaken(plan.taken);
    setOutcomes({});
    setSending(true);
    setMore(await send(plan.taken, (id, outcome) => setOutcomes((before) => ({ ...before, [id]: outcome }))));
    setSending(false);
  };
  const results = Object.values(outcomes ?? {});
  const done = results.filter(({ record }) => record).length;
  const isFinished = outcomes && !sending;
  const rows = (some) =>
    html`<ul class="batch-rows" tabindex="0">${some.map((row) => html`<li key=${row.record._id}>
    <strong>${nameOf(row.record)}</strong> ${state(row.record)}
    ${row.why ? html`<span class="soft">${why(row.why)}</span>` : then(row)}</li>`)}</ul>`;
  return html`<${Dialog} title=${title} onClose=${() => onClose(done > 0)}>
    ${outcomes === null && html`${children && html`<div class="batch-form">${children}</div>`}
      <p class="batch-say">${say}</p>
      ${rows(plan.taken)}
      ${plan.left.length > 0 && html`<h3>${t("batch.leftOut", { count: number(plan.left.length) })}</h3>
        ${rows(plan.left)}`}
      ${about && html`<p class="soft">${about}</p>`}
      <div class="form-buttons"><button type="button" class=${`main-button ${danger ? "danger" : ""}`}
        disabled=${missing || !plan.taken.length} onClick=${confirm}><${Icon} name="check" />${submit}</button></div>`}
    ${sending && asOne && html`<${Working} count=${taken.length} />`}
    <p class=${`batch-say ${sending ? "working" : ""}`} role="status">
      ${sending && !asOne && t("batch.sending", { done: number(results.length), count: number(taken.length) })}
      ${isFinished && t("batch.outcome", { done: number(done), count: number(taken.length) })}</p>
    ${outcomes && html`<ul class="batch-rows" tabindex="0">${taken.map(({ record }) => html`
      <${OutcomeRow} key=${record._id} name=${nameOf(record)} outcome=${outcomes[record._id]} after=${after} />`)}</ul>`}
    ${isFinished && more}
    ${isFinished && done < taken.length && html`<button type="button" class="quiet-button" onClick=${() => setOutcomes(null)}>
      <${Icon} name="arrow-left" />${t("batch.back")}</button>`}
  <//>`;
}

/** What a record will be, behind an arrow. */
export const becomes = (what) => html`<span class="then"><${Icon} name="arrow-right" />${what}</span>`;

function OutcomeRow({ name, outcome, after }) {
  const { error, record } = outcome ?? {};
  return html`<li data-kind=${error ? "failed" : record ? "done" : undefined}>
    <${Icon} name=${error ? "circle-x" : record ? "circle-check" : "hourglass"} /><strong>${name}</strong>
    ${record && after(record)}
    ${error && html`<span>${error}</span>`}</li>`;
}

/** PATCH one record of a resource after the other; nobody's newer change is overwritten. */
export async function changeEach(resource, taken, body, tell) {
  for (const { record } of taken) {
    try {
      const headers = { "If-Match": `"${record.version}"` };
      const { data } = await api(`/${resource}/${record._id}`, { method: "PATCH", body, headers });
      tell(record._id, { record: data });
    } catch (error) {
      tell(record._id, { error: wordsFor(error) });
    }
  }
}

/** Why something was not done: in the words of the service where it has refused it. */
export function wordsFor(error) {
  if (error.status === 412) return t("batch.changedMeanwhile");
  if (!error.isFromService || error.status >= 500) return explain(error);
  return error.faults.map(({ message }) => message).join(" ") || error.message;
}

/** The link to the labels of the panes that belong to selected records. `field` is what the page of the labels is asked for ("panes"), `names` are their numbers. */
export function Labels({ field, names }) {
  if (!may("panes:view")) return null;
  return html`<a class="quiet-button" href=${`/floor/labels?${field}=${encodeURIComponent(names)}`}>
    <${Icon} name="printer" />${t("office.printLabels")}</a>`;
}
