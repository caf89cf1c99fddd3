// Opens board and station as run.py says, and prints how long they take and what they keep.
import { browser, noteShown, open, options, percentile, slowDown } from "../chromium.mjs";
import { feedBoard, readFrames } from "./in_page.mjs";

const LOOKS = { lanes: ".lanes .count b", rack: ".lanes .rack" };

const first = await open("/floor/");
await first.waitForSelector('[data-kind="live"]');
const storageState = await first.context().storageState();
await first.context().close();

const found = {
  opening: await opening(),
  scansMs: await scanning(),
  decodeMs: await decoding(),
  day: await day(),
};
console.log(JSON.stringify(found));
await browser.close();

/** The board on a slow device and network: for the first time, and with what it has kept. */
async function opening() {
  const runs = [];
  for (let run = 0; run < options.openings; run += 1) {
    const page = await open("/floor/board", { storageState, before: listen });
    const fresh = await lanesOf(page);
    await page.reload();
    runs.push({ fresh, kept: await lanesOf(page) });
    await page.context().close();
  }
  const middle = (read) => percentile(runs.map(read), 50);
  return {
    paintMs: middle(({ fresh }) => fresh.paintMs), lanesMs: middle(({ fresh }) => fresh.lanesMs),
    racksMs: middle(({ fresh }) => fresh.racksMs), keptLanesMs: middle(({ kept }) => kept.lanesMs),
  };
}

async function listen(page) {
  await slowDown(page);
  await page.addInitScript(noteShown, LOOKS);
}

/** When the page first painted, when its lanes were there, and when their racks were, in ms. */
async function lanesOf(page) {
  await page.waitForFunction(() => globalThis.shownAt?.rack, null, { timeout: 60_000 });
  return page.evaluate(() => ({
    paintMs: performance.getEntriesByName("first-contentful-paint")[0].startTime,
    lanesMs: globalThis.shownAt.lanes, racksMs: globalThis.shownAt.rack,
  }));
}

/** From the tap on the next step to the painted verdict, for each of the panes. */
async function scanning() {
  const page = await open(`/floor/s/${options.station}`, { storageState });
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

/** How long the reader takes for a picture of the camera's size, once it is loaded. */
async function decoding() {
  const page = await open("/floor/", { storageState });
  await page.waitForSelector('[data-kind="live"]');
  const times = await page.evaluate(readFrames, { picture: options.picture, frames: options.frames });
  await page.context().close();
  return percentile(times, 50);
}

/** What a board keeps in memory after the events of a day. */
async function day() {
  const page = await open("/floor/board", { storageState });
  await page.waitForSelector('.board [data-kind="live"]');
  await page.waitForSelector(".board .foot section");
  const client = await page.context().newCDPSession(page);
  const heap = async () => {
    await client.send("HeapProfiler.collectGarbage");
    return (await client.send("Runtime.getHeapUsage")).usedSize / 1e6;
  };
  await page.route("**/api/board", (route) => route.abort()); // it shows the events alone
  const beforeMB = await heap();
  await page.evaluate(feedBoard, { events: options.events });
  return { beforeMB, afterMB: await heap() };
}
