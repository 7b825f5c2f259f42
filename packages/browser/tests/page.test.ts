/** @module-tag exhaustive */
import { readFileSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { openBrowser } from "../../../docs/tests/support/browser.ts";
import type { StartOptions } from "../src/index.ts";
import { watchDownload } from "./support/download.ts";
import { enter, inPage, openPage, start } from "./support/page-scope.ts";
import { serveSite, type SiteOptions } from "./support/static-site.ts";

const nightly = { tags: ["nightly"] };

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser?.close());

async function open(options: SiteOptions = {}): Promise<Page> {
  const site = await serveSite(options);
  const page = await openPage(browser, site.url);
  onTestFinished(async () => {
    await page.close();
    await site[Symbol.asyncDispose]();
  });
  return page;
}

/** The message of the error. */
const problem = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "",
    (error: unknown) => (error as Error).message,
  );

/** The identifiers of all indicators, after one was created. */
const createOne = (page: Page, value: string): Promise<readonly string[]> =>
  inPage(
    page,
    async ({ client }, given) => {
      await client.ioc.createIndicators({
        body: {
          indicators: [
            {
              type: "domain",
              value: given,
              action: "detect",
              severity: "low",
              platforms: ["linux"],
              applied_globally: true,
            },
          ],
        },
      });
      return (await client.ioc.listIndicatorIds()).data;
    },
    value,
  );

const count = (page: Page): Promise<number> =>
  inPage(page, async ({ client }) => (await client.ioc.listIndicatorIds()).data.length);

test("a static site has the platform with the demo's records, and no request leaves it", async () => {
  const page = await open();
  const requested: string[] = [];
  page.on("request", (request) => requested.push(request.url()));
  await start(page, { seed: "demo" });
  const seen = await inPage(page, async (platform) => {
    const { data } = await platform.client.ioc.listIndicators({
      filter: "severity:'high'",
      limit: 5,
    });
    const health = await platform.fetch("/healthz");
    return {
      severities: data.map(({ severity }) => severity),
      status: health.status,
    };
  });
  expect(seen).toEqual({
    severities: ["high", "high", "high", "high", "high"],
    status: 200,
  });
  const origin = new URL(page.url()).origin;
  expect(requested.length).toBeGreaterThan(1);
  expect(requested.filter((url) => new URL(url).origin !== origin)).toEqual([]);
});

test("a page downloads less than 1 MB, in few files", async () => {
  const page = await open();
  const download = watchDownload(page);
  await start(page);
  expect(download.names().toSorted()).toEqual([
    "sqlite3.wasm",
    "standalone.js",
    "template.db.gz",
    "worker-rolldown-runtime.js",
    "worker-start.js",
    "worker.js",
  ]);
  await start(page, { seed: "demo" });
  const sizes = download.sizes();
  const total = [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0);
  expect(total).toBeLessThan(1_000_000);
  // The rest of the worker comes with the first request that needs it.
  await inPage(page, ({ client }) => client.userManagement.listRoleIds());
  expect(download.names().length).toBeGreaterThan(sizes.size);
});

test("the page of the README shows indicators, from a folder of files", nightly, async () => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const [, html = ""] = /```html \[page\.html\]\n([^]*?)```/.exec(readme) ?? [];
  await using site = await serveSite({ html });
  const page = await browser.newPage();
  page.setDefaultTimeout(300_000);
  await page.goto(site.url);
  await page.waitForSelector("li:nth-child(5)");
  expect(await page.locator("li").count()).toBe(5);
  await page.close();
});

test("a browser without WebAssembly gets a sentence that names it", nightly, async () => {
  // Without a compiler, the engine has no WebAssembly either.
  const old = await openBrowser(["--js-flags=--jitless"]);
  onTestFinished(() => old.close());
  await using site = await serveSite();
  const page = await openPage(old, site.url);
  expect(await problem(start(page))).toMatch(
    /the platform needs WebAssembly, which this browser lacks; .* npx secplat serve/,
  );
});

