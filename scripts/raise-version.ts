/**
 * `npm run release:version`: raises the versions by the changesets, writes the changelogs, and updates every other
 * place that contains the version. Options are those of `changeset version`.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { versionPlaces } from "./version-places.ts";

const root = resolve(import.meta.dirname, "..");
const { resolve: find } = createRequire(import.meta.url);
const run = (program: string, ...words: readonly string[]): void => {
  execFileSync(process.execPath, [program, ...words], { cwd: root, stdio: "inherit" });
};
const currentVersion = (): string =>
  (JSON.parse(readFileSync(join(root, "packages/cli/package.json"), "utf8")) as { version: string })
    .version;

const before = currentVersion();
const changesets = dirname(find("@changesets/cli/package.json"));
run(join(changesets, "bin.js"), "version", ...process.argv.slice(2));
const version = currentVersion();
if (version !== before) {
  for (const { file, pattern } of versionPlaces) {
    const path = join(root, file);
    writeFileSync(path, readFileSync(path, "utf8").replace(pattern, version));
  }
  const security = join(root, "SECURITY.md");
  const text = readFileSync(security, "utf8");
  const supported = version.replace(/\.\d+(?:-.*)?$/, ".x");
  writeFileSync(security, text.replace(/^\| \d+\.\d+\.x /m, `| ${supported} `));
  run(process.env["npm_execpath"] ?? "npm", "install", "--package-lock-only", "--ignore-scripts");
}
