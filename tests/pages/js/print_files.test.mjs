// How the PDF of labels or of a job card gets to where a browser prints it.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { draw, drawn } from "./document.mjs";
import { answer, answerLogin, FakeStorage, forget, refuse } from "./service.mjs";

const STATIC = "../../../glassflow/pages/static/js";
globalThis.localStorage ??= new FakeStorage();
globalThis.history = { state: null, replaceState() {} };
await import("./load_texts.mjs");
const { logIn } = await import(`${STATIC}/core/session.js`);
const { JobCard } = await import(`${STATIC}/pages/office/job_card.js`);
const { Print } = await import(`${STATIC}/pages/labels/labels.js`);
const { printPdf } = await import(`${STATIC}/ui/print_files.js`);
await import(`${STATIC}/ui/page_icons.js`);

const createElement = document.createElement;
const frames = () => document.body.childNodes.filter((node) => node.localName === "iframe");
let steps; // what has happened, in its order
let allowed; // whether the browser opens a tab
let files;

// An address of a file is kept for a minute, for which the tests do not wait at their end.
const { setTimeout } = globalThis;
globalThis.setTimeout = (...given) => setTimeout(...given).unref();

/** A tab, as open() returns it. */
class FakeTab {
  set location(url) {
    steps.push(`shows ${url}`);
  }
  close() {
    steps.push("closed");
  }
}

beforeEach(() => {
  [steps, allowed, files] = [[], true, 0];
  forget();
  for (const frame of frames()) frame.remove();
  navigator.pdfViewerEnabled = false; // as on phones
  globalThis.open = (url, target) => {
    steps.push(`open ${url} ${target}`.replace("  ", " "));
    return allowed ? new FakeTab() : null;
  };
  URL.createObjectURL = () => `blob:${(files += 1)}`;
  document.createElement = (name) =>
    Object.assign(
      createElement(name),
      name === "a" && {
        click() {
          steps.push(`stores ${this.href} as ${this.download}`);
        },
      },
    );
});

/** The file that a service promises, and how it comes or does not. */
function promised() {
  let come, fail;
  const file = new Promise((resolve, reject) => ([come, fail] = [resolve, reject]));
  return {
    file,
    come: () => come({ blob: new Blob(["%PDF"]), name: "card.pdf" }),
    fail: () => fail(new Error("busy")),
  };
}

test("where no frame shows PDFs a tab is opened at once, and shows the file when it is there", async () => {
  const { file, come } = promised();
  const printed = printPdf(file);
  assert.deepEqual(steps, ["open _blank"]);
  come();
  await printed;
  assert.deepEqual(steps, ["open _blank", "shows blob:1"]);
  assert.deepEqual(frames(), []);
});

test("the tab of a file that does not come is closed, and the fault is told", async () => {
  const { file, fail } = promised();
  const printed = printPdf(file);
  fail();
  await assert.rejects(printed, /busy/);
  assert.deepEqual(steps, ["open _blank", "closed"]);
});

test("a browser that opens no tab stores the file", async () => {
  allowed = false;
  const { file, come } = promised();
  come();
  await printPdf(file);
  assert.deepEqual(steps, ["open _blank", "stores blob:1 as card.pdf"]);
  const never = promised();
  never.fail();
  await assert.rejects(printPdf(never.file), /busy/);
});

test("a browser that shows PDFs in frames prints from a hidden one, and opens no tab", async () => {
  navigator.pdfViewerEnabled = true;
  for (const turn of [1, 2]) {
    const { file, come } = promised();
    come();
    await printPdf(file);
    const [frame, ...others] = frames();
    assert.deepEqual([frame.src, others], [`blob:${turn}`, []]);
    frame.contentWindow = { focus: () => steps.push("focus"), print: () => steps.push("print") };
    frame.onload();
  }
  assert.deepEqual(steps, ["focus", "print", "focus", "print"]);
  const { file, fail } = promised();
  fail();
  await assert.rejects(printPdf(file), /busy/);
});

for (const [what, component, properties] of [
  ["a job card", JobCard, { order: { _id: "o1" } }],
  ["labels", Print, { body: { panes: ["p1"] }, count: 1, copies: 1, isOfPanes: true }],
])
  test(`the button of ${what} opens its tab in the click`, async () => {
    answerLogin();
    await logIn("nok", "secret");
    const page = draw(component, properties);
    const [button] = page.all("button");
    const done = async (wanted) => {
      for (let turn = 0; steps.at(-1) !== wanted && turn < 100; turn += 1) await drawn();
      assert.equal(steps.at(-1), wanted);
      await drawn();
    };
    try {
      answer(200, "%PDF");
      button.fire("click");
      assert.deepEqual(steps, ["open _blank"]);
      await done("shows blob:1");
      refuse(400, "Too many");
      button.fire("click");
      assert.equal(steps.at(-1), "open _blank");
      await done("closed");
      assert.match(page.text(), /Too many/);
    } finally {
      page.end();
    }
  });
