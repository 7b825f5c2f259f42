import { startPlatform, type TestPlatform } from "@security-platform/testing";
import { openBrowser } from "../../../docs/tests/support/browser.ts";
import { watchDownload } from "../../../packages/browser/tests/support/download.ts";
import { inPage, openPage, start } from "../../../packages/browser/tests/support/page-scope.ts";
import { serveSite } from "../../../packages/browser/tests/support/static-site.ts";
import type { Result } from "../measure.ts";
import type { BenchRun, Scenario } from "../scenario.ts";
import { workerMemory } from "../worker-memory.ts";

/** Sizes, times and rates instead of ratios. */
export const inPageScenarios: readonly Scenario[] = [{ name: "platform in a page", run }];

type Page = Awaited<ReturnType<typeof openPage>>;

const megabyte = 1_000_000;
const indicators = 10_000;
const requests = 10_000;

/** What a page downloads, starts and answers in Chromium. */
async function run({ seconds, scale }: BenchRun): Promise<readonly Result[]> {
  const browser = await openBrowser();
  try {
    await using site = await serveSite();
    const page = await openPage(browser, site.url);
    const download = watchDownload(page);
    const empty = await timeOf(() => start(page));
    await inPage(page, (platform) => platform.stop());
    const demo = await timeOf(() => start(page, { seed: "demo" }));
    await inPage(page, (platform) => platform.stop());
    const sizes = download.sizes();
    const total = [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0);
    const limits = { requestsPerMinute: 0, tokenRequestsPerMinute: 0 };
    const memory = await workerMemory(page);
    await start(page, { limits });
    await fill(page, Math.round(indicators * scale));
    const filled = await memory();
    await read(page, Math.round(requests * scale));
    const used = await memory();
    await using double = await startPlatform({ limits });
    await double.seed.indicators(Math.round(indicators * scale));
    const milliseconds = seconds * 1_000;
    const rates: Result[] = [];
    for (const [kind, name] of kinds) {
      const inPageBy = (callers: number): Promise<number> =>
        inPage(page, perSecond, { kind, callers, milliseconds });
      const one = await inPageBy(1);
      const inNode = await perSecond(double, { kind, callers: 1, milliseconds });
      rates.push(
        atLeast(`${name} a second`, one, 1_000),
        atLeast(`${name} a second, four callers`, await inPageBy(4), 1_000),
        {
          ...atLeast(`${name} in a page / in a process of Node.js`, one / inNode, 0.7),
          note: `${inNode.toFixed(0)} a second in the test double, on Node.js and its SQLite`,
        },
      );
    }
    await page.close();
    return [
      atMost("MB to download (brotli)", total / megabyte, 1),
      atMost("MB of it for SQLite", (sizes.get("sqlite3.wasm") ?? 0) / megabyte, 0.36),
      atMost("milliseconds to an empty platform", empty, 700),
      atMost("milliseconds to the demo", demo, 2_000),
      atMost("MB of memory with 10,000 indicators", filled / megabyte, 100),
      atMost("MB of memory after 10,000 requests", used / megabyte, 100),
      ...rates,
    ];
  } finally {
    await browser.close();
  }
}

async function timeOf(work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

const fill = (page: Page, count: number): Promise<void> =>
  inPage(
    page,
    async (platform, all) => {
      for (let from = 0; from < all; from += 1_000) {
        await platform.seed.indicators(Math.min(1_000, all - from));
      }
    },
    count,
  );

const read = (page: Page, count: number): Promise<void> =>
  inPage(
    page,
    async ({ client }, all) => {
      for (let done = 0; done < all; done += 1) await client.ioc.listIndicators({ limit: 1 });
    },
    count,
  );

type Kind = "create" | "list";

const kinds: readonly (readonly [Kind, string])[] = [
  ["list", "filtered pages of 100"],
  ["create", "creates"],
];

interface Load {
  readonly kind: Kind;
  /** Each sends its next request when it has the answer. */
  readonly callers: number;
  readonly milliseconds: number;
}

/** Requests a second. A page runs it as well, so it uses nothing around it. */
async function perSecond(
  { client }: Pick<TestPlatform, "client">,
  { kind, callers, milliseconds }: Load,
): Promise<number> {
  let count = 0;
  const started = performance.now();
  const call = async (): Promise<void> => {
    while (performance.now() - started < milliseconds) {
      count += 1;
      if (kind === "list") {
        await client.ioc.listIndicators({ filter: "applied_globally:true", limit: 100 });
      } else {
        await client.ioc.createIndicators({
          body: {
            indicators: [
              {
                type: "domain",
                value: `bench-${count}-${started}.example`,
                action: "detect",
                severity: "low",
                platforms: ["linux"],
                applied_globally: true,
              },
            ],
          },
        });
      }
    }
  };
  await Promise.all(Array.from({ length: callers }, call));
  return (count / (performance.now() - started)) * 1_000;
}

const atMost = (name: string, ratio: number, target: number): Result => ({
  name,
  figure: "Chromium",
  ratio,
  target,
  targetIs: "at most",
});

const atLeast = (name: string, ratio: number, target: number): Result => ({
  name,
  figure: "Chromium",
  ratio,
  target,
  targetIs: "at least",
});
