// The activity of the workshop: who has created, changed or deleted what; and what was deleted
// is restored here.
import { html, useState } from "../../../../vendor/ui.js";
import { api } from "../../../core/api.js";
import { hourMinute, number, t } from "../../../core/i18n.js";
import { may } from "../../../core/permissions.js";
import { query } from "../../../core/router.js";
import { explain } from "../../../ui/fault.js";
import { dayFilters, referenceFilter } from "../../../ui/filters.js";
import { faultsByField } from "../../../ui/form_values.js";
import { Icon } from "../../../ui/parts.js";
import { Filters } from "../../../ui/record_list.js";
import { Loaded, useResource } from "../../../ui/use_resource.js";
import { actionWord, differences, labelOf } from "../change_words.js";
import { Changed, who } from "../changes.js";
import { Empty } from "../empty.js";
import { Head, Office } from "../layout.js";
import { daysOf, isOwner } from "./blocks.js";
import { kinds, pageOf } from "./kinds.js";

export const title = "office.activity";
export const styles = ["pages/office/activity/activity"];

const PAGE = 50;
const NOT_READ = { entries: [], next: undefined, error: null };
const MOST_NAMES = 6; // of an entry
const MOST_FIELDS = 4; // that are named before the details are opened
const ICONS = {
  created: "plus",
  deleted: "trash-2",
  restored: "undo-2",
  scanned: "scan-line",
  qc_failed: "triangle-alert",
};
const NO_COLUMNS = { all: [], shown: [] };
/** The choices of what happened, and the actions of the API that they stand for. */
const ACTIONS = {
  created: "created",
  updated: "updated,adjusted,moved,low_stock",
  deleted: "deleted",
  restored: "restored",
  scanned: "scanned,qc_failed",
};

async function read(asked, before) {
  const parameters = { ...asked, ...(asked.action && { action: ACTIONS[asked.action] ?? asked.action }) };
  const page = { populate: "true", limit: String(PAGE), ...(before && { before: String(before) }) };
  return (await api(`/activity?${new URLSearchParams({ ...parameters, ...page })}`)).data;
}

function filters() {
  const person = { name: "by", label: t("activity.person"), resource: "workers" };
  return [
    { name: "action", label: t("field.action"), draw: Actions },
    {
      name: "kind",
      label: t("activity.kind"),
      options: kinds().map(([value, section]) => ({ value, label: t(`office.${section}`) })),
    },
    ...(may("workers:view") ? [referenceFilter(person)] : []),
    ...dayFilters({ name: "at", from: t("activity.from"), to: t("activity.to") }),
  ];
}

function Actions({ value, onChange, ...shared }) {
  return html`<select ...${shared} onChange=${(event) => onChange(event.target.value)}>
    <option value="" selected=${!value}>${t("activity.allButScans")}</option>
    ${Object.keys(ACTIONS).map((one) => html`<option key=${one} value=${one} selected=${value === one}>${t(`activitywhat.${one}`)}</option>`)}
  </select>`;
}

export default function Activity() {
  const all = filters();
  const names = all.map(({ name }) => name);
  const asked = Object.fromEntries(names.map((name) => [name, query.value.get(name)]).filter(([, value]) => value));
  const key = JSON.stringify(asked);
  const newest = useResource(`activity ${key}`, () => [() => read(asked)]);
  const faults = faultsByField(newest.error?.faults ?? [], names);
  const none = html`<${Empty} icon="history" title=${t("activity.none")} hint=${t(Object.keys(asked).length ? "activity.noneHint" : "activity.hint")} />`;
  return html`<${Office}>
    <${Head}><h1 tabindex="-1">${t("office.activity")}</h1><//>
    <${Filters} filters=${all} asked=${asked} faults=${faults} searchable=${false} columns=${NO_COLUMNS} exported=${null} />
    ${!names.some((name) => faults[name]) && html`<${Loaded} of=${newest}>${() => html`
      <${Entries} key=${key} asked=${asked} newest=${newest} none=${none} />`}<//>`}
  <//>`;
}

