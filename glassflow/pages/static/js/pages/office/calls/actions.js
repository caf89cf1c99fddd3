// What can be done with a call that has not ended: go there, go no longer, and say that it is done.
import { html, useState } from "../../../../vendor/ui.js";
import { t } from "../../../core/i18n.js";
import { may } from "../../../core/permissions.js";
import { idOf } from "../../../core/records.js";
import { RetryKey } from "../../../core/retry_key.js";
import { session } from "../../../core/session.js";
import { Failure } from "../../../ui/exports.js";
import { Icon } from "../../../ui/parts.js";

/** The buttons of a call; `onDone` reads it again. */
export function CallActions({ call, onDone }) {
  const [{ busy, error }, setState] = useState({});
  const [retryKey] = useState(() => new RetryKey());
  const act = async (action) => {
    setState({ busy: true });
    try {
      await retryKey.post(`/calls/${call._id}/${action}`, {});
      setState({});
    } catch (failure) {
      setState({ error: failure });
    }
    onDone();
  };
  const main = call.status === "open" && !call.refusesScanIn ? "take" : "end";
  const isMine = idOf(call.takenBy) === session.value.worker?._id;
  const actions = [
    ["take", "arrow-right", call.status === "open" && may("panes:scan")],
    ["end", "check", call.status !== "ended" && may(call.refusesScanIn ? "stations:manage" : "panes:scan")],
    ["release", "undo-2", call.status === "taken" && (isMine || may("stations:manage"))],
  ];
  return html`${actions
    .filter(([, , isPossible]) => isPossible)
    .map(
      ([action, icon]) => html`<button key=${action} type="button" class=${action === main ? "main-button" : "quiet-button"}
        disabled=${busy} onClick=${() => act(action)}><${Icon} name=${icon} />${t(`callsaction.${action}`)}</button>`,
    )}
    <div role="alert"><${Failure} error=${error} /></div>`;
}
