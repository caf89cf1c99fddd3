// How old is what the page shows: a word, a sign and a colour, never only one of them.
import { html, useEffect, useState } from "../../vendor/ui.js";
import { duration, t, timeOfDay } from "../core/i18n.js";
import { connection, freshness } from "../core/events.js";
import { Icon } from "./parts.js";

const ICONS = { live: "radio", stale: "cloud-off" };

/** The current time in epoch milliseconds; while `running`, drawn again each second. */
export function useNow(running) {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    if (!running) return undefined;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [running]);
  return now;
}

/** How old is what the page shows: see `freshness`. */
export function useFreshness() {
  const now = useNow(connection.value.state !== "live");
  return freshness(connection.value, now);
}

/** "Live", or the age of what is shown. Screen readers hear the state, not each second. */
export function ConnectionPill() {
  const { kind, ageS } = useFreshness();
  const age = duration(ageS);
  return html`<p class="pill" data-kind=${kind} role="status" aria-live="polite">
    <${Icon} name=${ICONS[kind] ?? "hourglass"} />
    <span aria-hidden=${String(kind === "stale")}>${t(`live.${kind}`, { age })}</span>
    ${kind === "stale" && html`<span class="visually-hidden">
      ${t("live.hintStale", { time: timeOfDay(connection.value.completeAt) })}</span>`}
  </p>`;
}
