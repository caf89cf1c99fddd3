// Opens pages in Chromium as pages.py says, and prints how long they take.
import { createRequire } from "node:module";

const require = createRequire(new URL("../tests/node/package.json", import.meta.url));
const { chromium } = require("playwright-core");

const options = JSON.parse(process.env.MEASURE);
const SCREEN = { viewport: { width: 1920, height: 1080 } };
const NETWORK = { offline: false, latency: 80, downloadThroughput: 375_000, uploadThroughput: 375_000 };
const SLOWER = 6; // than this processor
const CODE = /\/floor\/static\/.*\.js$/;
const TEXTS = /\/texts\//;
const NOBODY = { cookies: [], origins: [] };

const browser = await chromium.launch({
  executablePath: options.chromium,
  args: ["--no-sandbox", "--disable-dev-shm-usage"],
});
const login = await logIn();
const pages = {};
for (const [name, page] of Object.entries(options.isWritten ? {} : options.pages)) {
  const runs = [];
  for (let run = 0; run < options.openings; run += 1) runs.push(await opening(page));
  const middle = (key) => percentile(runs.map((one) => one[key]), 50);
  pages[name] = Object.fromEntries(Object.keys(runs[0]).map((key) => [key, middle(key)]));
}
// What Chromium needs for any page is no cost of ours.
const blank = await loading({ path: "/api/health", all: "body" });
const loads = {};
for (const [name, page] of Object.entries(options.pages)) {
  if (!page.anonymous) loads[name] = beyond(await loading(page));
}
const found = options.isWritten ? { loads } : { pages, loads, scans: await scanning(), board: await busyBoard() };
console.log(JSON.stringify(found));
await browser.close();

/** A page of its own context, which `prepare` gets before it loads anything. */
async function open(path, { prepare = () => {}, ...profile } = {}) {
  const context = await browser.newContext({ ...SCREEN, storageState: login, ...profile });
  const page = await context.newPage();
  await prepare(page);
  await page.goto(`${options.url}${path}`);
  return page;
}

/** The cookies of the admin. */
async function logIn() {
  const context = await browser.newContext(SCREEN);
  const page = await context.newPage();
  await page.goto(`${options.url}/floor/`);
  await page.fill("#username", options.username);
  await page.fill("#password", options.password);
  await page.click("form .main-button");
  await page.waitForSelector('[data-kind="live"]');
  const cookies = await context.storageState();
  await context.close();
  return cookies;
}

/** {code, texts, files, first, all}: bytes and files until nothing more is loaded, and times in ms. */
async function opening({ path, first, all, anonymous }) {
  const files = {};
  const prepare = async (page) => {
    const client = await page.context().newCDPSession(page);
    await client.send("Network.enable");
    await client.send("Network.emulateNetworkConditions", NETWORK);
    await client.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
    const addresses = {};
    client.on("Network.responseReceived", ({ requestId, response }) => (addresses[requestId] = response.url));
    client.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
      if (CODE.test(addresses[requestId])) files[addresses[requestId]] = encodedDataLength;
    });
    await page.addInitScript(noteShown, { first, all });
  };
  const profile = { serviceWorkers: "block" }; // one would fetch the files of all pages
  if (anonymous) profile.storageState = NOBODY;
  const page = await open(path, { prepare, ...profile });
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

function beyond({ empty, kept }) {
  return { empty: empty - blank.empty, kept: kept - blank.kept };
}

/** {empty, kept}: seconds of processor time of all of Chromium for a load, by its cache. */
async function loading({ path, all }) {
  const context = await browser.newContext({ ...SCREEN, storageState: login, serviceWorkers: "block" });
  const page = await context.newPage();
  const client = await context.newCDPSession(page);
  const system = await browser.newBrowserCDPSession();
  const used = async () => {
    const { processInfo } = await system.send("SystemInfo.getProcessInfo");
    return processInfo.reduce((sum, { cpuTime }) => sum + cpuTime, 0);
  };
  const found = {};
  for (const cache of ["empty", "kept"]) {
    const times = [];
    for (let run = 0; run <= options.loads; run += 1) {
      await page.goto("about:blank");
      if (cache === "empty") await client.send("Network.clearBrowserCache");
      await page.waitForTimeout(200); // what the page before has left to do
      const before = await used();
      await page.goto(`${options.url}${path}`);
      await page.waitForSelector(all);
      await page.waitForLoadState("networkidle");
      times.push((await used()) - before);
    }
    found[cache] = percentile(times.slice(1), 50); // the first one compiles
  }
  await context.close();
  return found;
}

