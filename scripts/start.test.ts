import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

const root = resolve(import.meta.dirname, "..");

/** A clone that was never built, with the files that these tests run. */
let clone: string;
beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), "clone-"));
  for (const file of ["scripts/start.mjs", "packages/cli/bin/secplat.mjs"]) {
    mkdirSync(join(clone, file, ".."), { recursive: true });
    cpSync(join(root, file), join(clone, file));
  }
});
afterEach(() => rmSync(clone, { recursive: true }));

const run = (file: string, ...words: readonly string[]) =>
  spawnSync(process.execPath, [join(clone, file), ...words], { encoding: "utf8" });

describe("a clone that is not built yet", () => {
  test("prints help of npm start without a build", () => {
    // The clone has no build tool, so a build would fail.
    const { status, stdout, stderr } = run("scripts/start.mjs", "--help");
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("Usage: npm start -- [options]");
    expect(stdout).toContain("--port <number>");
  });

  test("says what to do on npx secplat", () => {
    const { status, stderr } = run("packages/cli/bin/secplat.mjs", "--version");
    expect(status).toBe(1);
    expect(stderr).toBe("secplat: the command is not built yet; run once: npm run build\n");
  });
});

test("npm start leaves the build to a program that shows its progress", () => {
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    readonly scripts: Readonly<Record<string, string>>;
  };
  expect(scripts["start"]).toBe("node scripts/check-node.mjs && node scripts/start.mjs");
  expect(readFileSync(join(root, "scripts/start.mjs"), "utf8")).toContain(
    "--output-logs=hash-only",
  );
});

test("npm install shows errors only: half of the packages warn of Node.js 20, which only starts npm", () => {
  expect(readFileSync(join(root, ".npmrc"), "utf8")).toMatch(/^loglevel=error$/m);
});
