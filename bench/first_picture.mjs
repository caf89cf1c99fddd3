// Opens pages on a slow device with an empty cache, and prints what each loads and when it shows.
import { browser, noteShown, open, options, percentile, slowDown } from "./chromium.mjs";

const CODE = /\/floor\/static\/.*\.js$/;
const TEXTS = /\/texts\//;
const PROFILE = { serviceWorkers: "block" }; // it would fetch the files of all pages

const first = await open("/floor/", PROFILE);
await first.waitForSelector('[data-kind="live"]');
const storageState = await first.context().storageState();
await first.context().close();

const found = {};
for (const [name, page] of Object.entries(options.pages)) {
  const runs = [];
  for (let run = 0; run < options.openings; run += 1) runs.push(await opened(page));
  const middle = (key) => percentile(runs.map((one) => one[key]), 50);
  found[name] = Object.fromEntries(Object.keys(runs[0]).map((key) => [key, middle(key)]));
}
console.log(JSON.stringify(found));
await browser.close();

/** {code, texts, files, first, all}: bytes and files until nothing more is loaded, and times in ms. */
async function opened({ path, first, all, anonymous }) {
  const files = {};
  const before = async (page) => {
    const client = await slowDown(page);
    const addresses = {};
    client.on("Network.responseReceived", ({ requestId, response }) => (addresses[requestId] = response.url));
    client.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
      if (CODE.test(addresses[requestId])) files[addresses[requestId]] = encodedDataLength;
    });
    await page.addInitScript(noteShown, { first, all });
  };
  const page = await open(path, { storageState: anonymous ? { cookies: [], origins: [] } : storageState, before, ...PROFILE });
  await page.waitForFunction(() => globalThis.shownAt?.first && globalThis.shownAt.all, null, { timeout: 60_000 });
  const shown = await page.evaluate(() => globalThis.shownAt);
  await page.waitForLoadState("networkidle");
  await page.context().close();
  const bytes = (isCounted) =>
    Object.entries(files).reduce((sum, [url, size]) => sum + (isCounted(url) ? size : 0), 0);
  return {
    code: bytes((url) => !TEXTS.test(url)), texts: bytes((url) => TEXTS.test(url)),
    files: Object.keys(files).length, ...shown,
  };
}
