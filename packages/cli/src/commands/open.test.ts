import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { testWith } from "../../../../testing/platform.ts";
import { announceServer } from "../api/running-server.ts";
import { commandLine } from "../testing/command-line.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";

function setUp(environment: Readonly<Record<string, string>> = {}) {
  const folder = temporaryFolder();
  const profiles = join(folder, "profiles.json");
  mkdirSync(join(folder, ".data"));
  const command = commandLine({
    folder,
    environment: { SECPLAT_PROFILES: profiles, ...environment },
  });
  return { folder, profiles, command };
}

test("prints the documentation of the running server, else of the current profile", async () => {
  const { folder, profiles, command } = setUp();
  const profile = { url: "https://p.test/", client_id: "i", client_secret: "s" };
  writeFileSync(profiles, JSON.stringify({ default: profile }));
  const page = async (...words: readonly string[]) =>
    (await command.json<{ url: string }>(["open", "--print", ...words])).url;
  expect(await page()).toBe("https://p.test/docs/");
  announceServer(join(folder, ".data"), {
    url: "http://127.0.0.1:4711",
    process_id: process.pid,
    ca_file: null,
  });
  expect(await page()).toBe("http://127.0.0.1:4711/docs/");
  expect(await page("--url", "https://x.test")).toBe("https://x.test/docs/");
});

testWith("POSIX shell")("starts the browser of BROWSER", async () => {
  const browser = join(temporaryFolder(), "browser");
  const seen = `${browser}.seen`;
  writeFileSync(browser, `#!/bin/sh\necho "$1" > "${seen}.part"\nmv "${seen}.part" "${seen}"\n`);
  chmodSync(browser, 0o755);
  const { command } = setUp({ BROWSER: browser });
  const { exitCode, stdout } = await command(["open", "--url", "https://x.test"]);
  expect([exitCode, stdout]).toEqual([0, "https://x.test/docs/\n"]);
  await expect.poll(() => existsSync(seen)).toBe(true);
  expect(readFileSync(seen, "utf8")).toBe("https://x.test/docs/\n");
});

test("shows the URL if there is no browser", async () => {
  const { command } = setUp({ BROWSER: "/no/such/browser" });
  const { exitCode, stderr } = await command(["open", "--url", "https://x.test"]);
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(
    /^secplat: cannot open a browser \(.*\); open https:\/\/x\.test\/docs\/\n$/,
  );
});

test.each([
  [[], "no server runs on this data folder"],
  [["--url", "x.test"], '--url: "x.test" is no URL'],
])("rejects %j", async (words, reason) => {
  const { exitCode, stderr } = await setUp().command(["open", ...words]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(reason);
});
