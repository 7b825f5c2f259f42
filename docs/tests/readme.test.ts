import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";
import { docsFolder, projectFolder } from "./support/places.ts";
import { servePlatform } from "./support/platform.ts";
import { requirePrograms } from "./support/shell.ts";
import { demoFolder } from "../../packages/cli/src/testing/prepared-folder.ts";
import { testWith } from "../../testing/platform.ts";

testWith("POSIX shell")("runs the README's first request as printed", async () => {
  requirePrograms();
  const readme = readFileSync(join(projectFolder, "README.md"), "utf8");
  const sample = /```bash\n([\s\S]*?)```/.exec(readme)?.[1] ?? "";
  const folder = join(docsFolder, "generated/runs/readme");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await demoFolder(folder);
  const platform = await servePlatform(folder);
  try {
    const script = sample.replace("http://127.0.0.1:8080", platform.url);
    const words = ["-euo", "pipefail", "-c", script];
    const { stdout } = await promisify(execFile)("bash", words, { cwd: folder });
    const indicators = JSON.parse(stdout) as { type: string; severity: string }[];
    expect(indicators).toHaveLength(2);
    for (const { type, severity } of indicators) {
      expect([type, ["high", "critical"].includes(severity)]).toEqual(["domain", true]);
    }
  } finally {
    await platform.stop();
  }
});
