/**
 * What Lighthouse says about the structure of pages. Speed depends on the machine.
 * @module-tag nightly
 */
import { createServer } from "node:net";
import { brotliCompressSync } from "node:zlib";
import lighthouse from "lighthouse";
import { describe, expect, test } from "vitest";
import { operationLink } from "../scripts/reference/places.ts";
import { openPage } from "./support/browser.ts";
import { shareBrowser, shareDemo } from "./support/fixtures.ts";

const operationPage = `${operationLink("indicator.create.v1")}.html`;

/** The page that most readers see first, and the one that most of them come back to. axe-core examines all templates. */
const pages = ["/", operationPage];

/** Compressed bytes of the scripts that an operation page loads before its console is used. */
const largestScripts = 150_000;

describe("a page", () => {
  const platform = shareDemo();
  let port: number;
  const { openWatched } = shareBrowser(async () => {
    port = await freePort();
    return [`--remote-debugging-port=${port}`];
  });

  test.each(pages)("%s has at least 95 points for its structure", async (path) => {
    const result = await lighthouse(`${platform().url}/docs${path}`, {
      port,
      output: "json",
      logLevel: "silent",
      onlyCategories: ["accessibility", "best-practices", "seo"],
    });
    const { categories = {}, audits = {} } = result?.lhr ?? {};
    const scores = Object.entries(categories).map(([name, { score }]) => [
      name,
      (score ?? 0) * 100,
    ]);
    const failed = Object.values(audits)
      .filter(({ score }) => score !== null && score < 1)
      .map(({ id }) => id);
    expect(scores.length).toBe(3);
    for (const [name, score] of scores) {
      expect(score, `${name}: ${failed.join(", ")}`).toBeGreaterThanOrEqual(95);
    }
  });

  test(`an operation page loads at most ${largestScripts} bytes of script`, async () => {
    const watched = await openWatched();
    const scripts: Promise<Buffer>[] = [];
    watched.page.on("response", (response) => {
      // Scripts of linked pages are fetched later, as other resources.
      if (response.request().resourceType() === "script") scripts.push(response.body());
    });
    await openPage(watched.page, `${platform().url}/docs${operationPage}`);
    const sizes = (await Promise.all(scripts)).map((script) => brotliCompressSync(script).length);
    expect(sizes.length).toBeGreaterThan(0);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(largestScripts);
  });
});

/** Lighthouse connects to the browser by a port. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("no port is free");
  return address.port;
}
