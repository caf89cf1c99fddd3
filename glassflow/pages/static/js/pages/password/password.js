// The page for who has logged in with a one-time password: nothing else is open to them.
import { html, useLayoutEffect, useRef, useState } from "../../../vendor/ui.js";
import { api, Refused } from "../../core/api.js";
import { t } from "../../core/i18n.js";
import { logOut, renew, session } from "../../core/session.js";
import { explain } from "../../ui/fault.js";
import { Brand, Icon, Switches } from "../../ui/parts.js";

export const title = "password.title";
export const styles = ["pages/start"];
export const bare = true;

function textOf(error) {
  const [first] = error.faults ?? [];
  if (first) return `${t(first.field === "currentPassword" ? "password.current" : "password.new")}: ${first.message}`;
  return error instanceof Refused && error.status < 500 ? error.message : explain(error);
}

export default function Password() {
  const [state, setState] = useState({});
  const form = useRef();
  useLayoutEffect(() => form.current.elements.currentPassword.focus(), []);

  async function submit(event) {
    event.preventDefault();
    const { currentPassword, password, repeated } = form.current.elements;
    if (password.value !== repeated.value) {
      setState({ text: () => t("password.different") });
      repeated.select();
      return;
    }
    setState({ sending: true });
    try {
      const body = { currentPassword: currentPassword.value, password: password.value };
      await api("/auth/me", { method: "PATCH", body });
      await renew();
    } catch (error) {
      setState({ text: () => textOf(error) });
    }
  }

  return html`<div class="login">
    <header><${Switches} /></header>
    <main>
      <div class="login-brand"><${Brand} /></div>
      <form ref=${form} onSubmit=${submit} noValidate aria-describedby="password-fault">
        <h1>${t("password.title")}</h1>
        <p class="soft">${t("password.why")}</p>
        <input hidden name="username" autocomplete="username" value=${session.value.worker.username} readonly />
        <${Input} name="currentPassword" kind="current-password" label=${t("password.current")} />
        <${Input} name="password" kind="new-password" label=${t("password.new")} />
        <${Input} name="repeated" kind="new-password" label=${t("password.repeated")} />
        <div id="password-fault" role="alert">${state.text && html`<p class="fault">
          <${Icon} name="circle-alert" /><span>${state.text()}</span></p>`}</div>
        <button class="main-button" disabled=${state.sending}>
          <${Icon} name=${state.sending ? "hourglass" : "log-in"} />${t("password.submit")}</button>
        <button type="button" class="quiet-button" onClick=${() => logOut().catch((error) => setState({ text: () => explain(error) }))}>
          <${Icon} name="log-out" />${t("session.logOut")}</button>
      </form>
    </main>
  </div>`;
}

function Input({ name, kind, label }) {
  return html`<label for=${name}>${label}</label>
    <input id=${name} name=${name} type="password" autocomplete=${kind} required />`;
}
