// Chromium for the programs that measure pages: started and logged in as run.py says.
import { createRequire } from "node:module";

const require = createRequire(new URL("../tests/node/package.json", import.meta.url));
const { chromium } = require("playwright-core");

/** The options of `measure_in_chromium`. */
export const options = JSON.parse(process.env.MEASURE);

const ARGS = ["--no-sandbox", "--disable-dev-shm-usage"];
const SCREEN = { viewport: { width: 1920, height: 1080 } };

export const browser = await chromium.launch({ executablePath: options.chromium, args: ARGS });

/** A page of the service, with nobody's cache, logged in unless the cookies do that. */
export async function open(path, { storageState, before = () => {} } = {}) {
  const context = await browser.newContext({ ...SCREEN, storageState });
  const page = await context.newPage();
  await before(page);
  await page.goto(`${options.url}${path}`);
  if (storageState) return page;
  await page.fill("#username", options.username);
  await page.fill("#password", options.password);
  await page.click("form .main-button");
  return page;
}

/** The smallest value that so many percent of the values do not exceed. */
export function percentile(values, share) {
  const ordered = [...values].sort((a, b) => a - b);
  return ordered[Math.max(Math.ceil((ordered.length * share) / 100), 1) - 1];
}
