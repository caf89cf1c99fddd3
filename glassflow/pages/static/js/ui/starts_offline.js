// Whether this device starts without network, for the menu of a page.
import { html, useEffect, useState } from "../../vendor/ui.js";
import { t } from "../core/i18n.js";
import { Icon } from "./parts.js";

/** Whether the pages are installed on this device: their service worker runs, and its files are there. */
export async function isInstalled() {
  const registration = await navigator.serviceWorker.getRegistration();
  return Boolean(registration?.active && (await caches.match("/floor/")));
}

/** "Yes", "not yet", or over plain http what is missing for it. */
export default function StartsOffline() {
  const [isReady, setReady] = useState(false);
  const { serviceWorker } = navigator; // in secure contexts only
  useEffect(() => {
    const look = () => isInstalled().then(setReady, console.warn);
    if (!serviceWorker) return;
    look();
    serviceWorker.ready.then(look, console.warn);
  }, []);
  if (!serviceWorker)
    return html`<p class="soft starts"><${Icon} name="cloud-off" />
      <span>${t("station.startsPlain")} <a href="/floor/secure">${t("home.plainMore")}</a></span></p>`;
  return html`<p class="soft starts" role="status"><${Icon} name=${isReady ? "check" : "hourglass"} />
    <span>${isReady ? t("station.startsOffline") : t("station.startsNotYet")}</span></p>`;
}