test("the clock, resets, snapshots, faults and the journal work as in the test double", async () => {
  const page = await open();
  await start(page, { now: "2026-03-01T12:00:00Z" });
  expect(await createOne(page, "one.example")).toHaveLength(1);
  const snapshot = await inPage(page, (platform) => platform.snapshot());
  expect(await createOne(page, "two.example")).toHaveLength(2);
  await inPage(page, (platform, number) => platform.restore(number), snapshot);
  expect(await count(page)).toBe(1);
  const advanced = await inPage(page, async ({ clock, requests, faults, client, runJobs }) => {
    await clock.advance("3 h");
    await clock.advanceTo("2026-03-02T00:00:00Z");
    await runJobs();
    const { id } = await faults.add({
      operation_id: "indicator.search.v1",
      status: 429,
    });
    await client.ioc.listIndicatorIds();
    const seen = await requests.list({ operation_id: "indicator.search.v1" });
    const known = (await faults.list()).length;
    return {
      now: (await clock.now()).toISOString(),
      statuses: seen.slice(-2).map(({ status }) => status),
      known,
      removed: await faults.remove(id),
    };
  });
  expect(advanced).toEqual({
    now: expect.stringMatching(/^2026-03-02T00:0/) as unknown,
    statuses: [429, 200],
    known: 0,
    removed: false,
  });
  await inPage(page, (platform) => platform.reset());
  expect(await count(page)).toBe(0);
  const other = await inPage(page, async ({ seed }) => {
    const { client, cid } = await seed.tenant("Other");
    await seed.records("hosts", [{ device_id: "a".repeat(32), platform_name: "Linux" }], { cid });
    return (await client.ioc.listIndicatorIds()).data;
  });
  expect(other).toEqual([]);
});

test.each<[string, StartOptions, RegExp]>([
  ["an unknown option", { sead: "demo" } as StartOptions, /unknown option sead; did you mean seed/],
  [
    "an unknown world",
    { seed: "dmeo" } as unknown as StartOptions,
    /seed: expected demo or small or mssp, got dmeo; did you mean demo\?/,
  ],
  ["a storage that is no name", { storage: true } as unknown as StartOptions, /storage: .* true/],
  ["an unknown clock", { clock: "fast" } as unknown as StartOptions, /clock: expected still or/],
  ["an invalid instant", { now: "yesterday" }, /expected an instant such as/],
  ["a limit that does not exist", { limits: { bodies: 1 } as object }, /unknown option bodies/],
  [
    "a worker of another origin",
    { worker: "https://other.example/worker.js" },
    /cannot be created: .*https:\/\/other\.example\/worker\.js.* npx secplat serve/,
  ],
  ["a worker that is not there", { worker: "/none.js" }, /none\.js failed: .* npx secplat serve/],
])("refuses %s", nightly, async (_, options, message) => {
  const page = await open();
  expect(await problem(start(page, options))).toMatch(message);
});

const policyOfPages = "default-src 'self'; script-src 'self' 'unsafe-inline'";
const policyOfWorker =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'";
const policy = (value: string) => ({ "content-security-policy": value });

test("starts under a strict policy of pages, if the worker's own allows it", nightly, async () => {
  const page = await open({
    headers: {
      "*": policy(policyOfPages),
      "worker.js": policy(policyOfWorker),
    },
  });
  await start(page);
  expect(await createOne(page, "one.example")).toHaveLength(1);
});

test.each<[string, SiteOptions, RegExp]>([
  [
    "no worker is allowed",
    { headers: { "*": policy(`${policyOfPages}; worker-src 'none'`) } },
    /worker.* npx secplat serve/,
  ],
  [
    "the worker's file may not compile WebAssembly",
    { headers: { "*": policy(policyOfPages) } },
    /'wasm-unsafe-eval'.* npx secplat serve/,
  ],
  ["the database is missing", { missing: ["template.db.gz"] }, /template\.db\.gz .* 404/],
  [
    "the module of SQLite is missing",
    { missing: ["sqlite3.wasm"] },
    /sqlite3\.wasm could not be loaded/,
  ],
])("says so if %s", nightly, async (_, options, message) => {
  const page = await open(options);
  expect(await problem(start(page))).toMatch(message);
});

test("builders count on, and a wait that is left does not go on", nightly, async () => {
  const page = await open();
  await start(page);
  const seen = await inPage(page, async (platform) => {
    await platform.seed.hosts(3);
    await platform.seed.hosts(2);
    const hosts = await platform.client.companion.listHostIds({ limit: 100 });
    const abort = new AbortController();
    const waiting = platform.requests.waitFor({}, { count: 99, signal: abort.signal }).then(
      () => "",
      (error: unknown) => (error as Error).message,
    );
    abort.abort(new Error("left"));
    return [hosts.data.length, await waiting];
  });
  expect(seen).toEqual([5, "left"]);
});

