// The labels of panes that are made again: one tap prints them as this device prints labels.
import { html, useState } from "../../../vendor/ui.js";
import { number as figure, t } from "../../core/i18n.js";
import { RetryKey } from "../../core/retry_key.js";
import { fetchFile } from "../../ui/files.js";
import { fitting, keptPaper, loadSetup, paperBody } from "../../ui/label_paper.js";
import { Icon } from "../../ui/parts.js";
import { printPdf } from "../../ui/print_files.js";
import { explainReason, reasonOf } from "../../ui/verdict.js";
import { listed } from "../scan_page/requests.js";

const OF_PRINT = ["PRINTER_SILENT", "NOT_RECORDED"]; // how a label looks, the page of labels tells
const retryKey = new RetryKey(); // of the page: a label whose answer was lost is not printed again

/** `remakes` are [{number, id}]. Where the device prints on sheets, the page of labels asks for the free cell. */
export default function RemakeLabel({ remakes }) {
  const ids = remakes.map(({ id }) => id);
  const number = listed(remakes.map((one) => one.number));
  const isOne = remakes.length === 1;
  const say = (one, ofMany) => t(`station.${isOne ? one : ofMany}`, { number, count: figure(remakes.length) });
  const [state, setState] = useState({}); // {busy}, {asks: body}, {done, warnings}, {isGone} or {error}
  const { printer, layout } = keptPaper();
  const address = `/floor/labels?panes=${ids}`;
  const link = html`<a href=${address}>${t("station.labelsPage")}</a>`;
  if (!printer && layout !== "single")
    return html`<p class="remake-label"><a class="main-button" href=${address}>
      <${Icon} name="printer" />${say("printLabel", "printLabels")}</a></p>`;
  const run = (work) => async () => {
    setState({ busy: true });
    try {
      setState(await work());
    } catch (error) {
      setState({ error });
    }
  };
  const asked = async () => {
    const paper = fitting(keptPaper(), await loadSetup());
    return { paper, body: { panes: ids, ...paperBody(paper, true) } };
  };
  const record = async (body) => {
    const { warnings } = await retryKey.post("/labels/print", body, { records: ids.length });
    return { done: true, warnings: warnings.filter(({ code }) => OF_PRINT.includes(code)) };
  };
  const onPrinter = async () => {
    const { paper, body } = await asked();
    if (!paper.printer) return { isGone: true };
    return record({ ...body, printer });
  };
  const inBrowser = async () => {
    const known = asked();
    await printPdf(known.then(({ body }) => fetchFile("/labels", { ...body, format: "pdf" })));
    return { asks: (await known).body };
  };
  if (state.asks)
    return html`<p class="remake-label" role="status"><span>${say("cameOut", "cameOutAll")}</span>
    <button type="button" class="main-button" onClick=${run(() => record(state.asks))}>
      <${Icon} name="check" />${t("station.cameOutYes")}</button>
    <button type="button" class="quiet-button" onClick=${() => setState({})}>${t("station.cameOutNo")}</button></p>`;
  if (state.done)
    return html`<p class="remake-label" role="status">
    <span class="printed"><${Icon} name="circle-check" /> ${say("labelPrinted", "labelsPrinted")}</span>
    ${state.warnings.map(({ code, detail, labels }) => html`<span key=${code}>
      ${t(`labels.warn${code}`, { detail, labels: figure(labels) })}</span>`)} ${link}</p>`;
  return html`<p class="remake-label">
    <button type="button" class="main-button" disabled=${state.busy} onClick=${run(printer ? onPrinter : inBrowser)}>
      <${Icon} name=${state.busy ? "hourglass" : "printer"} />${say("printLabel", "printLabels")}</button>
    ${(state.error || state.isGone) && html`<span role="alert">${state.isGone
      ? t("station.printerGone", { printer }) : explainReason(reasonOf(state.error))} ${link}</span>`}</p>`;
}
