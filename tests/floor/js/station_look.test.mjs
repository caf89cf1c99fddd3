// What a station shows of a scanned pane while the service does not answer.
import assert from "node:assert/strict";
import { test } from "node:test";
import { withClock } from "./clock.mjs";
import "./document.mjs";
import { answerLogin, forget } from "./service.mjs";

const STATIC = "../../../glassflow/floor/static/js";
const { logIn } = await import(`${STATIC}/core/session.js`);
const { resetConnection, setConnection } = await import(`${STATIC}/core/store.js`);
const { Desk } = await import(`${STATIC}/pages/station/desk.js`);

/** Scan a pane where packets vanish; `play` gets the desk, and how to let time pass. */
async function withoutAnswer(play) {
  const before = globalThis.fetch;
  forget();
  try {
    await withClock(async (pass) => {
      answerLogin();
      await logIn("nok", "secret");
      globalThis.fetch = () => new Promise(() => {});
      await play(new Desk("s1"), pass);
    });
  } finally {
    globalThis.fetch = before;
    resetConnection();
  }
}

for (const [state, limitMs] of [["live", 4000], ["lost", 1000]])
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
