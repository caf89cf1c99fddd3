// Chromium for the programs that measure pages: started and logged in as run.py says.
import { createRequire } from "node:module";

const require = createRequire(new URL("../tests/node/package.json", import.meta.url));
const { chromium } = require("playwright-core");

/** The options of `measure_in_chromium`. */
export const options = JSON.parse(process.env.MEASURE);

const ARGS = ["--no-sandbox", "--disable-dev-shm-usage"];
const SCREEN = { viewport: { width: 1920, height: 1080 } };
const NETWORK = { offline: false, latency: 80, downloadThroughput: 375_000, uploadThroughput: 375_000 };
const SLOWER = 6; // than this processor

export const browser = await chromium.launch({ executablePath: options.chromium, args: ARGS });

/** A page of the service, with nobody's cache, logged in unless the cookies do that. */
export async function open(path, { storageState, before = () => {}, ...profile } = {}) {
  const context = await browser.newContext({ ...SCREEN, storageState, ...profile });
  const page = await context.newPage();
  await before(page);
  await page.goto(`${options.url}${path}`);
  if (storageState) return page;
  await page.fill("#username", options.username);
  await page.fill("#password", options.password);
  await page.click("form .main-button");
  return page;
}

/** A session of Chromium's protocol with a page, which is on a slow device and network from now on. */
export async function slowDown(page) {
  const client = await page.context().newCDPSession(page);
  await client.send("Network.enable");
  await client.send("Network.emulateNetworkConditions", NETWORK);
  await client.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
  return client;
}

/** Runs in a page: notes in `shownAt` when each of these selectors first matched, in ms. */
export function noteShown(looks) {
  globalThis.shownAt = {};
  const observer = new MutationObserver(() => {
    for (const [name, selector] of Object.entries(looks)) {
      if (globalThis.shownAt[name] || !document.querySelector(selector)) continue;
      globalThis.shownAt[name] = performance.now();
    }
    if (Object.keys(looks).every((name) => globalThis.shownAt[name])) observer.disconnect();
  });
  observer.observe(document, { childList: true, subtree: true });
}

/** The smallest value that so many percent of the values do not exceed. */
export function percentile(values, share) {
  const ordered = [...values].sort((a, b) => a - b);
  return ordered[Math.max(Math.ceil((ordered.length * share) / 100), 1) - 1];
}
