// Drives a headless Chromium: `drive.mjs CHROMIUM [SWITCH...]`. It reads one command a line,
// as JSON [name, ...arguments], and answers each with ["ok", value] or ["error", message].
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { createRequire } from "node:module";
import { dirname } from "node:path";

// playwright-core and axe-core are installed with the other packages of the tests
const require = createRequire(new URL("../node/package.json", import.meta.url));
const { chromium } = require("playwright-core");

const TIMEOUT_MS = 60_000;
const POLL_MS = 20;
const SETTLE_MS = 2000; // a page that cannot be loaded is clicked nevertheless
const AXE = new Function(readFileSync(require.resolve("axe-core/axe.min.js"), "utf8"));
const [executablePath, ...switches] = process.argv.slice(2);
// Of these the browser's own window loads pages, once for each profile: a third of what a
// short story takes. The last switch of a name counts, so Playwright's list is repeated.
const UNUSED = [
  "WebUIOmniboxPopup",
  "WebUIOmniboxFullPopup",
  "WebUIOmniboxAimPopup",
  "PreloadTopChromeWebUI",
  "SpareRendererForSitePerProcess",
];
const playwright = dirname(require.resolve("playwright-core"));
const { chromiumSwitches } = require(`${playwright}/lib/server/chromium/chromiumSwitches.js`);
const disabled = chromiumSwitches().find((one) => one.startsWith("--disable-features="));
const args = ["--no-sandbox", "--disable-dev-shm-usage", [disabled, ...UNUSED].join(), ...switches];
const browser = await chromium.launch({ executablePath, args });
browser.on("disconnected", () => process.exit(1)); // nothing more can be done with it
let context; // the newest profile, in which tabs are opened
let contexts = [];
// Emptied profiles by their options. Their cache keeps the files of the pages: to load some
// eighty files again takes most of a short story.
const emptied = new Map();
const optionsOf = new Map();
// The page of an emptied profile, blank or of the office without a session: another one would
// begin another process.
const emptyPages = new Map();
// The pages of the office that one story leaves to the next, and how they were at first. To
// load another one takes most of a short story.
const officePages = new Map();
let tabs = [];
let problems = []; // what the pages log as errors
const missingTexts = []; // those of them that fail every test
let requests = []; // what they ask for: [method, address]

const used = new Set(); // by what kinds of input the pages were used

/** The kind of input that a command stands for, as a user has it. */
const INPUT = {
  click: "mouse",
  hold: "mouse",
  drag: "mouse",
  tap: "touch",
  insert: "touch",
  press: "keyboard",
  type: "keyboard",
  strokes: "keyboard",
  select: "picker", // of the system; nothing in the page is touched to choose in it
  fill: "script",
  choose: "script",
  goto: "script",
};
const VIEWPORT = { width: 1280, height: 720 }; // Playwright's own
const STROKE_MS = 5;
const SHIFT = 8; // among the modifiers of Chromium's protocol

const at = (tab, selector) => tabs[tab].locator(selector).first();

// What runs in pages of the office. They are functions of the page, not of this module.

/** What a story may change in a page that a new load begins without. */
function stateOfPage() {
  const { lang, dataset } = document.documentElement;
  const names = [globalThis, document, URL, navigator].flatMap((one) => Object.getOwnPropertyNames(one));
  return JSON.stringify([lang, dataset.theme, names.filter((one) => one !== "axe")]);
}

/** Log the page out, without a request, as another tab does that has ended the session. */
async function endSession() {
  const modules = new URL("js/", document.querySelector('link[rel="manifest"]').href);
  const load = (path) => import(new URL(path, modules).href);
  const [{ session }, counts] = [await load("core/session.js"), await load("pages/office/counts.js")];
  new BroadcastChannel("glassflow.session").postMessage("ended");
  while (session.value.state !== "none") await new Promise((resolve) => setTimeout(resolve));
  for (const one of Object.values(counts)) one.value = 0;
  sessionStorage.clear();
  localStorage.clear();
}

