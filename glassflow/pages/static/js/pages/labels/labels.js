// Labels of panes, posters of stations, badges of workers and command cards: chosen at the
// left, shown as printed at the right.
import { html, useEffect, useState } from "../../../vendor/ui.js";
import { api, serviceTime } from "../../core/api.js";
import { duration, number, t } from "../../core/i18n.js";
import { may } from "../../core/permissions.js";
import { RetryKey } from "../../core/retry_key.js";
import { query, replaceQuery, takeTask } from "../../core/router.js";
import { onEvent } from "../../core/events.js";
import { explain } from "../../ui/fault.js";
import { Lazy } from "../../ui/lazy.js";
import "../../ui/page_icons.js";
import { Icon } from "../../ui/parts.js";
import { useScanner } from "../../ui/use_scanner.js";
import { Working } from "../../ui/working.js";
import { download, fetchFile } from "../../ui/files.js";
import { printPdf } from "../../ui/print_files.js";
import { Preview } from "./preview.js";
import { firstChosen, keyOf, KINDS, labelBody, MOST_NAMED, selectionBody, wanted, withoutLabel } from "./rules.js";
import { Paper, usePaper } from "./paper.js";
import { Search } from "./search.js";

export const title = "labels.title";
export const styles = ["pages/labels/labels"];
const ICONS = {
  panes: "layers",
  stations: "map-pin",
  racks: "package",
  lots: "warehouse",
  workers: "id-card",
  commands: "scan-line",
};
const listOfWarnings = () => import("./warnings.js");
// of the page: labels whose answer was lost are not printed again by who tries again
const retryKey = new RetryKey();
const OF_PRINT = ["PRINTER_SILENT", "NOT_RECORDED"]; // the other warnings are shown before

export default function Labels() {
  const selection = wanted(query.value);
  const [paper, setPaper, setup] = usePaper();
  const [list, setList] = useState({}); // {key, labels, warnings} or {key, error}
  const [chosen, setChosen] = useState(new Set());
  const key = `${selection.field}=${selection.value}`;
  const template = selection.kind === "panes" ? paper.template : "";
  const [attempt, setAttempt] = useState(0);
  const isUnknown = useScanner((panes) => replaceQuery({ panes }));
  useEffect(() => {
    if (!selection.value || !setup.layouts) return undefined;
    let current = true;
    const { layout, dpi } = paper;
    const what = { ...selectionBody(selection), ...(template && { template }) };
    const body = { ...what, format: "json", layout, ...(layout === "single" && { dpi }) };
    const show = ({ data }) => {
      if (!current) return;
      setList({ key, ...data });
      if (list.key !== key) setChosen(firstChosen(data.labels));
    };
    api("/labels", { method: "POST", body }).then(show, (error) => current && setList({ key, error }));
    return () => (current = false);
  }, [key, template, paper.layout, paper.dpi, setup.layouts, attempt]);
  useEffect(() => onEvent("pane:updated", ({ data }) => setList((now) => marked(now, data))), []);
  const loaded = list.key === key ? list : {};
  const labels = loaded.labels ?? [];
  const count = labels.filter((one) => chosen.has(keyOf(one))).length;
  const body = count ? labelBody(selection, labels, chosen, paper) : null;
  const layout = setup.layouts?.find((one) => one.name === paper.layout);
  return html`<main class="labels">
    <section class="setup">
      <h1 tabindex="-1">${t("labels.title")}</h1>
      <nav class="kinds" aria-label=${t("labels.kind")}>${KINDS.filter(mayPrint).map((kind) => html`
        <a key=${kind} href=${`/floor/labels?kind=${kind}`}
          aria-current=${kind === selection.kind ? "page" : undefined}>
          <${Icon} name=${ICONS[kind]} />${t(`labels.${kind}`)}</a>`)}</nav>
      ${selection.kind === "panes" && html`<${Search} value=${selection.value}
        onChoose=${(field, value) => replaceQuery({ [field]: value })} />`}
      <div role="status">${isUnknown && html`<p class="fault"><${Icon} name="circle-alert" />
        ${t("labels.unknownScan")}</p>`}</div>
      ${loaded.error && html`<${Failed} error=${loaded.error} kind=${selection.kind}
        onAgain=${() => setAttempt(attempt + 1)} />`}
      ${labels.length > 0 && html`<${Chooser} labels=${labels} chosen=${chosen}
        onChange=${setChosen} />`}
      ${labels.length > 0 && html`<${Paper} paper=${paper} onChange=${setPaper} setup=${setup}
        isOfPanes=${selection.kind === "panes"} />`}
      ${setup.error && html`<${Failed} error=${setup.error} onAgain=${setup.again} />`}
    </section>
    <section class="result" aria-label=${t("labels.preview")}>
      ${labels.length > 0
        ? html`<${Print} body=${body} count=${count} copies=${paper.copies} printer=${paper.printer}
            isOfPanes=${selection.kind === "panes"} onPrinted=${() => setAttempt(attempt + 1)} />
          <${Warnings} warnings=${loaded.warnings} />
          <${Preview} body=${body} layout=${layout} skip=${paper.skip}
            onSkip=${(skip) => setPaper({ skip })} />`
        : selection.value && !loaded.error && !loaded.labels && !setup.error
          ? html`<div class="skeleton" aria-busy="true"></div>`
        : !selection.value && html`<div class="empty"><${Icon} name="tag" /><p>
            <strong>${t("labels.empty")}</strong><br />${t("labels.emptyHint")}</p></div>`}
    </section>
  </main>`;
}

