// What a station shows of a scanned pane while the service does not answer.
import assert from "node:assert/strict";
import { test } from "node:test";
import { withClock } from "./clock.mjs";
import { draw } from "./document.mjs";
import { answerLogin, forget } from "./service.mjs";

const STATIC = "../../../glassflow/pages/static/js";
await import("./load_texts.mjs");
const { logIn } = await import(`${STATIC}/core/session.js`);
const { resetConnection, setConnection } = await import(`${STATIC}/core/events.js`);
const { StationDesk } = await import(`${STATIC}/pages/station/desk.js`);
const { Queue } = await import(`${STATIC}/pages/station/queue.js`);
const { Work } = await import(`${STATIC}/pages/station/work.js`);
const { signal } = await import("../../../glassflow/pages/static/vendor/ui.js");
await import(`${STATIC}/ui/page_icons.js`);

/** Scan a pane where packets vanish; `play` gets the desk, and how to let time pass. */
async function withoutAnswer(play) {
  const before = globalThis.fetch;
  forget();
  try {
    await withClock(async (pass) => {
      answerLogin();
      await logIn("nok", "secret");
      globalThis.fetch = () => new Promise(() => {});
      await play(new StationDesk("s1"), pass);
    });
  } finally {
    globalThis.fetch = before;
    resetConnection();
  }
}

for (const [state, limitMs] of [
  ["live", 4000],
  ["lost", 1000],
])
  test(`a scan waits ${limitMs / 1000} s for its answer while the connection is ${state}`, () =>
    withoutAnswer(async (desk, pass) => {
      setConnection("live");
      setConnection(state);
      desk.scan("STDPLUS:PNE-0107", "wedge");
      await pass(limitMs - 100);
      assert.deepEqual([desk.state.value.card, desk.state.value.busy?.number], [null, "PNE-0107"]);
      await pass(200);
      const { card, busy } = desk.state.value;
      assert.deepEqual([card.number, card.offline, busy], ["PNE-0107", true, null]);
    }));

test("a scan is acknowledged within 150 ms, and nothing flashes where its answer comes sooner", () =>
  withClock(async (pass) => {
    const card = { number: "PNE-0001", pane: {}, verdict: null };
    const table = { busy: null, card, waiting: [] };
    const state = signal(table);
    const page = draw(Work, { desk: { state, queue: new Queue("s1") } });
    const shows = (number) => page.text().includes(number);
    try {
      await pass(50);
      state.value = { ...table, busy: { number: "PNE-0107" } };
      await pass(50);
      assert.deepEqual([shows("PNE-0001"), shows("PNE-0107")], [true, false]);
      await pass(100);
      assert.deepEqual([shows("PNE-0001"), shows("PNE-0107")], [false, true]);
      state.value = { ...table, busy: { number: "PNE-0108" } }; // the next one
      await pass(150);
      assert.equal(shows("PNE-0108"), true);
      state.value = { ...table, busy: { number: "PNE-0001", action: "complete" } }; // its button says it
      await pass(150);
      assert.equal(shows("PNE-0001"), true);
    } finally {
      page.end();
    }
  }));
