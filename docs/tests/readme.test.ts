import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readmeProgram } from "./support/readme-program.ts";
import { docsFolder, fromSources, projectFolder } from "./support/places.ts";
import { servePlatform, type Platform } from "./support/platform.ts";
import { requirePrograms } from "./support/shell.ts";
import { demoFolder } from "../../packages/cli/src/testing/prepared-folder.ts";
import { testWith } from "../../testing/platform.ts";

const readmeOf = (folder: string): string =>
  readFileSync(join(projectFolder, folder, "README.md"), "utf8");

const programs = readdirSync(join(projectFolder, "packages"))
  .map((name) => ({ name, program: readmeProgram(readmeOf(`packages/${name}`)) }))
  .filter(({ program }) => program !== "");

describe("the READMEs", () => {
  /** Inside the workspace, so that programs find the packages. */
  const folder = join(docsFolder, "generated/runs/readme");
  let platform: Platform;

  beforeAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    await demoFolder(folder);
    // The control plane is part of the samples.
    platform = await servePlatform(folder, ["--dev"]);
    for (const { name, program } of programs) {
      const text = program
        .replaceAll("http://127.0.0.1:8080", platform.url)
        .replace("0123456789abcdef0123456789abcdef", platform.clientId)
        .replace('clientSecret: "…"', `clientSecret: ${JSON.stringify(platform.clientSecret)}`);
      writeFileSync(join(folder, `${name}.ts`), text);
    }
  });

  afterAll(() => platform?.stop());

  testWith("POSIX shell")("have a first request that runs as printed", async () => {
    requirePrograms();
    const sample = /```bash\n([\s\S]*?)```/.exec(readmeOf("."))?.[1] ?? "";
    const script = sample.replace("http://127.0.0.1:8080", platform.url);
    const words = ["-euo", "pipefail", "-c", script];
    const { stdout } = await promisify(execFile)("bash", words, { cwd: folder });
    const indicators = JSON.parse(stdout) as { type: string; severity: string }[];
    expect(indicators).toHaveLength(2);
    for (const { type, severity } of indicators) {
      expect([type, ["high", "critical"].includes(severity)]).toEqual(["domain", true]);
    }
  });

  test("of the libraries have samples", () => {
    const names = programs.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["client", "contract-tests", "fql", "spec"]));
  });

  test("have samples that compile", async () => {
    // Samples name results that they do not use.
    const compilerOptions = { noUnusedLocals: false };
    const config = { extends: "../../../tsconfig.json", compilerOptions, include: ["*.ts"] };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
    const compiler = join(projectFolder, "node_modules/typescript/bin/tsc");
    const ended = promisify(execFile)(process.execPath, [compiler, "-p", folder]);
    await expect(ended).resolves.toHaveProperty("stdout", "");
  });

  test.each(programs)("have samples that run: $name", async ({ name }) => {
    const file = join(folder, `${name}.ts`);
    // Rejects with what a failing program prints.
    const ended = promisify(execFile)(process.execPath, [fromSources, file], { cwd: folder });
    await expect(ended).resolves.toHaveProperty("stderr", "");
  });
});
