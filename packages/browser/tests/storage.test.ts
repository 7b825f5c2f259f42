/**
 * @module-tag exhaustive
 * @module-tag nightly
 */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { openBrowser } from "../../../docs/tests/support/browser.ts";
import { enter, inPage, openPage, start } from "./support/page-scope.ts";
import { serveSite } from "./support/static-site.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser?.close());

/** Opens tabs of one site, which share its storage. */
async function openSite(): Promise<{
  readonly url: string;
  tab(): Promise<Page>;
}> {
  const site = await serveSite();
  const context = await browser.newContext();
  onTestFinished(async () => {
    await context.close();
    await site[Symbol.asyncDispose]();
  });
  return { url: site.url, tab: () => openPage(context, site.url) };
}

/** Creates indicators in one request, whose values begin with the name. */
const createSome = (page: Page, name: string, count: number): Promise<void> =>
  inPage(
    page,
    async ({ client }, given) => {
      const indicators = Array.from({ length: given.count }, (_, at) => ({
        type: "domain" as const,
        value: `${given.name}-${at}.example`,
        action: "detect" as const,
        severity: "low" as const,
        platforms: ["linux" as const],
        applied_globally: true,
      }));
      await client.ioc.createIndicators({ body: { indicators } });
    },
    { name, count },
  );

const values = (page: Page): Promise<readonly string[]> =>
  inPage(page, async ({ client }) => {
    const { data } = await client.ioc.listIndicators({
      limit: 500,
      sort: "value.asc",
    });
    return data.map(({ value }) => value);
  });

/** Returns the identifier of the file. */
const uploadOne = (page: Page): Promise<string> =>
  inPage(page, async ({ client }) => {
    const { data } = await client.caseManagement.createCase({
      body: { name: "a", severity: 50 },
    });
    const body = {
      case_id: data[0]?.id ?? "",
      file: new File(["evidence"], "evidence.txt"),
    };
    return (await client.caseManagement.uploadFile({ body })).data[0]?.id ?? "";
  });

const textOf = (page: Page, file: string): Promise<string> =>
  inPage(
    page,
    async ({ client, fetch: send }, id) => {
      const { data } = await client.caseManagement.getFileLink({ id });
      return (await send(data[0]?.link ?? "")).text();
    },
    file,
  );

const problem = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "",
    (error: unknown) => (error as Error).message,
  );

test("records and files are there when the page is loaded again, by their name", async () => {
  const { url, tab } = await openSite();
  const page = await tab();
  await start(page, { storage: "trial" });
  await createSome(page, "kept", 1);
  const file = await uploadOne(page);
  await enter(page, url);
  await start(page, { storage: "trial", seed: "small" });
  expect(await values(page)).toEqual(["kept-0.example"]);
  expect(await textOf(page, file)).toBe("evidence");
  await enter(page, url);
  await start(page, { storage: "other" });
  expect(await values(page)).toEqual([]);
});

test("the records of the first start are there when the page is loaded again", async () => {
  const { url, tab } = await openSite();
  const page = await tab();
  await start(page, { storage: "trial", seed: "small" });
  const first = await values(page);
  expect(first.length).toBeGreaterThan(100);
  await enter(page, url);
  await start(page, { storage: "trial" });
  expect(await values(page)).toEqual(first);
});

test("a worker that was ended in the middle of work does not keep the next one out", async () => {
  const { tab } = await openSite();
  const page = await tab();
  await start(page, { storage: "trial" });
  await page.evaluate(`platform.seed.world("large").catch(() => undefined)
    && platform.fetch("/healthz").then(() => platform.stop())`);
  await start(page, { storage: "trial" });
  expect(await values(page)).toEqual([]);
});

test("one tab at a time uses a name", async () => {
  const { tab } = await openSite();
  const [first, second] = [await tab(), await tab()];
  await start(first, { storage: "trial" });
  expect(await problem(start(second, { storage: "trial" }))).toMatch(
    /another tab or platform uses trial; close it, choose another name, or leave out/,
  );
  await start(second, { storage: "second" });
  await inPage(first, (platform) => platform.stop());
  await first.close();
  await inPage(second, (platform) => platform.stop());
  await start(second, { storage: "trial" });
  expect(await values(second)).toEqual([]);
});

