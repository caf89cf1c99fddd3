// The keyboard that a phone shows for the number of a pane.
import assert from "node:assert/strict";
import { test } from "node:test";
import { draw, drawn } from "./document.mjs";
import { FakeStorage } from "./service.mjs";

const STATIC = "../../../glassflow/pages/static";
const storage = new FakeStorage();
globalThis.localStorage = storage;
await import("./load_texts.mjs");
const { html, signal, useRef } = await import(`${STATIC}/vendor/ui.js`);
const { Letters } = await import(`${STATIC}/js/pages/scan_page/read.js`);
const { Queue } = await import(`${STATIC}/js/pages/station/queue.js`);
const { Work } = await import(`${STATIC}/js/pages/station/work.js`);
await import(`${STATIC}/js/ui/page_icons.js`);

const card = signal("none"); // what else changes on the page

/** The field with its button, as the station page has them. */
function Field() {
  const field = useRef();
  return html`<p>${card.value}</p><input ref=${field} inputmode="numeric" /><${Letters} field=${field} />`;
}

async function opened(play) {
  const page = draw(Field);
  const [[input], [button]] = [page.all("input"), page.all("button")];
  try {
    await play({
      input,
      button,
      mode: () => input.getAttribute("inputmode"),
      pressed: () => button.getAttribute("aria-pressed"),
    });
  } finally {
    page.end();
  }
}

test("digits are typed by a pad, letters after a tap, and digits again", () =>
  opened(async ({ button, mode, pressed }) => {
    assert.deepEqual([mode(), pressed()], ["numeric", "false"]);
    button.fire("click");
    await drawn();
    assert.deepEqual([mode(), pressed()], ["text", "true"]);
    button.fire("click");
    await drawn();
    assert.deepEqual([mode(), pressed()], ["numeric", "false"]);
  }));

test("within the tap the field gets the focus again, with its keyboard", () =>
  opened(async ({ input, button, mode }) => {
    const seen = [];
    input.blur = () => seen.push(`blur ${mode()}`);
    input.focus = () => seen.push(`focus ${mode()}`);
    button.fire("click");
    assert.deepEqual(seen, ["blur text", "focus text"]);
    await drawn();
    button.fire("click");
  }));

test("the choice outlasts a scan, and the page", async () => {
  await opened(async ({ button, mode }) => {
    button.fire("click");
    card.value = "PNE-0107";
    await drawn();
    assert.equal(mode(), "text");
  });
  await opened(async ({ mode, pressed }) => assert.deepEqual([mode(), pressed()], ["text", "true"]));
});

test("a device without storage has the button, and digits first", async () => {
  delete globalThis.localStorage;
  try {
    await opened(async ({ button, mode }) => {
      assert.equal(mode(), "numeric");
      button.fire("click");
      assert.equal(mode(), "text");
    });
  } finally {
    globalThis.localStorage = storage;
  }
});

test("no phone corrects a number or begins it with a capital", () =>
  opened(async ({ input }) => {
    const names = ["autocapitalize", "autocorrect", "spellcheck"];
    assert.deepEqual(
      names.map((name) => input.getAttribute(name)),
      ["none", "off", "false"],
    );
  }));

test("the station page has the button, and scans what is typed", async () => {
  const scans = [];
  const desk = { state: signal({ waiting: [] }), queue: new Queue("s1"), scan: (...scan) => scans.push(scan) };
  const page = draw(Work, { desk });
  const abc = () => page.all("button").find((button) => button.textContent === "abc");
  try {
    if (abc().getAttribute("aria-pressed") === "false") abc().fire("click");
    await drawn();
    const [[input], [form]] = [page.all("input"), page.all("form")];
    assert.equal(input.getAttribute("inputmode"), "text");
    input.value = "107b ";
    form.fire("submit");
    assert.deepEqual(scans, [["107b", "typed"]]);
    desk.queue.panes.value = [{ paneNumber: "PNE-0001", order: { orderNumber: "ORD-0032" } }];
    await drawn();
    input.value = " ord-32";
    form.fire("submit"); // is no code: it searches the queue, and nobody is told of a fault
    assert.deepEqual([scans.length, input.value, desk.queue.filter.value.text], [1, " ord-32", "ord-32"]);
    await drawn();
    desk.queue.search(""); // is ended beside the list
    await drawn();
    assert.equal(input.value, "");
  } finally {
    page.end();
  }
});
