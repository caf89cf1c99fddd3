// Opens one page in a headless Chromium: `run.mjs CHROMIUM ADDRESS`. It prints what the
// page logs, one JSON line each, and reads one command a line: "shown" (prints the list
// items of the page), "offline", "online", "reload" (prints when the page is loaded again) or
// "close".
import { createInterface } from "node:readline";
import { createRequire } from "node:module";

// playwright-core is installed with the other packages of the tests
const require = createRequire(new URL("../node/package.json", import.meta.url));
const { chromium } = require("playwright-core");

const [executablePath, address] = process.argv.slice(2);
const args = ["--no-sandbox", "--disable-dev-shm-usage"];
const browser = await chromium.launch({ executablePath, args });
const context = await browser.newContext();
const page = await context.newPage();
page.on("console", (message) => console.log(message.text()));
page.on("pageerror", (error) => console.log(JSON.stringify(["error", String(error)])));

const commands = {
  shown: async () => {
    const lines = await page.locator("#received li").allTextContents();
    console.log(JSON.stringify(["shown", lines]));
  },
  offline: () => context.setOffline(true),
  online: () => context.setOffline(false),
  reload: async () => {
    await page.reload();
    console.log(JSON.stringify(["reloaded"]));
  },
  close: () => browser.close(),
};

await page.goto(address);
for await (const line of createInterface({ input: process.stdin })) {
  await commands[line]();
  if (line === "close") break;
}
await browser.close();
process.exit(0);
