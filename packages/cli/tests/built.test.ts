/** @module-tag exhaustive */
import { cpSync, existsSync, globSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { temporaryFolder } from "../src/testing/temporary-folder.ts";
import { secplat } from "./support/process.ts";
import { serve } from "./support/server.ts";
import { isBundleCurrent } from "../../../testing/secplat.ts";

const packageFolder = fileURLToPath(new URL("..", import.meta.url));
const docs = join(packageFolder, "dist/docs");

/** The package as npm would install it: without dependencies, outside of this project. */
function install(folder: string): readonly string[] {
  cpSync(join(packageFolder, "package.json"), join(folder, "package.json"));
  cpSync(join(packageFolder, "bin"), join(folder, "bin"), { recursive: true });
  const filter = (path: string): boolean => path !== docs;
  cpSync(join(packageFolder, "dist"), join(folder, "dist"), { recursive: true, filter });
  return [process.execPath, join(folder, "bin/secplat.mjs")];
}

let installed: readonly string[];
const cleanUps: (() => void)[] = [];
beforeAll(() => {
  const folder = temporaryFolder((cleanUp) => cleanUps.push(cleanUp));
  installed = install(folder);
  symlinkSync(docs, join(folder, "dist/docs"), "junction");
});
afterAll(() => {
  for (const cleanUp of cleanUps) cleanUp();
});

test("is built", () => {
  expect(isBundleCurrent(), "run first: npm run build").toBe(true);
  expect(existsSync(join(docs, "site.archive")), "run first: npm run build").toBe(true);
});

test("prints its version and its commands", async () => {
  const folder = temporaryFolder();
  const { exitCode, stdout } = await secplat(["--version"], { folder, program: installed });
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test("is ready with a demo and its documentation, at the first and the second start", async () => {
  const folder = temporaryFolder();
  const first = await serve([], { folder, program: installed });
  expect((await first.request("/iocs/combined/indicator/v1?limit=1")).status).toBe(200);
  const page = await fetch(`${first.greeting.url}/docs/`);
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("<html")]);
  await first.stop();
  const second = await serve([], { folder, program: installed });
  expect((await second.request("/iocs/combined/indicator/v1?limit=1")).status).toBe(200);
});

test.each([
  ["missing", () => undefined],
  [
    "damaged",
    (folder: string) => {
      cpSync(docs, join(folder, "dist/docs"), { recursive: true });
      const archive = join(folder, "dist/docs/site.archive");
      const content = readFileSync(archive);
      writeFileSync(archive, content.subarray(0, content.length / 2));
    },
  ],
])(
  "serves the API if its documentation is %s, and says what to do",
  { tags: ["nightly"] },
  async (what, damage) => {
    const folder = temporaryFolder();
    const program = install(folder);
    damage(folder);
    const server = await serve([], { folder: temporaryFolder(), program });
    for (const path of ["/docs/", "/docs/guides/paging", "/"]) {
      const page = await fetch(`${server.greeting.url}${path}`, {
        headers: { accept: "text/html" },
      });
      const text = await page.text();
      expect([page.status, page.headers.get("content-type")]).toEqual([
        503,
        "text/html; charset=utf-8",
      ]);
      expect(text).toContain(`The documentation of this server is ${what}.`);
      expect(text).toContain("npm install secplat");
    }
    expect((await server.request("/iocs/combined/indicator/v1?limit=1")).status).toBe(200);
    const { stderr } = await server.stop();
    const lines = stderr.split("\n").filter((line) => line.includes("site.archive"));
    // One for people with what to do, and one in the log, although several pages were requested.
    expect(
      lines.filter((line) => line.startsWith("secplat: the documentation is not served: ")),
    ).toHaveLength(1);
    expect(lines.filter((line) => line.startsWith("{"))).toHaveLength(1);
    expect(lines).toHaveLength(2);
  },
);

test("contains no source maps", () => {
  expect(globSync("**/*.map", { cwd: join(packageFolder, "dist") })).toEqual([]);
});
