/** @module-tag exhaustive */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const packageFolder = fileURLToPath(new URL("..", import.meta.url));
const document = (paths: object) =>
  JSON.stringify({ openapi: "3.0.3", info: { title: "Things", version: "1.0.0" }, paths });

const link = (target: string, path: string): void => symlinkSync(target, path, "junction");

test("the packed package works alone", () => {
  const folder = mkdtempSync(join(tmpdir(), "spec-gate-packed-"));
  // Run first: npm run build
  const npm = ["pack", "--json", "--ignore-scripts", "--pack-destination", folder];
  const [packed] = JSON.parse(
    execFileSync("npm", npm, {
      cwd: packageFolder,
      stdio: ["ignore", "pipe", "ignore"],
      // A batch file on Windows, which only a shell can start.
      shell: process.platform === "win32",
    }).toString(),
  ) as [{ filename: string; files: { path: string }[] }];
  const files = packed.files.map(({ path }) => path);
  expect(files).toEqual(
    expect.arrayContaining(["dist/bin.js", "README.md", "action.yml", "action/compare.sh"]),
  );
  expect(files.filter((path) => path.includes("test"))).toEqual([]);
  execFileSync("tar", ["xzf", packed.filename], { cwd: folder });
  // The dependencies of the package, as installed by npm: in the package, or beside it.
  const shared = join(packageFolder, "../../node_modules");
  mkdirSync(join(folder, "node_modules"));
  for (const name of readdirSync(shared))
    link(join(shared, name), join(folder, "node_modules", name));
  link(join(packageFolder, "node_modules"), join(folder, "package/node_modules"));
  const operation = { responses: { 200: { description: "Fine." } } };
  writeFileSync(join(folder, "old.json"), document({ "/a": { get: operation } }));
  writeFileSync(join(folder, "new.json"), document({}));
  const program = join(folder, "package/dist/bin.js");
  const run = (...options: readonly string[]) => {
    const words = [program, "old.json", "new.json", ...options];
    const env = { PATH: dirname(process.execPath) };
    return spawnSync(process.execPath, words, { cwd: folder, env, encoding: "utf8" });
  };
  const removed = expect.stringContaining("operation-removed, request") as unknown;
  expect(run()).toMatchObject({ status: 1, stdout: removed });
  // Needs the files of the package beside its code.
  writeFileSync(join(folder, "strict.yaml"), "severities: { rules: { operation-remved: none } }");
  expect(run("--config", "strict.yaml")).toMatchObject({
    status: 2,
    stderr: expect.stringContaining("did you mean operation-removed?") as unknown,
  });
  const rules = spawnSync(process.execPath, [program, "rules", "--explain", "operation-removed"]);
  expect(rules.stdout.toString()).toContain("Before:");
});
