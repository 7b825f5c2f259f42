import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { temporaryFolder } from "../src/testing/temporary-folder.ts";
import { secplat } from "./support/process.ts";
import { serve } from "./support/server.ts";

const built = fileURLToPath(new URL("../dist/bin.js", import.meta.url));
const program = [process.execPath, built];

test("is built", () => {
  expect(existsSync(built), "run first: npm run build").toBe(true);
});

test("prints its version and its commands", async () => {
  const folder = temporaryFolder();
  const { exitCode, stdout } = await secplat(["--version"], { folder, program });
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test("is ready with a demo and its documentation, at the first and the second start", async () => {
  const folder = temporaryFolder();
  const first = await serve([], { folder, program });
  expect((await first.request("/iocs/combined/indicator/v1?limit=1")).status).toBe(200);
  const page = await fetch(`${first.greeting.url}/docs/`);
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("<html")]);
  await first.stop();
  const second = await serve([], { folder, program });
  expect((await second.request("/iocs/combined/indicator/v1?limit=1")).status).toBe(200);
});