/** Runs in a page: notes in `shownAt` when each of these selectors first matched, in ms. */
function noteShown(looks) {
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

/** From the tap on the next step to the painted verdict, for each of the panes, in ms. */
async function scanning() {
  const page = await open(`/floor/s/${options.station}`);
  await page.waitForSelector(".queue li");
  const times = [];
  for (const number of options.scans) {
    await page.fill(".read input", number);
    await page.press(".read input", "Enter");
    await page.waitForFunction((text) => document.querySelector(".pane h2")?.textContent === text
      && document.querySelector(".next:enabled"), number);
    times.push(await page.evaluate(() => new Promise((done) => {
      const button = document.querySelector(".next");
      const observer = new MutationObserver(() => {
        if (!document.querySelector('.verdict[data-kind="yes"]')) return;
        observer.disconnect();
        requestAnimationFrame(() => setTimeout(() => done(performance.now() - tappedAt)));
      });
      observer.observe(document.querySelector(".status-line"), { childList: true, subtree: true });
      const tappedAt = performance.now();
      button.click();
    })));
  }
  await page.context().close();
  return { p50: percentile(times, 50), p95: percentile(times, 95) };
}

/** How long a board with 600 panes takes to draw events, in ms, and what it keeps, in MB. */
async function busyBoard() {
  const page = await open("/floor/board");
  await page.waitForSelector('.board [data-kind="live"]');
  await page.waitForSelector(".board .foot section");
  const { delays, ...found } = await page.evaluate(giveEvents, options);
  await page.context().close();
  return { p50: percentile(delays, 50), p95: percentile(delays, 95), ...found };
}

/** Runs in a page: the events are made here, so that only the board is measured. */
async function giveEvents({ rate, seconds }) {
  const modules = new URL("js/", document.querySelector('link[rel="manifest"]').href).href;
  const { receive, onEvent } = await import(`${modules}core/events.js`);
  const { board } = await import(`${modules}pages/board/source.js`);
  const STATIONS = 8, PANES = 600, TICK_MS = 20;
  const arrivedAt = new Date().toISOString();
  const pane = (number, version) => ({
    _id: `p${number}`, paneNumber: `PNE-${number}`, currentStation: `s${(number + version) % STATIONS}`,
    currentStatus: ["pending", "in_progress", "awaiting_scan_out"][version % 3], order: "o",
    arrivedAt, updatedAt: arrivedAt, version, dimensions: { width: 900, height: 1800 },
  });
  const fields = ["_id", "paneNumber", "currentStation", "currentStatus", "order", "arrivedAt", "version"];
  board.load({
    seq: 1, alerts: [], orders: [],
    stations: Array.from({ length: STATIONS }, (_, i) =>
      ({ _id: `s${i}`, name: `Station ${i}`, colorId: "sky", outToday: 0, stay: null })),
    panes: { fields, rows: Array.from({ length: PANES }, (_, i) => fields.map((name) => pane(i, 1)[name])) },
  }, Date.now());

  const heardAt = new Map(), delays = [];
  let applied = []; // numbers of events that the next frame shows
  let running = true, longestTaskMs = 0, sent = 0;
  onEvent("pane:updated", (_, { seq }) => applied.push(seq));
  new PerformanceObserver((list) => {
    for (const task of list.getEntries()) longestTaskMs = Math.max(longestTaskMs, task.duration);
  }).observe({ entryTypes: ["longtask"] });
  requestAnimationFrame(function frame() {
    for (const seq of applied) delays.push(performance.now() - heardAt.get(seq));
    applied = [];
    if (running) requestAnimationFrame(frame);
  });
  const pause = (ms) => new Promise((done) => setTimeout(done, ms));
  const begun = performance.now();
  for (let elapsed = 0; elapsed < seconds * 1000; elapsed = performance.now() - begun) {
    for (; sent < (elapsed / 1000) * rate; sent += 1) {
      const data = pane(sent % PANES, 2 + Math.floor(sent / PANES));
      heardAt.set(sent + 2, performance.now());
      receive("pane:updated", { action: "scanned", data }, { seq: sent + 2 });
    }
    await pause(TICK_MS);
  }
  await pause(1000); // the last ones are drawn
  running = false;
  return { delays, longestTaskMs, heapMB: (performance.memory?.usedJSHeapSize ?? 0) / 1e6 };
}

/** The smallest value that so many percent of the values do not exceed. */
function percentile(values, share) {
  const ordered = [...values].sort((a, b) => a - b);
  return ordered[Math.max(Math.ceil((ordered.length * share) / 100), 1) - 1];
}
