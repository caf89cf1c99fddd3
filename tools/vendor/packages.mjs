// Fetches packages without their install scripts, and only those that a lock file names.
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";

export const runIn =
  (folder) =>
  (program, ...args) =>
    execFileSync(program, args, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });

// Unpacks a package below `work`/node_modules and returns its integrity; throws if that is
// not the one in `locked` for this version.
export function fetchPackage(work, name, version, locked) {
  const run = runIn(work);
  const [packed] = JSON.parse(run("npm", "pack", "--ignore-scripts", "--json", `${name}@${version}`));
  const known = locked[name];
  if (known?.version === version && known.integrity !== packed.integrity)
    throw new Error(`${name}@${version} is not the package that LOCK.json names`);
  const folder = join(work, "node_modules", name);
  mkdirSync(folder, { recursive: true });
  run("tar", "-xzf", packed.filename, "-C", folder, "--strip-components=1");
  return packed.integrity;
}
