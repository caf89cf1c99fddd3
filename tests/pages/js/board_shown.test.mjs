// What a board shows beside its lanes, and how that changes by itself and by keys.
import assert from "node:assert/strict";
import { test } from "node:test";
import { withClock } from "./clock.mjs";
import { draw, drawn, press } from "./document.mjs";

const STATIC = "../../../glassflow/pages/static/js";
await import("./load_texts.mjs");
const { setTheme, theme, timeZone } = await import(`${STATIC}/core/preferences.js`);
const { board } = await import(`${STATIC}/pages/board/source.js`);
const { default: Calls } = await import(`${STATIC}/pages/board/calls.js`);
const { Foot } = await import(`${STATIC}/pages/board/foot.js`);
const { Rack } = await import(`${STATIC}/pages/board/rack.js`);
const { Instead, Urgent } = await import(`${STATIC}/pages/board/signs.js`);
const { Controls, Other, view } = await import(`${STATIC}/pages/board/views.js`);
await import(`${STATIC}/ui/page_icons.js`);

/** Draw a component; `play(page, pass)` gets what is drawn, and how to let time pass. */
function shown(component, properties, play) {
  return withClock(async (pass) => {
    const page = draw(component, properties);
    try {
      await pass(100); // its effects
      await play(page, pass);
    } finally {
      page.end();
      document.querySelector = () => null;
    }
  });
}

test("an urgent message goes after 15 s", () =>
  shown(Urgent, {}, async (page, pass) => {
    assert.equal(page.text(), "");
    board.urgent.value = { message: "Fire" };
    await drawn();
    assert.match(page.text(), /Fire/);
    await pass(14_800);
    assert.match(page.text(), /Fire/);
    await pass(400);
    assert.equal(page.text(), "");
  }));

test("one that follows another is shown for 15 s, too", () =>
  shown(Urgent, {}, async (page, pass) => {
    board.urgent.value = { message: "Fire" };
    await pass(10_000);
    board.urgent.value = { title: "Water", message: "Main tap" };
    await pass(14_800);
    assert.match(page.text(), /Water.*Main tap/);
    assert.doesNotMatch(page.text(), /Fire/);
    await pass(400);
    assert.equal(page.text(), "");
  }));

test("late orders take turns, six at a time for 8 s, the latest first", async () => {
  const late = ["C", "A", "F", "B", "H", "E", "D", "G"].map((name) => [
    name,
    { _id: name, orderNumber: `<${name}>`, request: name, paneCount: 2, panesCompleted: 1 },
  ]);
  const inTime = ["Z", { _id: "Z", orderNumber: "<Z>", request: "Z" }];
  board.deadlines.value = new Map([...late.map(([name]) => [name, name.charCodeAt(0)]), ["Z", Infinity]]);
  board.orders.value = new Map([...late, inTime]);
  const start = 16_000 * 1000; // a whole number of turns
  const numbers = async (now) => {
    const page = draw(Foot, { now });
    const found = page.text().match(/<\w>/g);
    page.end();
    return found.join("");
  };
  assert.equal(await numbers(start), "<A><B><C><D><E><F>");
  assert.equal(await numbers(start + 7999), "<A><B><C><D><E><F>");
  assert.equal(await numbers(start + 8000), "<G><H>");
  assert.equal(await numbers(start + 16_000), "<A><B><C><D><E><F>");
  board.orders.value = new Map([inTime]);
  const page = draw(Foot, { now: start });
  assert.match(page.text(), /No order is late/);
  page.end();
});

test("all late orders of the view and all alerts take turns", async () => {
  const name = (n) => String.fromCharCode(65 + n);
  board.orders.value = new Map(
    Array.from({ length: 13 }, (_, n) => [
      name(n),
      { _id: name(n), orderNumber: `<${name(n)}>`, request: n, paneCount: 1, panesCompleted: 0 },
    ]),
  );
  board.deadlines.value = new Map(Array.from({ length: 13 }, (_, n) => [n, n]));
  board.alerts.value = Array.from({ length: 5 }, (_, n) => ({ kind: "low_stock", name: `[${name(n)}]` }));
  const start = 24_000 * 1000; // a whole number of turns
  const seen = (component, now, pattern) => {
    const page = draw(component, { now });
    const found = page.text().match(pattern).join("");
    page.end();
    return found;
  };
  const turns = (component, pattern, count) =>
    Array.from({ length: count }, (_, turn) => seen(component, start + 8000 * turn, pattern));
  view.value = "late";
  assert.deepEqual(turns(Other, /<\w>/g, 2), ["<A><B><C><D><E><F><G><H><I><J><K><L>", "<M>"]);
  assert.deepEqual(turns(Foot, /\[\w\]/g, 3), ["[A][B]", "[C][D]", "[E]"]);
  assert.ok(seen(Foot, start, /Alerts and latest scans\D*5/g));
  board.orders.value = new Map();
  board.alerts.value = [];
});

const ROTATE = { rotate: "overview:25,late:12,spotlight:10" };

test("the views take turns, each for its own time", () =>
  shown(Controls, ROTATE, async (_, pass) => {
    assert.equal(view.value, "overview");
    await pass(24_600);
    assert.equal(view.value, "overview");
    await pass(600);
    assert.equal(view.value, "late");
    await pass(11_600);
    assert.equal(view.value, "late");
    await pass(600);
    assert.equal(view.value, "spotlight");
    await pass(10_200);
    assert.equal(view.value, "overview");
  }));

test("an arrow key moves to a view, which is then shown for its whole time", () =>
  shown(Controls, ROTATE, async (_, pass) => {
    await pass(20_000);
    press("ArrowRight");
    await pass(11_600);
    assert.equal(view.value, "late");
    await pass(600);
    assert.equal(view.value, "spotlight");
    for (const wanted of ["late", "overview", "spotlight"]) {
      press("ArrowLeft");
      await pass(100);
      assert.equal(view.value, wanted);
    }
  }));

