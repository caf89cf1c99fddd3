// The button that puts a station under maintenance, which asks why.
import { html, useState } from "../../../../vendor/ui.js";
import { t } from "../../../core/i18n.js";
import { RetryKey } from "../../../core/retry_key.js";
import { reason } from "./fields.js";
import { ActionButton } from "../dialog_button.js";

export default function Maintain({ station, onDone }) {
  const [retryKey] = useState(() => new RetryKey());
  const send = async ({ reason }) => {
    const stop = { kind: "machine", machineStands: true, refusesScanIn: true };
    await retryKey.post("/calls", { station: station._id, ...stop, reason });
    onDone();
  };
  return html`<${ActionButton} icon="wrench" label=${t("stations.maintain")} title=${t("stations.maintainAsk", { name: station.name })}
    record=${station} fields=${[{ ...reason(), hint: t("stations.reasonHint") }]} initial=${{ reason: "" }} send=${send} hint=${t("stations.maintainHint")} />`;
}
