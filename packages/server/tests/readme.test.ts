import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const packageFolder = fileURLToPath(new URL("..", import.meta.url));

test("the README's program starts a server and ends", async () => {
  const readme = readFileSync(`${packageFolder}/README.md`, "utf8");
  const program = /```ts\n([\s\S]*?)```/.exec(readme)?.[1] ?? "";
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
  expect(stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\n$/);
  rmSync(folder, { recursive: true, force: true });
});