test("a page that is left in the middle of writes keeps whole requests", async () => {
  const { url, tab } = await openSite();
  const page = await tab();
  await start(page, { storage: "trial" });
  await createSome(page, "first", 20);
  await page.evaluate(() => {
    const { platform } = globalThis as unknown as {
      platform: {
        fetch(path: string): Promise<Response>;
        seed: { world(name: string): unknown };
      };
    };
    void platform.seed.world("small");
  });
  const more = problem(createSome(page, "second", 20));
  await enter(page, url);
  await more;
  await start(page, { storage: "trial" });
  const left = await values(page);
  expect(left.filter((value) => value.startsWith("first"))).toHaveLength(20);
  expect([0, 20]).toContain(left.filter((value) => value.startsWith("second")).length);
  await createSome(page, "third", 1);
  expect(await values(page)).toContain("third-0.example");
});

test("a first start that is left in the middle begins anew", async () => {
  const { url, tab } = await openSite();
  const page = await tab();
  const left = problem(start(page, { storage: "trial", seed: "small" }));
  await enter(page, url);
  await left;
  await start(page, { storage: "trial" });
  expect(await values(page)).toEqual([]);
});

test("a write without space is refused, and the rest stays readable", async () => {
  const { url, tab } = await openSite();
  const page = await tab();
  await start(page, { storage: "trial" });
  await createSome(page, "kept", 5);
  const session = await page.context().newCDPSession(page);
  const { origin } = new URL(url);
  const { usage } = await session.send("Storage.getUsageAndQuota", { origin });
  await session.send("Storage.overrideQuotaForOrigin", {
    origin,
    quotaSize: usage + 1_000,
  });
  expect(await problem(inPage(page, ({ seed }) => seed.indicators(9_000)))).toMatch(/full/);
  expect(await values(page)).toHaveLength(5);
  expect(await problem(uploadOne(page))).toMatch(/failed with status 503/);
  await inPage(page, (platform) => platform.stop());
  expect(await problem(start(page, { storage: "another" }))).toMatch(
    /storage: the browser's space for this site is full; free some, or leave out the option/,
  );
  await start(page, { storage: "trial" });
  await session.send("Storage.overrideQuotaForOrigin", { origin });
  await createSome(page, "later", 1);
  expect(await values(page)).toHaveLength(6);
});

test.each<[string, string, string]>([
  ["a database that is empty", "platform.db", ""],
  ["a database that is none", "platform.db", "text ".repeat(20_000)],
  ["no JSON", "home.json", "{"],
  ["no home", "home.json", "{}"],
])("names a storage with %s, and what to do", async (_, file, content) => {
  const { tab } = await openSite();
  const page = await tab();
  await start(page, { storage: "trial" });
  await inPage(page, (platform) => platform.stop());
  await page.evaluate(`(async () => {
    const top = await navigator.storage.getDirectory();
    const all = await top.getDirectoryHandle("security-platform");
    const folder = await all.getDirectoryHandle("trial");
    const handle = await folder.getFileHandle("${file}");
    // The worker that was ended leaves the file a little later.
    const open = () =>
      handle.createWritable().catch(() => new Promise(requestAnimationFrame).then(open));
    const writer = await open();
    await writer.write("${content}");
    await writer.close();
  })()`);
  expect(await problem(start(page, { storage: "trial" }))).toMatch(
    /storage: trial is damaged; delete this site's data in the browser, choose another name, or leave/,
  );
  await start(page, { storage: "other" });
  expect(await values(page)).toEqual([]);
});

test("an invalid name is refused", async () => {
  const { tab } = await openSite();
  expect(await problem(start(await tab(), { storage: "a/b" }))).toMatch(
    /storage: expected 1 to 64 letters, .* got a\/b/,
  );
});
