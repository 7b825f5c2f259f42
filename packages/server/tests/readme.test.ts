import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const packageFolder = fileURLToPath(new URL("..", import.meta.url));

const readme = readFileSync(`${packageFolder}/README.md`, "utf8");
const programs = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, program = ""]) => program);

test("the README has two programs", () => {
  expect(programs).toHaveLength(2);
});

test.each([
  ["starts a server", programs[0] ?? "", /^http:\/\/127\.0\.0\.1:\d+ \{\n  cid: '[0-9a-f]{32}',/],
  ["handles a request without one", programs[1] ?? "", /^200\n$/],
])("the README's program %s, and ends", async (_, program, output) => {
  // Inside the workspace, where programs find the packages.
  const folder = `${packageFolder}/generated/readme`;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/program.ts`, program.replace("port: 8080", "port: 0"));
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["--conditions=@security-platform/source", "program.ts"],
    { cwd: folder },
  );
  expect(stdout).toMatch(output);
  rmSync(folder, { recursive: true, force: true });
});
