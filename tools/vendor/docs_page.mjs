// Fetches the viewer of the documentation page (/api/docs) and writes it, compressed, with
// its licence and LOCK.json below glassflow/api_docs/static/: `make vendor`.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { fetchPackage } from "./packages.mjs";

const HERE = dirname(fileURLToPath(import.meta.url));
const STATIC = join(HERE, "../../glassflow/api_docs/static");
const LOCK = join(STATIC, "LOCK.json");
const NAME = "@scalar/api-reference";
const VERSION = "1.72.1";
const LICENSE = "MIT"; // the package has no file with its text

const locked = existsSync(LOCK) ? JSON.parse(readFileSync(LOCK)).packages : {};
const work = mkdtempSync(join(tmpdir(), "glassflow-vendor-"));
const integrity = fetchPackage(work, NAME, VERSION, locked);
const code = readFileSync(join(work, "node_modules", NAME, "dist/browser/standalone.js"), "utf8").replace(
  /\n\/\/# sourceMappingURL=.*\n?$/,
  "\n",
);
mkdirSync(STATIC, { recursive: true });
const files = {};
function write(name, content) {
  writeFileSync(join(STATIC, name), content);
  files[name] = { packages: [NAME], sha384: createHash("sha384").update(content).digest("base64") };
}
write("scalar.js.gz", gzipSync(code, { level: 9 }));
write("LICENSE-scalar.txt", readFileSync(join(HERE, "LICENSE-scalar.txt")));
const packages = {
  [NAME]: { version: VERSION, integrity, license: LICENSE, licenseFile: "LICENSE-scalar.txt" },
};
writeFileSync(LOCK, JSON.stringify({ packages, files }, null, 2) + "\n");
rmSync(work, { recursive: true });
console.log(`${NAME} ${VERSION}`);
