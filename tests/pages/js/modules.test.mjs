// Every module of the pages can be loaded: it is JavaScript, what it imports exists, and no
// text has been added twice.
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";

const STATIC = new URL("../../../glassflow/pages/static/js/", import.meta.url);
// These act when they are loaded, on a document or as a worker of their own.
const ACTING = ["main.js", "start.js", "core/offline.js", "scan/decoder.js"];

globalThis.document ??= {
  documentElement: { dataset: {}, lang: "en" },
  addEventListener() {},
  querySelector: () => null,
};
globalThis.location ??= { pathname: "/floor/", search: "", origin: "http://localhost" };
globalThis.navigator ??= {};
globalThis.addEventListener ??= () => {};

const modules = readdirSync(STATIC, { recursive: true }).filter(
  (name) => name.endsWith(".js") && !ACTING.includes(name),
);

test("every module of the pages can be loaded", async () => {
  assert.ok(modules.length > 100);
  const faults = [];
  for (const name of modules) {
    await import(new URL(name, STATIC)).catch((error) => faults.push(`${name}: ${error}`));
  }
  assert.deepEqual(faults, []);
});
