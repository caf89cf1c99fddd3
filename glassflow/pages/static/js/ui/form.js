// The form of a record: fields described by a table, the faults of the API beside them, and
// no newer change of somebody else overwritten in silence.
import { html, useEffect, useLayoutEffect, useRef, useState } from "../../vendor/ui.js";
import { api, inWords, Refused, timeFor } from "../core/api.js";
import { t } from "../core/i18n.js";
import { updated } from "../core/records.js";
import { RetryKey } from "../core/retry_key.js";
import { session } from "../core/session.js";
import { explain } from "./fault.js";
import { Field } from "./field.js";
import {
  begun,
  changedBySomebody,
  changes,
  faultsByField,
  rebased,
  valueAt,
  withFields,
  withoutEmpty,
  withValue,
} from "./form_values.js";
import { Lazy } from "./lazy.js";
import { Icon } from "./parts.js";
import { Working } from "./working.js";

const STALE = 412;
const IDLE = { sending: false, faults: {}, error: null, saved: false, merged: false, said: [] };
const conflict = () => import("./conflict.js");

/** What was typed cannot be sent yet; `faults` are as the API has them. */
class Unchecked extends Error {
  faults = [];
}

/**
 * `fields` are what `Field` draws. `record` is what is changed, live: its newest state;
 * without it, the form creates one from `initial`. `path` is the resource ("/customers").
 * Values are kept in the tab until they are saved, under `draft`. `prefix` begins the ids of
 * the fields: another one where a page has two forms.
 *
 * `toBody(values, changed)` returns what is sent, or a promise of it, where that is not the
 * changed fields; `check(values, changed)` returns faults that the service would not find, as
 * {name: [message]}, where a name may lead into a field, and is asked again as they are corrected;
 * `onSaved(data, warnings)` gets the record from the service; `onStale()` reads the record where the service knows a newer state; `records(values)` is how many panes are
 * changed or made. `readOnly`: the worker may not change the record. `strict`: what the API
 * would only warn of is a fault. `single`: the record is the only one at `path`, and is changed there
 * by PUT. `isProposal`: it can be saved unchanged. A field may have `detail(fault, values)`: {label, open()} of
 * a fault inside of it for the summary; `open` moves the focus there. `toValues(record)` returns
 * what the form shows of a record where that is not what the API has.
 * `children({values, set, faults, error})` draws what is no plain field, below the fields;
 * `second` is a button beside that which submits. `path` is below the record `parent`.
 */