// Who prints somebody's badge could act as that worker.
const KEYS = { workers: "workers:manage", lots: "inventory:view" };
const mayPrint = (kind) => !KEYS[kind] || may(KEYS[kind]);

/** The list with what an event says of one of its panes. */
function marked(list, pane) {
  if (!list.labels?.some((one) => one.id === pane?._id)) return list;
  const change = (one) => (one.id === pane._id ? { ...one, labelledAt: pane.labelledAt } : one);
  return { ...list, labels: list.labels.map(change) };
}

function Chooser({ labels, chosen, onChange }) {
  const toggle = (key) => {
    const next = new Set(chosen);
    if (!next.delete(key)) next.add(key);
    onChange(next);
  };
  const unlabelled = withoutLabel(labels);
  const age = ({ labelledAt }) => duration((serviceTime() - Date.parse(labelledAt)) / 1000);
  return html`<fieldset class="chooser">
    <legend>${t("labels.chosen", { count: number(chosen.size), all: number(labels.length) })}</legend>
    <div class="quick">
      <button type="button" class="quiet-button" onClick=${() =>
        onChange(new Set(labels.map(keyOf)))}>${t("labels.all")}</button>
      ${unlabelled.size < labels.length && html`<button type="button" class="quiet-button" onClick=${() =>
        onChange(unlabelled)}>${t("labels.unprinted", { count: number(unlabelled.size) })}</button>`}
      <button type="button" class="quiet-button" onClick=${() => onChange(new Set())}>
        ${t("labels.none")}</button>
    </div>
    <ul tabindex="0" aria-label=${t("labels.list")}>${labels.map((one) => html`<li key=${keyOf(one)}><label>
      <input type="checkbox" checked=${chosen.has(keyOf(one))}
        onChange=${() => toggle(keyOf(one))} />
      <strong>${one.name}</strong>
      ${one.labelledAt && html`<span class="printed"><${Icon} name="check" />
        ${t("labels.printedAgo", { age: age(one) })}</span>`}
    </label></li>`)}</ul>
  </fieldset>`;
}

