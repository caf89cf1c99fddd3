// A file is imported into a list: chosen or pasted, checked by a dry run, corrected in the
// table of its rows, and only then stored, whole.
import { html, useState } from "../../../../vendor/ui.js";
import { number, t } from "../../../core/i18n.js";
import { RetryKey } from "../../../core/retry_key.js";
import { Failure } from "../../../ui/exports.js";
import { sendFile } from "../../../ui/files.js";
import { Icon } from "../../../ui/parts.js";
import { Head, Office, OFFICE } from "../layout.js";
import { Empty } from "../parts.js";
import { Choose } from "./choose.js";
import { IMPORTS, mayImport } from "../../../ui/imports.js";
import { fileOf } from "./rows.js";
import { Checked } from "./table.js";

export const title = "import.page";
export const styles = ["pages/office/import/import"];

const CSV = "text/csv";

export default function Import({ resource }) {
  const { section } = IMPORTS[resource] ?? {};
  const forbidden = html`<${Empty} icon="lock" title=${t("import.forbidden")} hint=${t("import.forbiddenHint")} />`;
  return html`<${Office}>
    <${Head}>${section && html`<a class="back" href=${`${OFFICE}/${section}`}><${Icon} name="arrow-left" />${t(`office.${section}`)}</a>`}
      <h1 tabindex="-1">${section ? t("import.title", { list: t(`office.${section}`) }) : t("import.page")}</h1><//>
    ${mayImport(resource) ? html`<${Steps} key=${resource} resource=${resource} section=${section} />` : forbidden}
  <//>`;
}

/** `file` is what was chosen, {body, type}; `data` the answer of its dry run; `result` that of the import. */
function Steps({ resource, section }) {
  const [{ file, data, result, busy, error }, setState] = useState({});
  const [retryKey] = useState(() => new RetryKey());
  const path = `/${resource}/import`;

  const check = async (next) => {
    setState((before) => ({ ...before, busy: "import.checking", error: null }));
    try {
      const { data } = await sendFile(`${path}?dryRun=1&table=1`, next.body, next.type);
      setState({ file: next, data });
    } catch (failure) {
      setState((before) => ({ ...before, busy: null, error: failure }));
    }
  };
  const run = async () => {
    setState((before) => ({ ...before, busy: "import.importing", error: null }));
    const headers = { "Idempotency-Key": retryKey.of([file.type, data]) };
    try {
      const answer = await sendFile(path, file.body, file.type, headers);
      retryKey.answered();
      setState({ result: answer.data });
    } catch (failure) {
      retryKey.failed(failure);
      if (failure.faults?.some(({ row }) => row)) return void check(file); // changed since the dry run
      setState((before) => ({ ...before, busy: null, error: failure }));
    }
  };

  const status = html`<p role="status" class="soft">${busy && html`<${Icon} name="hourglass" /> ${t(busy)}`}</p>
    <div role="alert"><${Failure} error=${error} /></div>`;
  if (result) return html`<${Result} of=${result} section=${section} onAgain=${() => setState({})} />`;
  if (!data) return html`<${Choose} resource=${resource} busy=${Boolean(busy)} onChosen=${check}>${status}<//>`;
  return html`<${Checked} key=${data} resource=${resource} data=${data} busy=${Boolean(busy)} onRun=${run}
    onCheck=${(table) => check({ body: fileOf(table), type: CSV })} onOther=${() => setState({})}>${status}<//>`;
}

function Result({ of: { created, updated, unchanged }, section, onAgain }) {
  const counts = { created: number(created), updated: number(updated), unchanged: number(unchanged) };
  return html`<section class="card import-done" role="status"><${Icon} name="circle-check" />
    <div><h2>${t("import.done")}</h2><p>${t("import.doneCounts", counts)}</p>
      <div class="form-buttons"><a class="main-button" href=${`${OFFICE}/${section}`}>
        <${Icon} name="arrow-right" />${t("import.toList")}</a>
        <button type="button" class="quiet-button" onClick=${onAgain}><${Icon} name="upload" />${t("import.again")}</button></div></div>
  </section>`;
}
