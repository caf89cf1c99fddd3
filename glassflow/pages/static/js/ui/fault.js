// What went wrong, in the words of the page: a sentence, the request id, and "again".
import { Component, html } from "../../vendor/ui.js";
import { Refused, Unreachable } from "../core/api.js";
import { duration, t } from "../core/i18n.js";
import { useNow } from "./connection.js";
import { Icon } from "./parts.js";

/** The sentence for an error of a request. */
export function explain(error) {
  if (error instanceof Unreachable) return t("fault.unreachable");
  if (error.code === "TOOK_TOO_LONG") return error.message;
  if (error instanceof Refused && error.status >= 500) return t("fault.busy");
  return t("fault.unexpected");
}

/** A whole page in place of one that cannot be shown. `retryAt`: epoch milliseconds. */
export function Fault({ text, requestId, retryAt, action, onAgain }) {
  const now = useNow(retryAt !== undefined);
  const wait = retryAt && duration(Math.max(1, Math.ceil((retryAt - now) / 1000)));
  return html`<main class="message failed">
    <${Icon} name="circle-alert" />
    <h1>${t("fault.title")}</h1>
    <p role="alert">${text}</p>
    ${requestId && html`<p class="soft">${t("fault.request")} <code>${requestId}</code></p>`}
    ${wait && html`<p>${t("fault.retry", { wait })}</p>`}
    <button type="button" class=${wait ? "quiet-button" : "main-button"} onClick=${onAgain}>
      <${Icon} name="rotate-cw" />${action}</button>
  </main>`;
}

/** Shows a fault in place of its children when one of them throws. */
export class FaultBoundary extends Component {
  state = {};

  static getDerivedStateFromError = (error) => ({ error });

  componentDidCatch(error) {
    console.error(error);
  }

  render({ children }, { error }) {
    if (!error) return children;
    return html`<${Fault} text=${explain(error)} action=${t("fault.reload")}
      onAgain=${() => location.reload()} />`;
  }
}
