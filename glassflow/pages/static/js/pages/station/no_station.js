// Why there is no station to show: unknown, not allowed, or no answer.
import { html } from "../../../vendor/ui.js";
import { t } from "../../core/i18n.js";
import { explain, Fault } from "../../ui/fault.js";
import { Icon } from "../../ui/parts.js";

const KINDS = { 403: "notAllowed", 404: "unknown" };

export function NoStation({ error, onAgain }) {
  const kind = KINDS[error.status];
  if (!kind)
    return html`<${Fault} text=${explain(error)} requestId=${error.requestId}
    action=${t("fault.again")} onAgain=${onAgain} />`;
  return html`<main class="message failed">
    <${Icon} name=${kind === "unknown" ? "map-pin-off" : "lock"} />
    <h1 tabindex="-1">${t(`station.${kind}`)}</h1>
    <p>${t(`station.${kind}Hint`)}</p>
    <a class="main-button" href=${kind === "unknown" ? "/floor/s?choose" : "/floor/"}>
      <${Icon} name=${kind === "unknown" ? "map-pin" : "house"} />${t(kind === "unknown" ? "station.change" : "station.home")}</a>
  </main>`;
}
