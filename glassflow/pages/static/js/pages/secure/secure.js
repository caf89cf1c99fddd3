// Leads a device to https: why, and how it comes to trust the workshop's certificate.
import { html, useEffect, useState } from "../../../vendor/ui.js";
import { request } from "../../core/api.js";
import { t } from "../../core/i18n.js";
import { Brand, Icon, Switches } from "../../ui/parts.js";
import "../../ui/page_icons.js";

export const title = "secure.title";
export const styles = ["pages/secure/secure"];
export const bare = true; // a new device opens it, before anybody logs in

const COMMAND = ".venv/bin/flask floor certificate";
const LOOPBACK = /^(localhost|127\.|\[::1\])/;

/** The address of the pages over https, by the name that this page is open with if it can be. */
export function secureAddress({ port, names }, hostname) {
  const bare = hostname.replace(/^\[|\]$/g, "");
  const others = names.filter((name) => !LOOPBACK.test(name) && name !== "::1");
  const name = names.includes(bare) ? bare : (others[0] ?? bare);
  return `https://${name.includes(":") ? `[${name}]` : name}:${port}/floor/`;
}

export default function Secure() {
  const [facts, setFacts] = useState(null);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    request("/floor/https").then(
      ({ data }) => setFacts(data),
      () => setFailed(true),
    );
  }, []);
  return html`<div class="secure">
    <header><${Brand} href="/floor/" /><${Switches} /></header>
    <main>
      <h1 tabindex="-1">${t("secure.title")}</h1>
      <${Now} />
      <${Adds} />
      ${failed && html`<p class="fault" role="alert">
        <${Icon} name="circle-alert" />${t("secure.failed")}</p>`}
      ${facts?.port && location.protocol === "http:" && html`<${Steps} ...${facts} />`}
      ${facts && !facts.port && location.protocol === "http:" && html`<${NotServed} />`}
      <${OtherDevices} names=${facts?.names ?? []} />
      <a class="quiet-button" href="/floor/"><${Icon} name="arrow-left" />${t("missing.home")}</a>
    </main>
  </div>`;
}

function Now() {
  const kind = location.protocol === "https:" ? "done" : isSecureContext ? "localhost" : "plain";
  const sign = kind === "plain" ? "circle-alert" : "circle-check";
  return html`<p class="now" data-kind=${kind}><${Icon} name=${sign} />
    <span>${t(`secure.${kind}`)}</span></p>`;
}

function Adds() {
  const reasons = ["camera", "start", "awake", "private"];
  return html`<section class="card" aria-labelledby="adds">
    <h2 id="adds">${t("secure.adds")}</h2>
    <ul>${reasons.map((key) => html`<li key=${key}>${t(`secure.${key}`)}</li>`)}</ul>
    <p class="soft">${t("secure.without")}</p>
  </section>`;
}

function Steps({ port, names, authority, expiresAt }) {
  const address = secureAddress({ port, names }, location.hostname);
  const systems = ["iphone", "android", "computer"];
  return html`<section class="card" aria-labelledby="steps">
    <h2 id="steps">${t("secure.steps")}</h2>
    <p class="soft">${t("secure.once")}</p>
    <ol>
      ${authority && html`<li><strong>${t("secure.download")}</strong>
        <a class="main-button" href="/floor/ca.crt" download="glassflow-ca.crt">
          <${Icon} name="download" />${t("secure.downloadButton")}</a>
        <p class="soft">${t("secure.fingerprint")}</p><code>${authority}</code></li>`}
      ${authority && html`<li><strong>${t("secure.install")}</strong>
        <ul>${systems.map((key) => html`<li key=${key}>${t(`secure.${key}`)}</li>`)}</ul></li>`}
      <li><strong>${t("secure.open")}</strong>
        <a class="main-button" href=${address}><${Icon} name="lock" />${address}</a>
        <p class="soft">${t("secure.until", { date: expiresAt.slice(0, 10) })}</p></li>
    </ol>
  </section>`;
}

function NotServed() {
  return html`<section class="card" aria-labelledby="none">
    <h2 id="none">${t("secure.none")}</h2>
    <p>${t("secure.noneHint")}</p>
    <p><code>${COMMAND}</code></p>
  </section>`;
}

function OtherDevices({ names }) {
  const isLocal = LOOPBACK.test(location.hostname);
  const name = names.find((one) => !LOOPBACK.test(one) && one !== "::1") ?? "192.168.1.10";
  const address = `http://${name}:${location.port || 80}/floor/secure`;
  return html`<section class="card" aria-labelledby="other">
    <h2 id="other">${t("secure.other")}</h2>
    ${isLocal
      ? html`<p>${t("secure.otherLocal", { address })}</p>`
      : html`<p>${t("secure.otherHint")}</p>
        <img src="/floor/secure.svg" width="220" height="220"
          alt=${t("secure.code", { address: location.href })} />`}
  </section>`;
}
