import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { answer, answerLogin, calls, FakeStorage, forget } from "./service.mjs";

globalThis.localStorage = new FakeStorage();
globalThis.document ??= {
  documentElement: { dataset: {}, lang: "en" },
  addEventListener() {},
  querySelector: () => null,
};
globalThis.location ??= { pathname: "/floor/", search: "", origin: "http://localhost" };
globalThis.addEventListener ??= () => {};

const STATIC = new URL("../../../glassflow/pages/static/js/", import.meta.url);
await import("./load_texts.mjs");
const { logIn } = await import(new URL("core/session.js", STATIC));
const { readPanes, readPanesOf, Rest } = await import(new URL("pages/office/panes_of.js", STATIC));

const PAGE = Array.from({ length: 100 }, (_, n) => ({ _id: String(n) }));
const answerPage = (next, data = PAGE) => answer(200, { success: true, data, pagination: { next } });

beforeEach(async () => {
  forget();
  answerLogin();
  await logIn("nok", "secret");
  calls.length = 0;
});

test("the panes of an order are read page by page, to the last", async () => {
  answerPage("c1");
  answerPage(null, PAGE.slice(0, 7));
  const { rows, isCut } = await readPanesOf({ order: "o1" });
  assert.deepEqual([rows.length, isCut], [107, false]);
  const asked = calls.map(({ path }) => new URLSearchParams(path.split("?")[1]));
  assert.deepEqual(
    asked.map((one) => one.get("cursor")),
    ["*", "c1"],
  );
  assert.deepEqual(
    asked.map((one) => one.get("order")),
    ["o1", "o1"],
  );
});

test("of very many panes some are read, and the page says so and where all of them are", async () => {
  for (let page = 1; page <= 20; page += 1) answerPage(`c${page}`);
  const panes = await readPanesOf({ request: "r1" });
  assert.deepEqual([panes.rows.length, panes.isCut, calls.length], [2000, true, 20]);
  const shown = JSON.stringify(Rest({ panes, owner: "request", id: "r1" }));
  assert.match(shown, /2,000/);
  assert.match(shown, /"\/floor\/office\/panes\?request=r1"/);
});

test("of exactly as many panes nothing is left out, and nothing is said", async () => {
  for (let page = 1; page < 20; page += 1) answerPage(`c${page}`);
  answerPage(null);
  const panes = await readPanesOf({ order: "o1" });
  assert.deepEqual([panes.rows.length, panes.isCut], [2000, false]);
  assert.equal(Rest({ panes, owner: "order", id: "o1" }), false);
});

test("who needs the rows alone gets them", async () => {
  answerPage(null, PAGE.slice(0, 2));
  assert.deepEqual(await readPanes({ order: "o1" }), PAGE.slice(0, 2));
});

test("what is made of the panes of a request, as its copy, is made of all of them", async () => {
  for (let page = 1; page <= 20; page += 1) answerPage(`c${page}`);
  answerPage(null, PAGE.slice(0, 1));
  assert.equal((await readPanes({ request: "r1" })).length, 2001);
});

test("the job types of a new request are read to the last", async () => {
  const { readSetup } = await import(new URL("pages/office/pane_grid/setup.js", STATIC));
  answer(200, {
    success: true,
    data: { token: "t1", expiresIn: 43200, worker: { name: "Nok" }, permissions: ["job_types:view"] },
  });
  await logIn("nok", "secret");
  calls.length = 0;
  answerPage("c1");
  answerPage(null, PAGE.slice(0, 7));
  const { jobTypes } = await readSetup();
  assert.equal(jobTypes.length, 107);
  const asked = calls.map(({ path }) => new URLSearchParams(path.split("?")[1]));
  assert.deepEqual(
    asked.map((one) => [one.get("cursor"), one.get("isActive"), one.get("sort")]),
    [
      ["*", "true", "name"],
      ["c1", "true", "name"],
    ],
  );
});

test("a draft for which there is no room leaves no older one behind", async () => {
  const kept = new FakeStorage();
  let isFull = false;
  globalThis.sessionStorage = {
    getItem: kept.getItem,
    removeItem: kept.removeItem,
    setItem(...entry) {
      if (isFull) throw new Error("QuotaExceededError");
      kept.setItem(...entry);
    },
  };
  const { keepDraft, readDraft } = await import(new URL("ui/form.js", STATIC));
  keepDraft("/claims", { values: { photos: [] } });
  assert.deepEqual(readDraft("/claims").values.photos, []);
  isFull = true;
  keepDraft("/claims", { values: { photos: ["large"] } });
  assert.equal(readDraft("/claims"), null);
});

test("records are read by their ids, as many as an address holds", async () => {
  const { readByIds } = await import(new URL("pages/office/read_by_ids.js", STATIC));
  answerPage(null);
  answerPage(null, PAGE.slice(0, 2)); // the third was deleted
  const ids = Array.from({ length: 103 }, (_, n) => `id${n}`);
  const rows = await readByIds("panes", ids, { fields: "paneNumber" });
  assert.equal(rows.length, 102);
  const asked = calls.map(({ path }) => new URLSearchParams(path.split("?")[1]));
  assert.deepEqual(
    asked.map((one) => [one.get("_id").split(",").length, one.get("limit"), one.get("fields")]),
    [
      [100, "100", "paneNumber"],
      [3, "100", "paneNumber"],
    ],
  );
  assert.deepEqual(await readByIds("panes", [], {}), []);
});