export function Form({
  fields,
  record: given,
  toValues = (record) => record,
  initial = {},
  path,
  prefix = "field",
  draft = given ? `${path}/${given._id}` : path,
  toBody,
  check,
  onSaved,
  onStale,
  submit,
  records = (_) => 0,
  strict,
  single,
  isProposal,
  readOnly,
  second,
  parent,
  children,
}) {
  const record = given && toValues(given);
  const names = fields.map(({ name }) => name);
  const [kept] = useState(() => readDraft(draft));
  const [start] = useState(() => begun(names, record ?? initial, kept));
  const base = useRef(start.base); // what the values were changed from
  const [values, setValues] = useState(start.values);
  const [state, setState] = useState(IDLE);
  const [stale, setStale] = useState(false);
  const form = useRef();
  const [retryKey] = useState(() => new RetryKey());
  const refused = (values) => {
    const found = Object.entries(check?.(values, changes(names, base.current, values) ?? {}) ?? {});
    const faults = found.flatMap(([field, messages]) => messages.map((message) => ({ field, message })));
    const error = Object.assign(new Unchecked(), { faults });
    return { faults: faultsByField(faults, names), error: faults.length ? error : null };
  };
  const { faults, error } = state.error instanceof Unchecked ? refused(values) : state;
  const secrets = fields.filter(({ kind }) => kind === "password");
  const body = changes(names, base.current, values);
  const canSave = body || !record || isProposal;
  const theirs = record && record.version > base.current.version ? changedBySomebody(names, base.current, record) : [];

  // A newer state is shown at once where it touches nothing that was typed here.
  useLayoutEffect(() => {
    if (!record || !(record.version > base.current.version)) return;
    const typed = changedBySomebody(theirs, base.current, values); // the same may be what is being saved
    if (changedBySomebody(typed, record, values).length) return void setStale(true);
    takeOver();
    if (!stale) return;
    setStale(false);
    setState({ ...IDLE, merged: true });
  }, [record?.version]);
  // not `useEffect`, which waits for the next frame: the form may be closed before it
  useLayoutEffect(() => {
    const from = record && withFields([...names, "version"], {}, base.current);
    const at = values === start.values ? kept?.at : Date.now(); // when it was typed
    keepDraft(draft, body && { values: secrets.reduce(forget, record ? values : body), base: from, at });
  }, [values]);
  useEffect(() => warnBeforeLeaving(Boolean(body)), [Boolean(body)]);
  useLayoutEffect(() => focusFault(form.current), [state.faults, state.error]);

  const set = (name, value) => {
    setValues((before) => withValue(before, name, value));
    setState((before) => ({ ...before, saved: false }));
  };
  // also what no field shows: an object is sent as a whole
  const takeOver = () => {
    const next = rebased(names, base.current, values, record);
    base.current = record;
    setValues(next);
    return next;
  };
  const keepMine = () => {
    const next = takeOver();
    setStale(false);
    if (changes(names, record, next)) save(next);
    else setState({ ...IDLE, saved: true }); // mine is theirs by now
  };
  const takeTheirs = () => {
    base.current = record;
    setValues(record);
    setStale(false);
  };

  // What was typed since it was sent stays.
  function showSaved(data, sent) {
    base.current = updated(record.version > base.current.version ? record : base.current, data);
    setValues((now) => rebased(names, sent, now, base.current));
  }

  async function save(values, { version } = base.current) {
    const found = refused(values);
    if (found.error) return void setState({ ...IDLE, ...found });
    setState({ ...IDLE, sending: true });
    try {
      const changed = changes(names, base.current, values);
      const sent = toBody ? await toBody(values, changed) : record ? changed : withoutEmpty(values);
      const target = record && !single ? `${path}/${record._id}` : path;
      // who sends a new record again, because no answer came, makes no second one
      const headers = {
        ...(strict && { Prefer: "handling=strict" }),
        ...(record ? { "If-Match": `"${version}"` } : { "Idempotency-Key": retryKey.of(sent) }),
        ...(parent && { "If-Match": `"${parent.version}"` }),
      };
      const method = single ? "PUT" : record ? "PATCH" : "POST";
      const { data, warnings = [] } = await api(target, {
        method,
        body: sent,
        headers,
        timeoutMs: timeFor(records(values)),
      });
      retryKey.answered();
      keepDraft(draft, null);
      setStale(false);
      if (record) showSaved(toValues(data), values);
      setState({ ...IDLE, saved: true, said: warnings });
      onSaved?.(data, warnings);
    } catch (error) {
      if (error instanceof Refused && error.status === STALE) {
        setStale(Boolean(record));
        onStale?.();
      }
      retryKey.failed(error);
      setState({ ...IDLE, faults: faultsByField(error.faults ?? [], names), error });
    }
  }

  const submitted = (event) => {
    event.preventDefault();
    if (!state.sending && canSave) save(values);
  };
  return html`<form ref=${form} class="form" onSubmit=${submitted} noValidate>
    <${Summary} faults=${faults} error=${error} stale=${stale} fields=${fields} values=${values} prefix=${prefix} />
    ${stale && html`<${Lazy} load=${conflict} fields=${fields.filter(({ name }) => theirs.includes(name))} theirs=${record}
      onTake=${takeTheirs} onKeep=${keepMine} />`}
    <div class="fields">${fields.map((field) => html`<${Field} key=${field.name} field=${field}
      value=${valueAt(values, field.name)} values=${values} faults=${faults[field.name]}
      readOnly=${readOnly} prefix=${prefix} onChange=${(value) => set(field.name, value)} set=${set} />`)}</div>
    ${children?.({ values, set, faults, error })}
    ${!readOnly && html`<div class="form-buttons">
      <button class="main-button" disabled=${state.sending || stale || !canSave}>
        <${Icon} name=${state.sending ? "hourglass" : "check"} />${submit ?? t(record ? "form.save" : "form.create")}</button>${second}
      ${body && record && !stale && html`<button type="button" class="quiet-button" onClick=${takeTheirs}>
        <${Icon} name="undo-2" />${t("form.discard")}</button>`}
      ${state.sending && html`<${Working} count=${records(values)} />`}
      <p role="status">${state.merged && t("form.merged")}${state.saved && html`<span class="saved"><${Icon} name="circle-check" />${t("form.saved")}</span>`}
        ${state.saved && state.said.map((one) => html`<span class="said" key=${one.message}>${inWords(one).message}</span>`)}</p>
    </div>`}
  </form>`;
}

