// The selected notifications are marked as read.
import { html, useState } from "../../../../vendor/ui.js";
import { api } from "../../../core/api.js";
import { t } from "../../../core/i18n.js";
import { wordsFor } from "../batch.js";
import { Icon } from "../../../ui/parts.js";
import { countAgain } from "../counts.js";

/** The button for the selected rows; see RecordList. */
export default function NotificationActions({ rows, clear, list }) {
  const [{ sending, error }, setState] = useState({});
  const fresh = rows.filter(({ readStatus }) => !readStatus);
  const read = async () => {
    setState({ sending: true });
    try {
      for (const { _id } of fresh) await api(`/notifications/${_id}`, { method: "PATCH", body: { readStatus: true } });
      clear();
    } catch (failure) {
      setState({ error: failure });
    }
    countAgain();
    list.load();
  };
  return html`<button type="button" class="quiet-button" disabled=${sending || !fresh.length} onClick=${read}>
      <${Icon} name="check" />${t("notifications.readSelected")}</button>
    <span role="alert">${error && html`<span class="field-fault"><${Icon} name="circle-alert" /> ${wordsFor(error)}</span>`}</span>`;
}
