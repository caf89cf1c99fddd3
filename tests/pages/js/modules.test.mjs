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
  // a text that is asked for when its module is loaded: the joined files load before the texts
  const { error: log } = console;
  console.error = (text) => faults.push(text);
  for (const name of modules) {
    await import(new URL(name, STATIC)).catch((error) => faults.push(`${name}: ${error}`));
  }
  console.error = log;
  assert.deepEqual(faults, []);
});

const all = readdirSync(STATIC, { recursive: true }).filter((name) => name.endsWith(".js"));

/** The modules that a module imports at once; with `later` also those that it loads by `import()`. */
function importsOf(name, later = false) {
  const source = readFileSync(new URL(name, STATIC), "utf8");
  const atOnce = source.matchAll(/^(?:import|export)\b[^'"();]*"(\.[^"]+)"/gm);
  return [...atOnce, ...(later ? source.matchAll(/\bimport\("(\.[^"]+)"\)/g) : [])]
    .map(([, path]) => join(dirname(name), path))
    .filter((path) => all.includes(path));
}

test("no modules import each other, at once or later", () => {
  const left = new Map(all.map((name) => [name, importsOf(name, true)]));
  // what is left after the modules without imports are taken away, again and again, is a circle
  for (let before = 0; before !== left.size;) {
    before = left.size;
    for (const [name, paths] of left) if (!paths.some((path) => left.has(path))) left.delete(name);
  }
  assert.deepEqual([...left.keys()], []);
});

// What a folder may take modules from besides itself; the folders of pages/ not named here: from
// core/, scan/ and ui/ only.
const BELOW = {
  core: [],
  scan: ["core"],
  ui: ["core", "scan"],
  "pages/station": ["core", "scan", "ui", "pages/scan_page"],
  "pages/deliveries": ["core", "scan", "ui", "pages/scan_page"],
};
// Folders of the office that several folders of records take modules from; another one takes none.
const SHARED = ["forecast", "lots", "pane_grid", "standing"].map((name) => `pages/office/${name}`);

const folderOf = (name) => /^pages\/[^/]+|^[^/]+(?=\/)/.exec(name)?.[0];

test("folders import each other in one direction only, at once or later", () => {
  const found = all
    .filter((name) => folderOf(name)) // main.js, start.js and offline.js are above all folders
    .flatMap((name) => {
      const own = folderOf(name);
      const allowed = [own, ...(BELOW[own] ?? ["core", "scan", "ui"])];
      return importsOf(name, true)
        .filter((path) => !allowed.includes(folderOf(path)))
        .map((path) => `${name}: ${path}`);
    });
  assert.deepEqual(found, []);
});

test("no folder of records in the office imports another one at once", () => {
  const found = all
    .filter((name) => name.startsWith("pages/office/"))
    .flatMap((name) =>
      importsOf(name)
        .filter((path) => path.split("/").length > 3) // a module of the office itself is for all of them
        .filter((path) => dirname(path) !== dirname(name) && !SHARED.includes(dirname(path)))
        .map((path) => `${name}: ${path}`),
    );
  assert.deepEqual(found, []);
  for (const folder of SHARED)
    for (const name of all.filter((one) => dirname(one) === folder))
      for (const path of importsOf(name, true))
        assert.ok([folder, "pages/office"].includes(dirname(path)) || !path.startsWith("pages/"), `${name}: ${path}`);
});
