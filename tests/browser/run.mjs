// A headless Chromium with one page: `run.mjs CHROMIUM ADDRESS`. It prints what the
// page tells, one JSON line each, and takes one line for each thing to do: "shown"
// (prints the lines that the page shows), "offline", "online", "reload" or "close".
import { createInterface } from "node:readline";
import { createRequire } from "node:module";

// playwright-core is beside the other packages that tests need
const require = createRequire(new URL("../node/package.json", import.meta.url));
const { chromium } = require("playwright-core");

const [executablePath, address] = process.argv.slice(2);
const args = ["--no-sandbox", "--disable-dev-shm-usage"];
const browser = await chromium.launch({ executablePath, args });
const context = await browser.newContext();
const page = await context.newPage();
page.on("console", (message) => console.log(message.text()));
page.on("pageerror", (error) => console.log(JSON.stringify(["fault", String(error)])));

const does = {
  shown: async () => {
    const lines = await page.locator("#heard li").allTextContents();
    console.log(JSON.stringify(["shown", lines]));
  },
  offline: () => context.setOffline(true),
  online: () => context.setOffline(false),
  reload: () => page.reload(),
  close: () => browser.close(),
};

await page.goto(address);
for await (const line of createInterface({ input: process.stdin })) {
  await does[line]();
  if (line === "close") break;
}
await browser.close();
process.exit(0);
