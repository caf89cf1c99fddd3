// The link by which the customer of a quote accepts it: made, shown once, and revoked.
import { html, useRef, useState } from "../../../../vendor/ui.js";
import { inWords } from "../../../core/api.js";
import { date, t } from "../../../core/i18n.js";
import { explain } from "../../../ui/fault.js";
import { Icon } from "../../../ui/parts.js";
import { answerOn } from "../act_on.js";
import { ActionButton, DialogButton } from "../dialog_button.js";

/** The last day on which a link opens the offer: it ends as that day does. */
export const lastDay = ({ linkExpiresAt }) => date(Date.parse(linkExpiresAt) - 1);

export function CustomerLink({ quote, onStale }) {
  const send = (method) => answerOn("/quotes", quote, { action: "link", method, onStale });
  return html`${quote.status === "sent" && html`<${DialogButton} icon="smartphone" label=${t("quotes.link")} isMain>
      ${() => html`<${NewLink} replaces=${quote.hasLink} make=${() => send("POST")} />`}<//>`}
    ${quote.hasLink && html`<${ActionButton} icon="ban" label=${t("quotes.revokeLink")} hint=${t("quotes.revokeLinkHint")} isDanger
      record=${quote} send=${() => send("DELETE")} />`}`;
}

function NewLink({ replaces, make }) {
  const [replaced] = useState(replaces); // before the link of this dialog was made
  const [{ sending, made, error }, setState] = useState({});
  const send = async () => {
    setState({ sending: true });
    try {
      setState({ made: await make() });
    } catch (failure) {
      setState({ error: failure });
    }
  };
  if (made) return html`<${Made} ...${made.data} warnings=${made.warnings} />`;
  return html`<div class="form"><p>${t("quotes.linkHint")}</p>
    ${replaced && html`<p class="status-line"><${Icon} name="triangle-alert" /> ${t("quotes.linkReplaces")}</p>`}
    <div role="alert">${error && html`<p class="fault"><${Icon} name="circle-alert" /><span>${error.status < 500 ? error.message : explain(error)}</span></p>`}</div>
    <div class="form-buttons"><button type="button" class="main-button" disabled=${sending} onClick=${send}>
      <${Icon} name=${sending ? "hourglass" : "smartphone"} />${t("quotes.makeLink")}</button></div></div>`;
}

function Made({ url, expiresAt, warnings }) {
  const address = useRef();
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    address.current.select();
    try {
      await navigator.clipboard.writeText(url);
      setCopied(true);
    } catch {
      setCopied(document.execCommand("copy")); // over plain http there is no clipboard
    }
  };
  return html`<div class="form">
    <div class="field"><label for="link">${t("quotes.linkAddress")}</label><input id="link" ref=${address} readonly value=${url} /></div>
    ${warnings.map(inWords).map(({ message }) => html`<p key=${message} class="status-line"><${Icon} name="triangle-alert" /> ${message}</p>`)}
    <p>${t("quotes.linkUntil", { day: lastDay({ linkExpiresAt: expiresAt }) })}</p>
    <p class="status-line"><${Icon} name="triangle-alert" /> ${t("quotes.linkOnce")}</p>
    <div class="form-buttons"><button type="button" class="main-button" onClick=${copy}><${Icon} name="copy" />${t("quotes.copyLink")}</button>
      <span role="status">${copied && html`<span class="saved"><${Icon} name="circle-check" />${t("quotes.copiedLink")}</span>`}</span></div></div>`;
}
