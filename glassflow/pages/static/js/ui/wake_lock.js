// Keeps the screen on while a page is shown, on walls and at stations.
import { useEffect } from "../../vendor/ui.js";

/** Keep the screen of the device on for as long as the component is drawn. */
export function useWakeLock() {
  useEffect(keepAwake, []);
}

/**
 * Keep the screen on until the returned function is called. Browsers allow it over https
 * only, not with an empty battery, and end it whenever the page is hidden: it is asked for
 * again when the page is back.
 */
export function keepAwake() {
  let lock = null;
  let ended = false;
  let asking = false;

  async function ask() {
    if (ended || asking || document.hidden || !navigator.wakeLock || lock?.released === false) return;
    asking = true;
    try {
      lock = await navigator.wakeLock.request("screen");
      if (ended) await lock.release();
    } catch (error) {
      console.warn("The screen may turn off", error);
    } finally {
      asking = false;
    }
  }

  document.addEventListener("visibilitychange", ask);
  ask();
  return () => {
    ended = true;
    document.removeEventListener("visibilitychange", ask);
    lock?.release().catch(console.warn);
  };
}
