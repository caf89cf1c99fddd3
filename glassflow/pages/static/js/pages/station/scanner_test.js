// "Test my scanner": what the scanner sent last, and what is to be set at it.
import { html, useLayoutEffect, useState } from "../../../vendor/ui.js";
import { number, t } from "../../core/i18n.js";
import { codesIn, isCut, parse } from "../../scan/codes.js";
import { endsCodes, forgetEndMark, listen } from "../../scan/wedge.js";
import { Icon } from "../../ui/parts.js";
import { Sheet } from "../scan_page/sheet.js";

const SLOW_MS = 100; // see scan/wedge.js: slower keys are not heard in fields

/** What is wrong with a burst (see `listen`), as ends of the keys `station.scanner_…`; `ends` says that the device waits for end marks. */
export function faultsOf({ text, end, slowestMs, thai }, ends) {
  const { before, codes } = codesIn(text);
  const read = codes.length ? codes : [before];
  const faults = [];
  if (read.some((one) => parse(one).kind === "unknown")) faults.push("unknown");
  if (read.some(isCut)) faults.push("cut");
  if (codes.length > 1) faults.push("glued");
  if (!end) faults.push(ends ? "noEndWaits" : "noEnd");
  if (slowestMs > SLOW_MS) faults.push("slow");
  if (thai) faults.push("thai");
  return faults;
}

/** What was read, without the secret of a badge. */
const shown = (text) => text.replace(/(-WORKER:).+/i, "$1…");

export default function ScannerTest({ desk }) {
  const [burst, setBurst] = useState(null); // the last one, and whether the device waited for its end
  useLayoutEffect(() => {
    const stop = listen(() => {}, { onBurst: (facts) => setBurst({ ...facts, ends: endsCodes() }) });
    const before = desk.takes;
    desk.takes = () => true; // codes are tested, not carried out
    return () => {
      stop();
      desk.takes = before;
    };
  }, [desk]);
  const endless = () => {
    forgetEndMark();
    setBurst({ ...burst, ends: false });
  };
  return html`<${Sheet} desk=${desk} title=${t("station.testScanner")}>
    <div class="scanner-test" role="status">${burst ? html`<${Result} burst=${burst} onEndless=${endless} />` : html`<p
      class="scan-now"><${Icon} name="qr-code" /><span>${t("station.scanToTest")}</span></p>`}</div>
  <//>`;
}

function Result({ burst, onEndless }) {
  const { text, end, slowestMs, thai, ends } = burst;
  const faults = faultsOf(burst, ends);
  const { codes } = codesIn(text);
  const kinds = (codes.length ? codes : [text]).map((one) => t(`station.code_${parse(one).kind}`));
  const rows = [
    ["read", html`<code>${shown(text)}</code>`],
    ["meaning", [...new Set(kinds)].join(", ")],
    ["end", end || t("station.scanner_none")],
    ["gap", t("station.milliseconds", { count: number(slowestMs) })],
    ["layout", t(thai ? "station.layout_thai" : "station.layout_us")],
  ];
  return html`<dl>${rows.map(([name, value]) => html`<div key=${name}><dt>${t(`station.scanner_${name}`)}</dt>
      <dd>${value}</dd></div>`)}</dl>
    ${faults.length === 0 && html`<p class="done"><${Icon} name="circle-check" />${t("station.scanner_good")}</p>`}
    <ul>${faults.map((one) => html`<li key=${one}><${Icon} name="circle-alert" />
      <span>${t(`station.scanner_${one}`)}</span></li>`)}</ul>
    ${faults.includes("noEndWaits") && html`<button type="button" class="quiet-button" onClick=${onEndless}>
      ${t("station.takeWithoutEnd")}</button>`}
    <p class="soft">${t("station.scanAgain")}</p>`;
}