/** What went wrong, with links to the fields. */
function Summary({ error, faults, stale, fields, values, prefix }) {
  const listed = Object.entries(faults).flatMap(([name, messages]) => {
    const field = fields.find((one) => one.name === name);
    return entries(field, messages, error, values, prefix);
  });
  if ((!error && !listed.length) || stale) return html`<div role="alert"></div>`;
  const known = error instanceof Refused && error.status < 500;
  const text = listed.length ? t("form.faults") : known ? error.message : explain(error);
  return html`<div role="alert"><div class="fault" tabindex="-1"><${Icon} name="circle-alert" />
    <div><p>${text} <small>${t("form.kept")}</small></p>
    ${listed.length > 0 && html`<ul>${listed.map(({ label, id, open, message }) => html`<li key=${`${label} ${message}`}>
      ${label ? html`<a href=${`#${id}`} onClick=${(event) => [event.preventDefault(), open()]}>${label}</a>: ` : ""}${message}</li>`)}</ul>`}
    ${error?.requestId && html`<small>${t("fault.request")} <code>${error.requestId}</code></small>`}</div></div></div>`;
}

/** The faults of a field for the summary: one of all messages, or each where it is inside the field. */
function entries(field, messages, error, values, prefix) {
  const message = messages.join(" ");
  if (!field) return [{ message }];
  const { name, label, detail } = field;
  const id = `${prefix}-${name}`;
  const whole = { id, label, message, open: () => document.getElementById(id)?.focus() };
  const inside = detail ? (error.faults ?? []).filter((one) => one.field?.startsWith(name)) : [];
  const found = inside.map((fault) => ({ ...whole, message: fault.message, ...detail(fault, values) }));
  return found.length ? [...new Map(found.map((one) => [one.label + one.message, one])).values()] : [whole]; // a value may stand in two fields
}

function focusFault(form) {
  const target = form?.querySelector("[aria-invalid=true]") ?? form?.querySelector(".fault[tabindex]");
  target?.focus();
}

const forget = (values, { name }) => withValue(values, name, undefined);

const keyOf = (name) => `glassflow.draft.${session.peek().worker?._id}.${name}`;

/**
 * A draft: what was typed and not saved, kept in the tab under a name for the worker who is logged
 * in; null for none. It outlives a page that is left by a link, a key or a scanned pane.
 */
export function readDraft(name) {
  try {
    return JSON.parse(sessionStorage.getItem(keyOf(name)));
  } catch {
    return null;
  }
}

/** Keep a draft; null forgets it. */
export function keepDraft(name, draft) {
  try {
    sessionStorage.removeItem(keyOf(name)); // where there is no room for the new one, none is kept
    if (draft) sessionStorage.setItem(keyOf(name), JSON.stringify(draft));
  } catch {
    // storage is full or turned off: it lasts as long as the page
  }
}

/** While something is changed, let the browser ask before the tab is closed; how to stop. */
export function warnBeforeLeaving(isChanged) {
  if (!isChanged) return undefined;
  const warn = (event) => event.preventDefault();
  addEventListener("beforeunload", warn);
  return () => removeEventListener("beforeunload", warn);
}