test("a caller that aborts, and one that stops the platform, get an error at once", async () => {
  const page = await open();
  await start(page);
  const seen = await inPage(page, async (platform) => {
    const text = (work: Promise<unknown>) =>
      work.then(
        () => "",
        (error: unknown) => (error as Error).message,
      );
    const abort = new AbortController();
    await platform.faults.add({ times: "always", delay_ms: 600_000 });
    const waiting = platform.fetch("/iocs/entities/indicators/v1", {
      method: "POST",
      body: "{}",
      signal: abort.signal,
    });
    abort.abort(new Error("no longer needed"));
    const late = platform.requests.waitFor(
      {},
      { count: 9, signal: AbortSignal.abort(new Error("left")) },
    );
    const seenBefore = [await text(waiting), await text(late)];
    const stuck = new AbortController();
    const sending = platform.fetch("/iocs/entities/indicators/v1", {
      method: "POST",
      // It never ends.
      body: new ReadableStream(),
      duplex: "half",
      signal: stuck.signal,
    } as RequestInit);
    stuck.abort(new Error("the body does not come"));
    seenBefore.push(await text(sending));
    const pending = platform.runJobs();
    await platform.stop();
    await platform.stop();
    return [...seenBefore, await text(pending), await text(platform.fetch("/healthz"))];
  });
  expect(seen).toEqual([
    "no longer needed",
    "left",
    "the body does not come",
    "this platform is stopped",
    "this platform is stopped",
  ]);
});

test(
  "two tabs share nothing, and a reload in the middle of a write starts anew",
  nightly,
  async () => {
    const site = await serveSite();
    const [first, second] = [await openPage(browser, site.url), await openPage(browser, site.url)];
    onTestFinished(async () => {
      await Promise.all([first.close(), second.close()]);
      await site[Symbol.asyncDispose]();
    });
    await Promise.all([start(first), start(second)]);
    expect(await createOne(first, "one.example")).toHaveLength(1);
    expect(await count(second)).toBe(0);
    await first.evaluate(() => {
      const { platform } = globalThis as unknown as {
        platform: { seed: { world(name: string): unknown } };
      };
      void platform.seed.world("small");
    });
    await enter(first, site.url);
    await start(first);
    expect(await count(first)).toBe(0);
    expect(await createOne(first, "two.example")).toHaveLength(1);
  },
);

test("a request waits for no timer, which browsers delay", async () => {
  const page = await open();
  await start(page);
  const [worker] = page.workers();
  await worker?.evaluate(() => {
    const scope = globalThis as unknown as { timers: number; setTimeout: unknown };
    scope.timers = 0;
    const original = setTimeout;
    scope.setTimeout = (work: () => void, milliseconds: number) => {
      scope.timers += 1;
      return original(work, milliseconds);
    };
  });
  const requests = 10;
  for (let number = 1; number <= requests; number += 1) {
    expect(await createOne(page, `number-${number}.example`)).toHaveLength(number);
  }
  const timers = await worker?.evaluate(() => (globalThis as unknown as { timers: number }).timers);
  // Background work may set one meanwhile.
  expect(timers).toBeLessThan(requests);
});

test("messages of other code change nothing", nightly, async () => {
  const page = await open();
  await page.evaluate(`
    const Original = Worker;
    globalThis.Worker = class extends Original {
      constructor(...parameters) {
        super(...parameters);
        globalThis.made = this;
      }
    };
  `);
  await start(page);
  await page.evaluate(`
    for (const message of [null, "hello", 5, {}, { type: "other" }]) made.postMessage(message);
  `);
  expect(await createOne(page, "one.example")).toHaveLength(1);
});

test("a page that is frozen answers when it goes on", nightly, async () => {
  const page = await open();
  await start(page);
  const session = await page.context().newCDPSession(page);
  await session.send("Page.setWebLifecycleState", { state: "frozen" });
  await session.send("Page.setWebLifecycleState", { state: "active" });
  expect(await createOne(page, "one.example")).toHaveLength(1);
});

test("files pass through, alone and compressed in an archive", nightly, async () => {
  const page = await open();
  await start(page);
  const seen = await inPage(page, async ({ client, fetch: send }) => {
    const { data: created } = await client.caseManagement.createCase({
      body: { name: "files", severity: 50 },
    });
    const case_id = created[0]?.id ?? "";
    const content = new Uint8Array(300_000).map((_, at) => at % 251);
    const file = new File([content], "große Datei.bin");
    const { data: uploaded } = await client.caseManagement.uploadFile({
      body: { case_id, file },
    });
    const ids = uploaded.map(({ id }) => id);
    const bytesAt = async (link: string | undefined) =>
      new Uint8Array(await (await send(link ?? "")).arrayBuffer());
    const alone = await client.caseManagement.getFileLink({ id: ids[0] ?? "" });
    const archive = await client.caseManagement.getArchiveLink({
      body: { ids },
    });
    const received = await bytesAt(alone.data[0]?.link);
    return {
      name: uploaded[0]?.name,
      isSame: received.length === 300_000 && received.every((byte, at) => byte === at % 251),
      archive: [...(await bytesAt(archive.data[0]?.link))].slice(0, 2),
    };
  });
  // An archive starts with "PK".
  expect(seen).toEqual({ name: "große Datei.bin", isSame: true, archive: [0x50, 0x4b] });
});
