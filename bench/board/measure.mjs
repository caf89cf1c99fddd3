// Opens the board with 600 panes, gives it events, and prints how long they take.
import { browser, open, options } from "../chromium.mjs";

const page = await open("/floor/board");
await page.waitForSelector('.board [data-kind="live"]');
await page.waitForSelector(".board .foot section");

const found = await page.evaluate(measure, options);
console.log(JSON.stringify(found));
await browser.close();

async function measure({ rate, seconds }) {
  const modules = new URL("./", document.querySelector('script[src$="js/main.js"]').src).href;
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

  const heardAt = new Map(), delays = [], longTasks = [], frames = [];
  let applied = []; // numbers of events that the next frame shows
  onEvent("pane:updated", (_, { seq }) => applied.push(seq));
  new PerformanceObserver((list) => longTasks.push(...list.getEntries().map((one) => one.duration)))
    .observe({ entryTypes: ["longtask"] });
  let running = true, before = performance.now();
  requestAnimationFrame(function frame() {
    const now = performance.now();
    frames.push(now - before);
    before = now;
    for (const seq of applied) delays.push(now - heardAt.get(seq));
    applied = [];
    if (running) requestAnimationFrame(frame);
  });

  const begun = performance.now();
  let sent = 0;
  await new Promise((done) => {
    const timer = setInterval(() => {
      const elapsed = performance.now() - begun;
      for (; sent < (elapsed / 1000) * rate; sent += 1) {
        const data = pane(sent % PANES, 2 + Math.floor(sent / PANES));
        heardAt.set(sent + 2, performance.now());
        receive("pane:updated", { action: "scanned", data }, { seq: sent + 2 });
      }
      if (elapsed > seconds * 1000) {
        clearInterval(timer);
        done();
      }
    }, TICK_MS);
  });
  await new Promise((done) => setTimeout(done, 1000));
  running = false;
  const percentile = (values, share) =>
    Math.round(values.sort((a, b) => a - b)[Math.floor(share * (values.length - 1))] ?? 0);
  return {
    events: sent, drawn: delays.length,
    delayMs: { p50: percentile(delays, 0.5), p95: percentile(delays, 0.95), p99: percentile(delays, 0.99) },
    frameMs: { p50: percentile(frames, 0.5), p95: percentile(frames, 0.95) },
    longTasks: longTasks.length, longestTaskMs: Math.round(Math.max(0, ...longTasks)),
    heapMB: Math.round((performance.memory?.usedJSHeapSize ?? 0) / 1e6),
  };
}
