/** @module-tag exhaustive */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { skipWithout } from "../../../testing/platform.ts";

skipWithout("POSIX shell");

const bin = fileURLToPath(new URL("../src/bin.ts", import.meta.url));
const guides = new URL("../../../docs/guides/", import.meta.url);

/** The commands of a page with the output that it shows for each. */
function samplesOf(page: string): readonly { readonly command: string; readonly output: string }[] {
  const text = readFileSync(new URL(page, guides), "utf8");
  const blocks = [...text.matchAll(/^```(bash|text)\n(.*?)^```$/gms)];
  return blocks.flatMap(([, language, command = ""], index) => {
    const [, next, output = ""] = blocks[index + 1] ?? [];
    return language === "bash" ? [{ command, output: next === "text" ? output : "" }] : [];
  });
}

/** Whether an output has the shown parts in their order; `…` stands for any text. */
function shows(output: string, shown: string): boolean {
  let from = 0;
  return shown.split("…").every((part) => {
    const at = output.indexOf(part.trim(), from);
    from = at + part.trim().length;
    return at >= 0;
  });
}

test.each(["gate-before-commit.md", "gate-in-git-diff.md"])(
  "the commands of %s do what the page shows, in a repository of their own",
  (page) => {
    const folder = mkdtempSync(join(tmpdir(), "spec-gate-git-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const name = "@security-platform/spec-gate";
    const installed = join(folder, "node_modules", name);
    mkdirSync(installed, { recursive: true });
    writeFileSync(
      join(installed, "package.json"),
      JSON.stringify({ name, version: "0.1.0", bin: { "spec-gate": "program.sh" } }),
    );
    const program = join(installed, "program.sh");
    const node = `${process.execPath} --conditions=@security-platform/source`;
    writeFileSync(program, `#!/bin/sh\nexec ${node} ${bin} "$@"\n`, { mode: 0o755 });
    mkdirSync(join(folder, "node_modules/.bin"));
    symlinkSync(program, join(folder, "node_modules/.bin/spec-gate"));
    const samples = samplesOf(page);
    const script = samples
      .map(({ command }, index) => `${command}\necho "<end of ${index}>"\n`)
      .join("");
    const { stdout, stderr } = spawnSync("bash", ["-c", script], {
      cwd: folder,
      encoding: "utf8",
      env: {
        ...process.env,
        HOME: folder,
        GIT_CONFIG_NOSYSTEM: "1",
        GIT_PAGER: "cat",
        PATH: [dirname(process.execPath), process.env["PATH"] ?? ""].join(delimiter),
      },
    });
    const outputs = stdout.split(/<end of \d+>\n/);
    expect(samples.length).toBeGreaterThan(2);
    for (const [index, { command, output }] of samples.entries()) {
      const printed = outputs[index] ?? "";
      expect(shows(printed, output), `${command}\n${printed}\n${stderr}`).toBe(true);
    }
  },
);