/** The main button, and the question whether what a browser printed came out. */
export function Print({ body, count, copies, printer, isOfPanes, onPrinted }) {
  const [state, setState] = useState({}); // {busy}, {asks: body}, {done, warnings}, {error}
  const total = number(count * copies);
  const run = (work) => async () => {
    setState({ busy: true });
    try {
      setState((await work()) ?? {});
    } catch (error) {
      setState({ error });
    }
  };
  const confirm = (sent) =>
    run(async () => {
      const { count: printed, warnings } = await retryKey.post("/labels/print", sent, { records: count });
      onPrinted();
      return { done: number(printed), warnings: warnings.filter(({ code }) => OF_PRINT.includes(code)) };
    });
  const pdf = () => fetchFile("/labels", { ...body, format: "pdf" });
  const print = run(async () => {
    await printPdf(pdf());
    return isOfPanes ? { asks: body } : {};
  });
  const store = run(async () => download((await pdf()).blob, "glassflow-labels.pdf"));
  const act = printer ? confirm({ ...body, printer }) : print;
  useEffect(() => void (takeTask() === "print" && act()), []);
  const isIdle = body && !state.busy;
  const isTooMany = count > 0 && !body;
  return html`<div class="print">
    ${isTooMany && html`<p class="fault" role="alert"><${Icon} name="circle-alert" />
      ${t("labels.tooMany", { most: number(MOST_NAMED) })}</p>`}
    <button type="button" class="main-button" disabled=${!isIdle} onClick=${act}>
      <${Icon} name="printer" />${printer
        ? t("labels.printOn", { count: total, printer }) : t("labels.print", { count: total })}</button>
    <button type="button" class="quiet-button" disabled=${!isIdle} onClick=${store}>
      <${Icon} name="download" />PDF</button>
    ${state.busy && html`<${Working} count=${count * copies} kind="labels" />`}
    <div role="status" class="outcome">
      ${state.asks && html`<div class="asks"><p>${t("labels.cameOut")}</p>
        <button type="button" class="quiet-button yes" data-card="CONFIRM" onClick=${confirm(state.asks)}>
          <${Icon} name="check" />${t("labels.cameOutYes")}</button>
        <button type="button" class="quiet-button" onClick=${() => setState({})}>
          ${t("labels.cameOutNo")}</button></div>`}
      ${state.done && html`<p class="done"><${Icon} name="circle-check" />
        ${t("labels.done", { count: state.done })}</p>
        <${Warnings} warnings=${state.warnings} />`}
    </div>
    ${state.error && html`<${Failed} error=${state.error} />`}
  </div>`;
}

const Warnings = ({ warnings }) => warnings?.[0] && html`<${Lazy} load=${listOfWarnings} warnings=${warnings} />`;

const SAID = ["PRINT_BROKEN", "OUTCOME_UNKNOWN", "IDEMPOTENCY_IN_PROGRESS"];

function inWords(error, kind) {
  const { code, message, status, faults } = error;
  if (SAID.includes(code)) return message;
  if (code === "PRINTER_AWAY") return t("labels.printerAway");
  if (status === 404) return t({ workers: "labels.noBadges", lots: "labels.noLots" }[kind] ?? "labels.notFound");
  if (status === 403) return t("labels.forbidden");
  return status === 400 ? `${t("labels.refused")} ${faults.length ? "" : message}` : explain(error);
}

function Failed({ error, kind, onAgain }) {
  if (error.code === "NO_LABEL_TEMPLATE")
    return html`<div class="fault" role="alert"><${Icon} name="tag" /><p>
    ${t("labels.noTemplate")} <a href="/floor/office/labels/new">${t("labels.newTemplate")}</a></p></div>`;
  return html`<div class="fault" role="alert"><${Icon} name="circle-alert" /><div>
    <p>${inWords(error, kind)}</p>
    ${error.faults?.map((one) => html`<small key=${one.field}>${one.field}: ${one.message}</small>`)}
    ${error.requestId && html`<small>${t("fault.request")} <code>${error.requestId}</code></small>`}
    ${onAgain && html`<button type="button" class="quiet-button" onClick=${onAgain}>
      <${Icon} name="rotate-cw" />${t("fault.again")}</button>`}
  </div></div>`;
}
