import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const packageFolder = fileURLToPath(new URL("..", import.meta.url));
const document = (paths: object) =>
  JSON.stringify({ openapi: "3.0.3", info: { title: "Things", version: "1.0.0" }, paths });

it("the packed package works alone: its command, its engine and its action", () => {
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
  // The dependencies of the package, as installed by npm.
  symlinkSync(
    join(packageFolder, "node_modules"),
    join(folder, "package/node_modules"),
    "junction",
  );
  symlinkSync(join(packageFolder, "../../node_modules"), join(folder, "node_modules"), "junction");
  const operation = { responses: { 200: { description: "Fine." } } };
  writeFileSync(join(folder, "old.json"), document({ "/a": { get: operation } }));
  writeFileSync(join(folder, "new.json"), document({}));
  const program = join(folder, "package/dist/bin.js");
  const { status, stdout } = spawnSync(process.execPath, [program, "old.json", "new.json"], {
    cwd: folder,
    env: { PATH: dirname(process.execPath) },
    encoding: "utf8",
  });
  expect([status, stdout]).toEqual([1, expect.stringContaining("operation-removed, request")]);
});
