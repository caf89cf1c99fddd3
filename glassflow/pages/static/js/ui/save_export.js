// The form that saves an export by a name, to be made again with what the list has then.
import { html, useState } from "../../vendor/ui.js";
import { t } from "../core/i18n.js";
import { RetryKey } from "../core/retry_key.js";
import { Failure, FORMATS } from "./exports.js";
import { Icon } from "./parts.js";

export function SaveExport({ resource, query }) {
  const [values, setValues] = useState({ name: "", format: FORMATS[0], shared: false });
  const [{ busy, saved, error }, setState] = useState({});
  const [retryKey] = useState(() => new RetryKey());
  const set = (changed) => {
    setValues({ ...values, ...changed });
    setState({});
  };
  const save = async (event) => {
    event.preventDefault();
    const body = { ...values, resource, query };
    setState({ busy: true });
    try {
      await retryKey.post("/saved-exports", body);
      setState({ saved: true });
    } catch (failure) {
      setState({ error: failure });
    }
  };
  return html`<details class="save-export"><summary class="quiet-button"><${Icon} name="tag" />${t("export.save")}</summary>
    <form class="form" onSubmit=${save}>
      <p>${t("export.saveHint")}</p>
      <div class="field"><label for="export-name">${t("field.name")}</label>
        <input id="export-name" type="text" autocomplete="off" maxlength="100" value=${values.name}
          onInput=${(event) => set({ name: event.target.value })} /></div>
      <div class="field"><label for="export-format">${t("export.format")}</label>
        <select id="export-format" onChange=${(event) => set({ format: event.target.value })}>${FORMATS.map((one) => html`
          <option key=${one} value=${one} selected=${one === values.format}>${t(`export.${one}`)}</option>`)}</select></div>
      <div class="field check"><label for="export-shared">${t("export.shared")}</label>
        <input id="export-shared" type="checkbox" checked=${values.shared} onChange=${(event) => set({ shared: event.target.checked })} />
        <small>${t("export.sharedHint")}</small></div>
      <div role="alert"><${Failure} error=${error} /></div>
      <div class="form-buttons"><button class="quiet-button" disabled=${busy || saved || !values.name.trim()}>
          <${Icon} name="check" />${t("form.save")}</button>
        <p role="status">${saved && html`<span class="saved"><${Icon} name="circle-check" />${t("form.saved")}</span>`}</p></div>
    </form>
    <p><a href="/floor/office/exports">${t("export.toSaved")}</a></p>
  </details>`;
}
