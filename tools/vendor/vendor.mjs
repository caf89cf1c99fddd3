// Fetches the libraries and fonts of the pages and writes them, with their licences
// and LOCK.json, below glassflow/pages/static/: `make vendor`. Nothing of it runs with the
// service; what it writes is committed, and tests/pages/test_vendored_files.py checks it.
//
// Packages are fetched without their install scripts. A package whose integrity is not
// the one in LOCK.json stops the program: for another version, change it here, and in
// tests/node/package.json, where it has its types.
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { fetchPackage, runIn } from "./packages.mjs";

const HERE = dirname(fileURLToPath(import.meta.url));
const STATIC = join(HERE, "../../glassflow/pages/static");
const LOCK = join(STATIC, "vendor/LOCK.json");
const ESBUILD = "esbuild@0.28.2";
// The oldest browsers that the pages support.
const TARGET = "chrome109,safari16.4,firefox115";
// Packages: the version, the licence (SPDX) and where its text is in the package.
const PACKAGES = {
  preact: { version: "11.2.0", license: "MIT", text: "LICENSE" },
  htm: { version: "3.1.1", license: "Apache-2.0", text: "LICENSE" },
  "@preact/signals": { version: "2.11.4", license: "MIT", text: "LICENSE" },
  "@preact/signals-core": { version: "1.14.5", license: "MIT", text: "LICENSE" },
  "socket.io-client": { version: "4.8.4", license: "MIT", text: "LICENSE" },
  "lucide-static": { version: "1.62.0", license: "ISC", text: "LICENSE" },
  idb: { version: "8.0.4", license: "ISC", text: "LICENSE" },
  "zxing-wasm": { version: "3.1.4", license: "MIT", text: "LICENSE" },
  uplot: { version: "1.6.32", license: "MIT", text: "LICENSE" },
  "@ibm/plex-sans-thai": { version: "1.1.0", license: "OFL-1.1", text: "LICENSE.txt" },
  "@ibm/plex-sans-thai-looped": { version: "1.1.0", license: "OFL-1.1", text: "LICENSE.txt" },
};
// The icons that every page needs, and those that the pages add (ui/page_icons.js).
const ICONS = [
  "arrow-left",
  "circle-alert",
  "cloud-off",
  "eye",
  "eye-off",
  "hourglass",
  "log-in",
  "log-out",
  "map-pin-off",
  "moon",
  "radio",
  "rotate-cw",
  "sun",
];
const PAGE_ICONS = [
  "arrow-right",
  "arrow-up",
  "badge-check",
  "ban",
  "banknote",
  "barcode",
  "bell",
  "bring-to-front",
  "camera",
  "check",
  "chevron-down",
  "chevron-left",
  "chevron-right",
  "circle-check",
  "circle-help",
  "circle-x",
  "chart-column",
  "chart-line",
  "clipboard-list",
  "clock",
  "copy",
  "download",
  "ellipsis",
  "expand",
  "factory",
  "file-text",
  "funnel",
  "history",
  "house",
  "id-card",
  "image",
  "keyboard",
  "layers",
  "layout-grid",
  "list",
  "lock",
  "map-pin",
  "maximize",
  "minus",
  "monitor",
  "move",
  "package",
  "package-minus",
  "pause",
  "pencil",
  "play",
  "plus",
  "printer",
  "qr-code",
  "redo-2",
  "refresh-cw",
  "ruler",
  "receipt-text",
  "scan-line",
  "search",
  "settings",
  "send-to-back",
  "shield-check",
  "smartphone",
  "square",
  "tag",
  "trash-2",
  "triangle-alert",
  "truck",
  "type",
  "undo-2",
  "upload",
  "users",
  "volume-x",
  "warehouse",
  "wifi-off",
  "webhook",
  "wrench",
  "x",
];
const WOFF2 = "fonts/complete/woff2";
// What is copied as it is: the package, and the folder in it.
const COPIED = {
  "fonts/IBMPlexSansThai-SemiBold.woff2": ["@ibm/plex-sans-thai", WOFF2],
  "fonts/IBMPlexSansThaiLooped-Regular.woff2": ["@ibm/plex-sans-thai-looped", WOFF2],
  "fonts/IBMPlexSansThaiLooped-SemiBold.woff2": ["@ibm/plex-sans-thai-looped", WOFF2],
  "vendor/zxing_reader.wasm": ["zxing-wasm", "dist/reader"],
  "vendor/uPlot.min.css": ["uplot", "dist"],
};