function Entries({ asked, newest, none }) {
  const [earlier, setEarlier] = useState(NOT_READ);
  const entries = [...newest.value.entries, ...earlier.entries];
  const next = earlier.next === undefined ? newest.value.next : earlier.next;
  const more = async () => {
    try {
      const found = await read(asked, next);
      setEarlier({ entries: [...earlier.entries, ...found.entries], next: found.next, error: null });
    } catch (error) {
      setEarlier({ ...earlier, error });
    }
  };
  return html`${entries.length === 0 && next === null && none}
    ${daysOf(entries).map(({ day, blocks }) => html`<section key=${day} class="activity-day" aria-label=${day}>
      <h2>${day}</h2>
      <ol class="activity changes">${blocks.map((block) => html`<${Block} key=${block.entries[0].seq} block=${block} />`)}</ol></section>`)}
    <p role="alert">${earlier.error && html`<span class="field-fault"><${Icon} name="circle-alert" /> ${explain(earlier.error)}</span>`}</p>
    ${next !== null && html`<button type="button" class="quiet-button" onClick=${more}>
      <${Icon} name="chevron-down" />${t("history.more")}</button>`}`;
}

/** What one request did. */
function Block({ block }) {
  const [newest] = block.entries;
  return html`<li><p class="activity-who"><time datetime=${newest.at}>${hourMinute(new Date(newest.at))}</time>
      <span>${who(newest)}</span></p>
    <ul>${block.entries.map((entry) => html`<${Entry} key=${entry.seq} entry=${entry} canRestore=${isOwner(entry, block)} />`)}</ul></li>`;
}

function Entry({ entry, canRestore }) {
  const { action, kind, count, records, changes } = entry;
  const kindWord = t(`activitykind.${kind}`, { count });
  const kindWords = count === 1 ? kindWord : t("activity.several", { kind: kindWord, count: number(count) });
  const isNamed = records[0].name !== null; // the price list is not
  const shown = records.slice(0, isNamed ? MOST_NAMES : 1);
  const fields = [...new Set(differences(changes).map(({ names }) => labelOf(names, [])))];
  const named = fields.slice(0, MOST_FIELDS).join(", ") + (fields.length > MOST_FIELDS ? ", …" : "");
  const hasDetails = changes.length > 0 || entry.hidden.length > 0;
  const summary = action === "updated" && named ? named : t("field.details");
  const restorable = canRestore ? records.filter(({ isRestorable }) => isRestorable) : [];
  return html`<li data-action=${action}><p><${Icon} name=${ICONS[action] ?? "pencil"} />
      <span><strong>${actionWord(action)}</strong> ${isNamed && `${kindWords} `}
        ${shown.map((one, index) => html`${index > 0 && ", "}<${Name} key=${one._id} kind=${kind} record=${one} word=${isNamed ? one.name : kindWords} />`)}${count > shown.length && ", …"}</span></p>
    ${hasDetails && html`<details><summary>${summary}</summary><${Changed} row=${entry} fields=${[]} /></details>`}
    ${restorable[0] && html`<div class="restores">${restorable.map((one) => html`
      <${Restore} key=${one._id} kind=${kind} record=${one} isNamed=${count > 1} />`)}</div>`}</li>`;
}

/** A record by a word, with a link to its page. */
function Name({ kind, record, word }) {
  const href = pageOf(kind, record);
  return href ? html`<a href=${href}>${word}</a>` : html`<b>${word}</b>`;
}

/** A button that restores a deleted record; then where it is, and what is not as it was. */
function Restore({ kind, record, isNamed }) {
  const [state, setState] = useState({});
  const { sending, error, warnings } = state;
  const restore = async () => {
    setState({ sending: true });
    try {
      const answer = await api(`/${kind}/${record._id}/restore`, { method: "POST" });
      setState({ warnings: answer.warnings ?? [] });
    } catch (failure) {
      setState({ error: failure });
    }
  };
  const isRefused = error?.isFromService && error.status < 500;
  const href = pageOf(kind, { ...record, exists: true });
  return html`<div class="restore" role="status">
    ${warnings ? html`<p class="saved"><${Icon} name="circle-check" />${t("activity.restored")} <a href=${href}>${record.name}</a></p>
        ${warnings.length > 0 && html`<ul class="warnings">${warnings.map((one) => html`<li key=${one.message}>${one.localMessage ?? one.message}</li>`)}</ul>`}`
      : html`<button type="button" class="quiet-button" disabled=${sending} onClick=${restore}>
        <${Icon} name="undo-2" />${isNamed ? t("activity.restoreNamed", { name: record.name }) : t("activity.restore")}</button>`}
    ${error && html`<p class="field-fault" role="alert"><${Icon} name="circle-alert" /> <span>${isRefused ? error.message : explain(error)}</span></p>`}
  </div>`;
}