/** Open an address in a page without a session, for the worker who is logged in now. */
function beginSession(address) {
  history.replaceState(null, "", address);
  dispatchEvent(new PopStateEvent("popstate"));
  new BroadcastChannel("glassflow.session").postMessage("opened");
}

/** Whether a page of the office can be left to the next story; it is logged out then. */
async function endStory(page) {
  try {
    if (officePages.get(page) !== (await page.evaluate(stateOfPage))) return false;
    await page.evaluate(endSession);
    return true;
  } catch {
    return false; // it shows something else, or was just being left
  }
}

/** Empty a profile's cookies and storage, but not its cache, and all its tabs but one. */
async function empty(profile) {
  const pages = profile.pages();
  const origins = new Set(pages.map((page) => new URL(page.url()).origin));
  await profile.setOffline(false);
  await profile.clearCookies();
  for (const page of pages.slice(1)) await page.close();
  if (!pages.length) return;
  const [page] = pages;
  if (!(officePages.has(page) && (await endStory(page)))) {
    officePages.delete(page);
    await page.evaluate(() => sessionStorage.clear()).catch(() => null); // a blank page has none
    await page.goto("about:blank");
  }
  const protocol = await profile.newCDPSession(page);
  for (const origin of origins) {
    if (origin !== "null") await protocol.send("Storage.clearDataForOrigin", { origin, storageTypes: "all" });
  }
  await protocol.send("Page.resetNavigationHistory");
  await protocol.detach();
  await page.emulateMedia({ media: null });
  await page.setViewportSize(JSON.parse(optionsOf.get(profile)).viewport ?? VIEWPORT);
  emptyPages.set(profile, page);
}

/** A new page of a profile, which tells of its problems and requests. */
async function newPage(profile) {
  const page = await profile.newPage();
  page.on("console", (message) => {
    if (message.type() !== "error") return;
    problems.push(message.text());
    if (message.text().startsWith("There is no text")) missingTexts.push(message.text());
  });
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("request", (request) => requests.push([request.method(), request.url()]));
  return page;
}

const onOneLine = (text) => text.split(/\s+/).join(" ").trim();