test("space holds a view until it is pressed again", () =>
  shown(Controls, ROTATE, async (_, pass) => {
    assert.equal(press("Space", { key: " " }), true);
    await pass(60_000);
    assert.equal(view.value, "overview");
    press("ArrowRight");
    await pass(60_000);
    assert.equal(view.value, "late");
    press("Space", { key: " " });
    await pass(12_200);
    assert.equal(view.value, "spotlight");
  }));

test("space on a button presses that button only", () =>
  shown(Controls, ROTATE, async (page, pass) => {
    const [button] = page.all("button");
    assert.equal(press("Space", { key: " ", target: button }), false);
    await pass(25_200);
    assert.equal(view.value, "late");
  }));

test("keys belong to a dialog while one is open", () =>
  shown(Controls, ROTATE, async (_, pass) => {
    document.querySelector = (selector) => (selector === "dialog[open]" ? {} : null);
    press("ArrowRight");
    assert.equal(press("Space", { key: " " }), false);
    await pass(100);
    assert.equal(view.value, "overview");
  }));

test("a board of one view has no buttons for others, and stays", () =>
  shown(Controls, {}, async (page, pass) => {
    assert.equal(page.all("button").length, 1); // the list of the keys
    press("ArrowRight");
    await pass(100_000);
    assert.equal(view.value, "overview");
  }));

test("a board whose address fits no station says so", async () => {
  board.takenAt.value = 1;
  const said = (stations) => {
    board.stations.value = stations;
    const page = draw(Instead);
    const text = page.text();
    page.end();
    return text;
  };
  assert.match(said([]), /no stations yet/);
  assert.match(said([{ _id: "a", name: "Cutting" }]), /No station fits/);
  assert.match(said(null), /may not/);
  board.takenAt.value = 0;
});

/** Let a rack draw with a pen on a canvas of 200 × 100 pixels, in colours such as "dark --line". */
function drawWith(pen) {
  [globalThis.devicePixelRatio, globalThis.innerWidth] = [1, 1920];
  globalThis.getComputedStyle = () => ({ getPropertyValue: (name) => `${theme.value} ${name}` });
  globalThis.ResizeObserver = class {
    constructor(hear) {
      this.hear = hear;
    }
    observe(canvas) {
      canvas.getContext = () => pen;
      this.hear([{ contentRect: { width: 200, height: 100 } }]);
    }
    disconnect() {}
  };
}

test("slips have the colours of a theme as soon as it is chosen", async () => {
  const fills = [];
  const pen = new Proxy(
    {},
    {
      get: () => () => {},
      set: (_, name, value) => name !== "fillStyle" || fills.push(value),
    },
  );
  drawWith(pen);
  setTheme("dark");
  const lane = { station: { name: "Cutting" }, panes: [], over: 0, isLate: () => false };
  await shown(Rack, { lane, largest: 1 }, async (_, pass) => {
    assert.equal(fills.at(-1), "dark --line");
    setTheme("light");
    await pass(100);
    assert.equal(fills.at(-1), "light --line");
  });
  setTheme("dark");
});

test("a slip is amber while its pane is here longer than usual, and its shape says its status", async () => {
  const drawnBoxes = [];
  const pen = {
    setTransform() {},
    clearRect() {},
    fillRect(_x, _y, width) {
      drawnBoxes.push([this.fillStyle, width]);
    },
  };
  drawWith(pen);
  const panes = ["pending", "in_progress", "awaiting_scan_out", "pending"].map((currentStatus, index) => ({
    _id: String(index),
    currentStatus,
    movedAt: -10_000,
  }));
  const lane = { station: { name: "Cutting" }, panes, over: 1, isLate: () => false };
  await shown(Rack, { lane }, async () => {
    assert.deepEqual(drawnBoxes.slice(0, 6), [
      ["dark --line", 200],
      ["dark --over", 4],
      ["dark --accent", 10],
      ["dark --accent", 10],
      ["dark --surface", 6],
      ["dark --accent", 4],
    ]);
  });
  setTheme("dark");
});

test("a lane shows the machine that stands first, for how long, and who comes", () => {
  timeZone.value = "Asia/Bangkok";
  const strip = (calls, now = Date.parse("2026-11-30T07:04:10Z")) => {
    const page = draw(Calls, { calls, now });
    const state = page.all("div")[1].getAttribute("data-state");
    const text = page
      .all("p")
      .map((one) => one.textContent.trim())
      .join(", ");
    page.end();
    return [state, text];
  };
  const asked = { kind: "question", calledAt: "2026-11-30T06:00:00Z", machineStands: false, paneNumber: "PNE-0107" };
  const stop = { kind: "machine", calledAt: "2026-11-30T07:00:00Z", machineStands: true, paneNumber: "" };
  assert.deepEqual(strip([asked]), ["call", "Question PNE-0107, 1 hr, nobody comes yet"]);
  assert.deepEqual(strip([asked, stop, stop]), ["stands", "Machine stands+2, 4 min, nobody comes yet"]);
  assert.deepEqual(strip([{ ...stop, takenByName: "Nok" }]), ["stands", "Machine stands, 4 min, Nok comes"]);
  const maintenance = { ...stop, refusesScanIn: true, reason: "New belt" };
  assert.deepEqual(strip([maintenance]), ["maintenance", "maintenance, since 14:00, New belt"]);
  const later = Date.parse("2026-12-02T01:00:00Z");
  assert.deepEqual(
    strip([{ ...maintenance, takenByName: "Nok" }], later)[1],
    "maintenance, since Nov 30, New belt, Nok comes",
  );
});
