// Joins the modules of the pages into one file for each area: `make pages`. It writes
// glassflow/pages/joined/, which the service serves while it fits the modules (pages/files.py).
//
// `js/joined/main.js` has the code of every page, `js/joined/office.js` that of the office, and
// so on. Each module keeps its address, with a line that exports it again from such a file.
// Source maps let a debugger show the modules as they are written.
//
// Rollup joins, because it puts any module into the file that it is told (esbuild divides the
// office into 300 files); esbuild makes the files smaller. Decision 0132 has the figures.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { transform } from "esbuild";
import { rollup } from "rollup";

const PAGES = join(dirname(fileURLToPath(import.meta.url)), "../../glassflow/pages");
const STATIC = join(PAGES, "static");
const JOINED = join(PAGES, "joined");
const MAIN = join(STATIC, "js/main.js");
const DECODER = join(STATIC, "js/scan/decoder.js"); // the entry of a worker
// What only these areas share is a file of its own: the board and the office need no outbox.
const SCANNING = ["station", "deliveries", "login", "leave", "offline", "call_bar"];
// In `js/joined/` as in `js/core/` and `js/scan/`: addresses relative to a module stay the same.
const FILE = "js/joined/[name].js";
// The oldest browsers that the pages support, as for `make vendor`.
const TARGET = ["chrome109", "safari16.4", "firefox115"];
const RELATIVE = /^js\/(core|scan)\//;

const AGAIN = "\0again:"; // before the id of a module: what exports it again

const addressOf = (id) => relative(STATIC, id);

/** "office" for a module of `js/pages/office/`, "leave" for `js/ui/leave.js`. */
function areaOf(id) {
  const path = addressOf(id).split("/");
  return path[1] === "pages" ? path[2] : path.at(-1).replace(".js", "");
}

/** The modules that are reached from some by `next`, without those in `left`. */
function reached(begin, next, left = new Map()) {
  const found = new Set();
  for (const pending = [...begin]; pending.length > 0;) {
    const id = pending.pop();
    if (found.has(id) || left.has(id)) continue;
    found.add(id);
    pending.push(...next(id));
  }
  return found;
}

/** The name of the file of each module: that of its only area, or of those that share it. */
function namesOf(info) {
  const ours = (ids) => ids.filter((id) => !info(id).isExternal);
  const atStart = (id) => ours(info(id).importedIds);
  const all = (id) => ours([...info(id).importedIds, ...info(id).dynamicallyImportedIds]);
  const names = new Map([...reached([MAIN], atStart)].map((id) => [id, "main"]));
  const entries = new Set([...names.keys()].flatMap((id) => ours(info(id).dynamicallyImportedIds)));
  const areas = new Map();
  for (const entry of entries)
    for (const id of reached([entry], all, names)) areas.set(id, [...(areas.get(id) ?? []), areaOf(entry)]);
  for (const id of reached([DECODER], all)) names.set(id, "decoder");
  for (const [id, used] of areas) {
    const common = used.every((area) => SCANNING.includes(area)) ? "scanning" : "shared";
    names.set(id, used.length > 1 ? common : used[0]);
  }
  return names;
}

/**
 * Keeps the address of each module, for what imports it by that: tests, load programs, and a
 * console. Another module exports it again there: if the module itself had a file, the areas
 * would load that one first.
 */
const addresses = {
  name: "addresses",
  resolveId: (id) => (id.startsWith(AGAIN) ? id : null),
  load(id) {
    if (!id.startsWith(AGAIN)) return null;
    const module = id.slice(AGAIN.length);
    const { hasDefaultExport } = this.getModuleInfo(module);
    return `export * from "${module}";${hasDefaultExport ? `export { default } from "${module}";` : ""}`;
  },
  moduleParsed({ id, code }) {
    if (id.startsWith(AGAIN) || id === MAIN || id === DECODER) return;
    const address = addressOf(id);
    if (/import\.meta|import\(`/.test(code) && !RELATIVE.test(address))
      throw new Error(`${address} uses its own address: it must be in js/core/ or js/scan/`);
    this.emitFile({ type: "chunk", id: AGAIN + id, fileName: address, preserveSignature: "strict" });
  },
};

const isJoined = (fileName) => fileName.startsWith("js/joined/");

/** Makes the files smaller, but not the addresses, which have one line. */
const smaller = {
  name: "smaller",
  renderChunk(code, { fileName }) {
    if (!isJoined(fileName)) return null;
    return transform(code, { minify: true, sourcemap: true, format: "esm", target: TARGET });
  },
};

let names;
const bundle = await rollup({
  input: [MAIN, DECODER],
  external: (id) => id.includes("/texts/"),
  preserveSymlinks: true,
  preserveEntrySignatures: "allow-extension",
  plugins: [addresses, smaller],
  onwarn({ message }) {
    throw new Error(message);
  },
});
const { output } = await bundle.generate({
  format: "esm",
  sourcemap: "hidden", // named below, in the files that have code
  manualChunks: (id, { getModuleInfo }) => (names ??= namesOf(getModuleInfo)).get(id),
  entryFileNames: FILE,
  chunkFileNames: FILE,
  generatedCode: "es2015",
});

// Written whole or not at all: a service may start meanwhile.
const made = `${JOINED}.new`;
rmSync(made, { recursive: true, force: true });
const write = (path, text) => {
  mkdirSync(dirname(join(made, path)), { recursive: true });
  writeFileSync(join(made, path), text);
};
const joined = output.filter(({ type, fileName }) => type === "chunk" && isJoined(fileName));
for (const { fileName, code, map } of output) {
  if (isJoined(fileName) && map) write(`${fileName}.map`, map.toString());
  if (code)
    write(fileName, map && isJoined(fileName) ? `${code}//# sourceMappingURL=${basename(fileName)}.map\n` : code);
}
const modules = joined.flatMap(({ moduleIds }) => moduleIds).sort();
const sha256 = (id) => createHash("sha256").update(readFileSync(id)).digest("hex");
const about = {
  modules: Object.fromEntries(modules.map((id) => [addressOf(id), sha256(id)])),
  files: joined.map(({ fileName }) => fileName),
};
write("about.json", JSON.stringify(about, null, 1));
rmSync(JOINED, { recursive: true, force: true });
renameSync(made, JOINED);
console.log(`${modules.length} modules of the pages are joined into ${joined.length} files.`);
