// Every module of the pages can be loaded: it is JavaScript, and what it imports exists.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";

const STATIC = new URL("../../../glassflow/pages/static/js/", import.meta.url);
// These act when they are loaded, on a document or as a worker of their own.
const ACTING = ["main.js", "start.js", "offline.js", "scan/decoder.js"];

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

test("no modules import each other", () => {
  const all = readdirSync(STATIC, { recursive: true }).filter((name) => name.endsWith(".js"));
  const imported = (name) =>
    [...readFileSync(new URL(name, STATIC), "utf8").matchAll(/^(?:import|export)\b[^'"();]*"(\.[^"]+)"/gm)]
      .map(([, path]) => join(dirname(name), path))
      .filter((path) => all.includes(path));
  const left = new Map(all.map((name) => [name, imported(name)]));
  // what is left after the modules without imports are taken away, again and again, is a circle
  for (let before = 0; before !== left.size;) {
    before = left.size;
    for (const [name, paths] of left) if (!paths.some((path) => left.has(path))) left.delete(name);
  }
  assert.deepEqual([...left.keys()], []);
});
