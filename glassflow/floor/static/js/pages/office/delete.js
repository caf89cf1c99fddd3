// The deletion of a record from its page.
import { html, useState } from "../../../vendor/ui.js";
import { api } from "../../core/api.js";
import { t } from "../../core/i18n/index.js";
import { Dialog } from "../../ui/dialog.js";
import { explain } from "../../ui/fault.js";
import { Icon } from "../../ui/parts.js";

/** A button that asks before it deletes a record (`hint`); a refusal is shown in its words. */
export function Delete({ record, name, path, hint = t("office.deleteHint"), onDeleted }) {
  const [asking, setAsking] = useState(false);
  const [state, setState] = useState({});
  const remove = async () => {
    setState({ sending: true });
    try {
      const headers = { "If-Match": `"${record.version}"` };
      await api(`${path}/${record._id}`, { method: "DELETE", headers });
      onDeleted();
    } catch (error) {
      setState({ error });
    }
  };
  const { error } = state;
  return html`<button type="button" class="quiet-button delete" onClick=${() => [setState({}), setAsking(true)]}>
      <${Icon} name="trash-2" />${t("office.delete")}</button>
    ${asking && html`<${Dialog} title=${t("office.deleteTitle", { name })} onClose=${() => setAsking(false)}>
      <p>${hint}</p>
      <div role="alert">${error && html`<p class="fault"><${Icon} name="circle-alert" />
        <span>${error.status < 500 ? error.message : explain(error)}</span></p>`}</div>
      <div class="form-buttons"><button type="button" class="main-button danger" disabled=${state.sending} onClick=${remove}>
        <${Icon} name="trash-2" />${t("office.delete")}</button></div><//>`}`;
}