const work = mkdtempSync(join(tmpdir(), "glassflow-vendor-"));
const modules = join(work, "node_modules");
const run = runIn(work);

const locked = existsSync(LOCK) ? JSON.parse(readFileSync(LOCK)).packages : {};

const integrity = {};
for (const name of Object.keys(PACKAGES)) integrity[name] = fetchPackage(work, name, PACKAGES[name].version, locked);
run(
  "npm",
  "install",
  "--no-save",
  "--ignore-scripts",
  "--no-audit",
  "--no-fund",
  "--prefix",
  join(work, "tools"),
  ESBUILD,
);

const files = {}; // path below static/: the packages in it

function write(path, packages, content) {
  const target = join(STATIC, path);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, content);
  files[path] = { packages, sha384: createHash("sha384").update(content).digest("base64") };
}

const notice = (names) =>
  names.map((name) => `/* ${name} ${PACKAGES[name].version}, ${PACKAGES[name].license} */\n`).join("");

function bundle(entry, path, packages, change = (code) => code) {
  cpSync(join(HERE, entry), join(work, entry));
  const code = run(
    join(work, "tools/node_modules/.bin/esbuild"),
    entry,
    "--bundle",
    "--format=esm",
    "--minify",
    "--legal-comments=none",
    `--target=${TARGET}`,
  );
  write(path, packages, notice(packages) + change(code));
}

// `sun` as [["circle", {cx: "12", ...}], ...]: drawn by ui/parts.js, never parsed as HTML.
function shapesOf(names) {
  const shape = /<(path|circle|rect|line|polyline|ellipse)\s([^>]*?)\/?>/g;
  const rows = names.map((name) => {
    const svg = readFileSync(join(modules, `lucide-static/icons/${name}.svg`), "utf8");
    const inner = svg.slice(svg.indexOf(">", svg.indexOf("<svg")) + 1);
    const shapes = [...inner.matchAll(shape)].map(([, tag, text]) => [
      tag,
      Object.fromEntries([...text.matchAll(/([\w-]+)="([^"]*)"/g)].map((m) => m.slice(1))),
    ]);
    return `  ${JSON.stringify(name)}: ${JSON.stringify(shapes)},\n`;
  });
  return `export const SHAPES = {\n${rows.join("")}};\n`;
}

rmSync(join(STATIC, "vendor"), { recursive: true, force: true });
rmSync(join(STATIC, "fonts"), { recursive: true, force: true });
writeFileSync(join(work, "icons.js"), shapesOf(ICONS));
bundle("ui.js", "vendor/ui.js", ["preact", "htm", "@preact/signals", "@preact/signals-core", "lucide-static"]);
// Its last line names a source map, which is not here.
write(
  "vendor/socket.io.js",
  ["socket.io-client"],
  readFileSync(join(modules, "socket.io-client/dist/socket.io.esm.min.js"), "utf8").replace(
    /\n\/\/# sourceMappingURL=.*\n?$/,
    "\n",
  ),
);
bundle("idb.js", "vendor/idb.js", ["idb"]);
// Where it finds its wasm is set by scan/decoder.js; its own default is another host.
bundle("zxing.js", "vendor/zxing.js", ["zxing-wasm"], (code) =>
  code.replace(/`https:\/\/[^`]*zxing-wasm[^`]*`/g, '""'),
);
bundle("uplot.js", "vendor/uplot.js", ["uplot"]);
write("vendor/icons.js", ["lucide-static"], notice(["lucide-static"]) + shapesOf(PAGE_ICONS));
for (const [path, [name, folder]] of Object.entries(COPIED))
  write(path, [name], readFileSync(join(modules, name, folder, basename(path))));

const packages = {};
for (const [name, { version, license, text }] of Object.entries(PACKAGES)) {
  const font = name.startsWith("@ibm/");
  const plain = name.replace("@", "").replace("/", "-");
  const licenseFile = `${font ? "fonts" : "vendor"}/LICENSE-${plain}.txt`;
  write(licenseFile, [name], readFileSync(join(modules, name, text)));
  packages[name] = { version, integrity: integrity[name], license, licenseFile };
}
writeFileSync(LOCK, JSON.stringify({ packages, files }, null, 2) + "\n");
rmSync(work, { recursive: true });
console.log(`${Object.keys(files).length} files, ${Object.keys(packages).length} packages`);
