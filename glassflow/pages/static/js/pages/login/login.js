// The login page, shown at any address while nobody is logged in.
import { html, useEffect, useLayoutEffect, useRef, useState } from "../../../vendor/ui.js";
import { Refused } from "../../core/api.js";
import { duration, number, t } from "../../core/i18n.js";
import { logIn, session } from "../../core/session.js";
import { explain } from "../../ui/fault.js";
import { Brand, Icon, Switches } from "../../ui/parts.js";

export const title = "login.title";
export const styles = ["pages/start"];
export const bare = true;

// The fault to show: `text` is a function, so that it changes with the language.
function faultOf(error) {
  const status = error instanceof Refused ? error.status : 0;
  if (status === 401 || status === 400) return { text: () => t("login.refused") };
  const wait = error.retryAfterS;
  if (status === 429) return { text: () => t("login.tooMany", { wait: duration(wait) }) };
  if (status === 403) return { text: () => error.message };
  return { text: () => explain(error), requestId: error.requestId };
}

export default function Login() {
  const { ended } = session.value;
  const [fault, setFault] = useState(null);
  const [sending, setSending] = useState(false);
  const unsent = useUnsent();
  const form = useRef();
  useLayoutEffect(() => form.current.elements.username.focus(), []);

  async function submit(event) {
    event.preventDefault();
    const { username, password } = form.current.elements;
    if (!username.value.trim() || !password.value) {
      setFault({ text: () => t("login.missing") });
      (username.value.trim() ? password : username).focus();
      return;
    }
    setSending(true);
    setFault(null);
    try {
      await logIn(username.value, password.value);
    } catch (error) {
      setFault(faultOf(error));
      setSending(false);
      password.select();
    }
  }

  return html`<div class="login">
    <header><${Switches} /></header>
    <main>
      <div class="login-brand"><${Brand} /><p>${t("login.tagline")}</p></div>
      <form ref=${form} onSubmit=${submit} noValidate aria-describedby="login-fault">
        <h1>${t("login.title")}</h1>
        ${ended && !fault && html`<p class="soft">${t("login.ended")}</p>`}
        ${unsent > 0 && html`<p class="unsent"><${Icon} name="cloud-off" />
          <span>${t("login.unsent", { count: number(unsent) })}</span></p>`}
        <label for="username">${t("login.username")}</label>
        <input id="username" name="username" autocomplete="username" autocapitalize="none"
          autocorrect="off" spellcheck="false" required />
        <label for="password">${t("login.password")}</label>
        <${Password} />
        <div id="login-fault" role="alert">${fault && html`<p class="fault">
          <${Icon} name="circle-alert" /><span>${fault.text()}
          ${fault.requestId && html`<small>${t("fault.request")} ${fault.requestId}</small>`}
          </span></p>`}</div>
        <button class="main-button" disabled=${sending}>
          <${Icon} name=${sending ? "hourglass" : "log-in"} />
          ${t(sending ? "login.sending" : "login.title")}</button>
      </form>
    </main>
  </div>`;
}

/** How many scans wait on this device for the login of their worker. */
function useUnsent() {
  const [outbox, setOutbox] = useState(null); // loaded later: a first visit keeps nothing
  useEffect(() => void import("../../core/outbox.js").then((module) => setOutbox(module.outbox), console.warn), []);
  return outbox?.value.others.reduce((sum, { waiting }) => sum + waiting, 0);
}

function Password() {
  const [shown, setShown] = useState(false);
  const label = t(shown ? "login.hide" : "login.show");
  return html`<div class="with-button">
    <input id="password" name="password" type=${shown ? "text" : "password"}
      autocomplete="current-password" autocapitalize="none" spellcheck="false" required />
    <button type="button" class="icon-button" aria-label=${label} title=${label}
      aria-pressed=${String(shown)} onClick=${() => setShown(!shown)}>
      <${Icon} name=${shown ? "eye-off" : "eye"} /></button>
  </div>`;
}