/** In the page: wait until one of the elements contains a text. To ask from outside, again and again, takes more. */
async function seeText({ selector, text, pollMs, waitMs }) {
  for (const end = performance.now() + waitMs; ;) {
    let found;
    try {
      found = [...document.querySelectorAll(selector)];
    } catch {
      return null;
    }
    const texts = found.map((one) => (one.innerText ?? "").split(/\s+/).join(" ").trim());
    if (texts.some((one) => one.includes(text)) || performance.now() > end) return { texts };
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}

const commands = {
  // Close all tabs. A profile with a service worker is closed: the worker would go on.
  async forget() {
    for (const one of contexts.splice(0)) {
      const options = optionsOf.get(one);
      if (options.includes('"serviceWorkers":"block"')) {
        await empty(one);
        emptied.set(options, [...(emptied.get(options) ?? []), one]);
      } else {
        await one.close();
      }
    }
    [tabs, problems, requests] = [[], [], []];
    used.clear();
  },
  // A new profile, as of another person: its cookies, storage and tabs are empty.
  // With `besides` those of the people before stay open. With `isNew` its cache is empty, too.
  async profile(options, besides = false, isNew = false) {
    if (!besides) await commands.forget();
    const key = JSON.stringify(options);
    context = (isNew ? null : emptied.get(key)?.pop()) ?? (await browser.newContext(options));
    optionsOf.set(context, key);
    contexts.push(context);
    context.setDefaultTimeout(TIMEOUT_MS);
  },
  // Log the newest profile in as the login page does; all its tabs have the cookie then.
  async logIn(address, username, password) {
    const { origin } = new URL(address);
    // not kept open: the service might just be closing it when the next login needs it
    const headers = { "X-Floor": "1", Origin: origin, Connection: "close" };
    const data = { username, password };
    const answer = await context.request.post(`${origin}/floor/session`, { headers, data });
    if (!answer.ok()) throw new Error(await answer.text());
  },
  async tab(address) {
    const page = emptyPages.get(context) ?? (await newPage(context));
    emptyPages.delete(context);
    officePages.delete(page);
    await page.goto(address);
    tabs.push(page);
    return tabs.length - 1;
  },
  // A tab with a page of the office, loaded only if the story before has left none.
  async officeTab(address) {
    const left = emptyPages.get(context);
    if (officePages.has(left) && new URL(left.url()).origin === new URL(address).origin) {
      emptyPages.delete(context);
      await left.evaluate(beginSession, address);
      return tabs.push(left) - 1;
    }
    const tab = await commands.tab(address);
    officePages.set(tabs[tab], await tabs[tab].evaluate(stateOfPage));
    return tab;
  },
  address: (tab) => tabs[tab].url(),
  goto: (tab, address) => tabs[tab].goto(address).then(() => null),
  reload: (tab) => tabs[tab].reload().then(() => null),
  back: (tab) => tabs[tab].goBack().then(() => null),
  fill: (tab, selector, text) => at(tab, selector).fill(text),
  // What is still loaded may move the element between the press and the release.
  async click(tab, selector) {
    await tabs[tab]
      .locator(".skeleton")
      .first()
      .waitFor({ state: "detached", timeout: SETTLE_MS })
      .catch(() => null);
    await at(tab, selector).click();
  },
  choose: (tab, selector, paths) => at(tab, selector).setInputFiles(paths),
  // Run the body of an async function in the page; its parameter is `given`. Not a string,
  // which the policy of the pages forbids to run.
  run: (tab, body, given) => tabs[tab].evaluate(new Function("given", `return (async () => {${body}})()`), given),
  // Drag the middle of an element by a way in CSS pixels.
  async drag(tab, selector, x, y) {
    await at(tab, selector).evaluate((one) => one.scrollIntoView({ block: "center" }));
    const box = await at(tab, selector).boundingBox();
    const [left, top] = [box.x + box.width / 2, box.y + box.height / 2];
    const { mouse } = tabs[tab];
    await mouse.move(left, top);
    await mouse.down();
    await mouse.move(left + x, top + y, { steps: 5 });
    await mouse.up();
  },
  hold: (tab, selector, milliseconds) => at(tab, selector).click({ delay: milliseconds }),
  tap: (tab, selector) => at(tab, selector).tap(),
  select: (tab, selector, value) =>
    at(tab, selector)
      .selectOption(value)
      .then(() => null),
  // Prints of frames are counted from here on, not carried out.
  stubPrint: (tab) =>
    tabs[tab].evaluate(() => {
      globalThis.prints = 0;
      const get = () => ({ focus() {}, print: () => void (globalThis.prints += 1) });
      Object.defineProperty(HTMLIFrameElement.prototype, "contentWindow", { get });
    }),
  prints: (tab) => tabs[tab].evaluate(() => globalThis.prints),
  close: (tab) => tabs[tab].close(),
  press: (tab, key) => tabs[tab].keyboard.press(key),
  count: (tab, selector) => tabs[tab].locator(selector).count(),
  wait: (tab, selector) => at(tab, selector).waitFor(),
  // Wait until an element contains a text, on one line; null, or the texts that there are.
  async see(tab, selector, text) {
    const end = Date.now() + TIMEOUT_MS;
    let texts = [];
    while (Date.now() < end) {
      const given = { selector, text, pollMs: POLL_MS, waitMs: end - Date.now() };
      // a page that is loaded meanwhile is asked again
      const seen = await tabs[tab].evaluate(seeText, given).catch(() => ({ texts: [] }));
      // a selector that only Playwright knows
      texts = seen?.texts ?? (await tabs[tab].locator(selector).allInnerTexts()).map(onOneLine);
      if (texts.some((one) => one.includes(text))) return null;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    return texts;
  },
  text: (tab, selector) => at(tab, selector).innerText(),
  texts: (tab, selector) => tabs[tab].locator(selector).allInnerTexts(),
  // From key to key as quickly as the machine does it, or after a delay in ms.
  type: (tab, text, delay = 0) => tabs[tab].keyboard.type(text, { delay }),
  // A text as the keyboard of a touch screen gives it to the focused field: without keys.
  insert: (tab, text) => tabs[tab].keyboard.insertText(text),
  // Keys as a scanner presses them, and Enter if it ends codes, 5 ms from one to the next for the page, also
  // on a busy machine: [what it types in the layout that is set, its code, with Shift].
  async strokes(tab, keys, isEnded) {
    const protocol = await tabs[tab].context().newCDPSession(tabs[tab]);
    const pressed = keys.map(([text, code, isShifted]) => [
      text,
      { key: text, code, modifiers: isShifted ? SHIFT : 0 },
    ]);
    if (isEnded) pressed.push(["\r", { key: "Enter", code: "Enter", windowsVirtualKeyCode: 13 }]);
    const begun = Date.now() - STROKE_MS * pressed.length;
    await Promise.all(
      pressed.flatMap(([text, stroke], index) => {
        const timestamp = (begun + STROKE_MS * index) / 1000;
        const send = (type, more) => protocol.send("Input.dispatchKeyEvent", { type, timestamp, ...stroke, ...more });
        return [send("keyDown", { text }), send("keyUp")];
      }),
    );
    await protocol.detach();
  },
  // The kinds of input since the last call.
  used() {
    const kinds = [...used].sort();
    used.clear();
    return kinds;
  },
  // An attribute of all elements.
  attributes: (tab, selector, name) =>
    tabs[tab].locator(selector).evaluateAll((found, name) => found.map((one) => one.getAttribute(name)), name),
  attribute: (tab, selector, name) => at(tab, selector).getAttribute(name),
  focused: (tab) => tabs[tab].evaluate(() => document.activeElement.id || document.activeElement.tagName),
  title: (tab) => tabs[tab].title(),
  size: (tab, width, height) => tabs[tab].setViewportSize({ width, height }),
  // How far the page is wider than the window, in CSS pixels.
  overflow: (tab) =>
    tabs[tab].evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
  // Show the page as on "print" or "screen", and print it as the browser does.
  media: (tab, media) => tabs[tab].emulateMedia({ media }),
  pdf: (tab, path) => tabs[tab].pdf({ path, format: "A4" }).then(() => null),
  offline: (value) => context.setOffline(value),
  // The same for the profile of a tab.
  setOffline: (tab, value) => tabs[tab].context().setOffline(value),
  screenshot: (tab, path) => tabs[tab].screenshot({ path }).then(() => null),
  problems: () => problems.splice(0),
  missingTexts: () => missingTexts.splice(0),
  requests: () => requests.splice(0),
  // The rules that the page breaks, with the elements that break them.
  async axe(tab) {
    const loaded = await tabs[tab].evaluate(() => "axe" in globalThis);
    if (!loaded) await tabs[tab].evaluate(AXE); // half a megabyte: not in every page
    return tabs[tab].evaluate(async () => {
      // details of what passes are not collected, which saves a third of the time
      const { violations } = await globalThis.axe.run({ resultTypes: ["violations"] });
      return violations.map(({ id, nodes }) => [id, ...nodes.map((node) => node.html)]);
    });
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const [name, ...values] = JSON.parse(line);
  try {
    if (INPUT[name]) used.add(INPUT[name]);
    const value = await commands[name](...values);
    console.log(JSON.stringify(["ok", value ?? null]));
  } catch (error) {
    console.log(JSON.stringify(["error", String(error)]));
  }
}
browser.removeAllListeners("disconnected");
await browser.close();
process.exit(0);
