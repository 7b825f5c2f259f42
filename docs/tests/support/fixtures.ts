/** What the tests of a file share. Each is started before the first of them, and stopped after the last one. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, onTestFinished } from "vitest";
import { demoFolder } from "../../../packages/cli/src/testing/prepared-folder.ts";
import { openBrowser, WatchedPage } from "./browser.ts";
import { servePlatform, type Platform } from "./platform.ts";
import { serveStatic, type TestServer } from "./static-host.ts";

export interface SharedBrowser {
  browser(): Browser;
  /** Opens an empty page, which is closed after the test. */
  openWatched(): Promise<WatchedPage>;
}

/** A browser with these options of its command line. */
export function shareBrowser(
  options: () => Promise<readonly string[]> = async () => [],
): SharedBrowser {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser(await options());
  });
  afterAll(() => browser?.close());
  return {
    browser: () => browser,
    openWatched: async () => {
      const watched = await WatchedPage.open(browser);
      onTestFinished(() => watched.page.close());
      return watched;
    },
  };
}

/** `secplat serve` with the demo, and these options. Returns what is there once the tests run. */
export function shareDemo(options: readonly string[] = []): () => Platform {
  let platform: Platform;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "secplat-docs-"));
    await demoFolder(folder);
    platform = await servePlatform(folder, options);
  });
  afterAll(async () => {
    await platform?.stop();
    rmSync(folder, { recursive: true });
  });
  return () => platform;
}

/** The site on a static host. */
export function shareStaticHost(): () => TestServer {
  let host: TestServer;
  beforeAll(async () => {
    host = await serveStatic();
  });
  afterAll(() => host?.stop());
  return () => host;
}
