/** @module-tag exhaustive */
import { readFileSync } from "node:fs";
import { document, type OpenApiDocument } from "@security-platform/spec";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import type { PagePlatform } from "../src/index.ts";
import { limitedOperations, missingParts } from "../scripts/without-a-host.ts";
import { openBrowser } from "../../../docs/tests/support/browser.ts";
import { inPage, openPage, start } from "./support/page-scope.ts";
import { serveSite } from "./support/static-site.ts";

/** What a page answers, by the operations that have limits there. */
const operations: Readonly<
  Record<string, readonly [call: (platform: PagePlatform) => Promise<unknown>, expected: unknown]>
> = {
  "entities.get-rtr-file-metadata.post.v1": [
    async ({ client, seed }) => {
      const [host] = await seed.hosts(1);
      const body = {
        aid: String(host?.device_id),
        file_path: "/var/log/auth.log",
      };
      return client.caseManagement.getHostFile({ body }).then(
        () => "",
        ({ status, message }: { status: number; message: string }) => [status, message],
      );
    },
    [503, expect.stringContaining("this server has no connection to hosts")],
  ],
  "entities.retrieve-rtr-file.post.v1": [
    async ({ client, seed, clock }) => {
      const [host] = await seed.hosts(1);
      const { data: cases } = await client.caseManagement.createCase({
        body: { name: "files", severity: 50 },
      });
      const body = {
        case_id: cases[0]?.id ?? "",
        aid: String(host?.device_id),
        file_path: "/var/log/auth.log",
      };
      const { data } = await client.caseManagement.fetchHostFile({ body });
      await clock.advance("1 h");
      const { data: later } = await client.caseManagement.getFiles({
        ids: [data[0]?.id ?? ""],
      });
      return later.map(({ status }) => status);
    },
    ["requested"],
  ],
  "entities.retrieve-rtr-recent-file.post.v1": [
    async ({ client }) => {
      const { data: cases } = await client.caseManagement.createCase({
        body: { name: "files", severity: 50 },
      });
      const body = {
        case_id: cases[0]?.id ?? "",
        session_id: "1",
        sha256: "0".repeat(64),
      };
      return client.caseManagement.addFetchedFile({ body }).then(
        () => "",
        ({ status }: { status: number }) => status,
      );
    },
    404,
  ],
  CreateRegistryEntities: [
    async ({ client, clock }) => {
      const { data } = await client.container.createRegistry({
        body: {
          type: "docker",
          url: "https://registry.example.com",
          credential: { details: { username: "ana", password: "not-a-secret" } },
        },
      });
      await clock.advance("2 d");
      const { data: later } = await client.container.getRegistries({ ids: [data.id ?? ""] });
      return later.map(({ state }) => state);
    },
    ["pending"],
  ],
  createUserV1: [
    async ({ client, fetch: send, runJobs }) => {
      await client.userManagement.createUser({
        body: { uid: "ana@a.example", first_name: "Ana" },
      });
      await runJobs();
      const { mails } = (await (await send("/_control/mails")).json()) as {
        mails: readonly object[];
      };
      return JSON.stringify(mails).includes("ana@a.example");
    },
    true,
  ],
};

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser?.close());

async function open(): Promise<Page> {
  const site = await serveSite();
  const page = await openPage(browser, site.url);
  onTestFinished(async () => {
    await page.close();
    await site[Symbol.asyncDispose]();
  });
  await start(page);
  return page;
}

test("each operation that has limits in a page is tried here", () => {
  expect(Object.keys(operations)).toEqual(Object.keys(limitedOperations));
});

/** The rows of the first table after a heading. */
function tableAfter(heading: string, file: string): Readonly<Record<string, string>> {
  const text = readFileSync(new URL(file, import.meta.url), "utf8");
  const [, section = ""] = text.split(heading);
  const [, rows = ""] = /\n\| -[^\n]*\n((?:\|[^\n]*\n)+)/.exec(section) ?? [];
  const cells = rows.trim().split("\n");
  return Object.fromEntries(
    cells
      .map((row) => row.split("|").slice(1, 3))
      .map(([name = "", instead = ""]) => [name.trim().replace(/^`(.*)`$/, "$1"), instead.trim()]),
  );
}

const guide = "../../../docs/guides/platform-in-a-page.md";

test.each([
  ["## What a page does not have", "../README.md", missingParts],
  ["These operations need one of them:", "../README.md", limitedOperations],
  ["## What a page does not have", guide, missingParts],
])("the table after %j in %s is complete", (heading, file, expected) => {
  expect(tableAfter(heading, file)).toEqual(expected);
});

test("the document that a page serves says what does not work there", async () => {
  const page = await open();
  const served = await inPage(page, async ({ fetch: send }) => {
    const response = await send("/docs/openapi.json");
    return (await response.json()) as OpenApiDocument;
  });
  for (const part of Object.keys(missingParts)) expect(served.info.description).toContain(part);
  const operationsOf = Object.values(served.paths).flatMap((item) => Object.values(item));
  const limits = operationsOf.flatMap(({ operationId, "x-in-page": limit }) =>
    limit === undefined ? [] : [[operationId, limit] as const],
  );
  expect(Object.fromEntries(limits)).toEqual(limitedOperations);
  expect(Object.keys(served.paths)).toEqual(Object.keys(document().paths));
});

test.each(Object.entries(operations))("%s answers as the document says", async (_, each) => {
  const page = await open();
  const [call, expected] = each;
  expect(await inPage(page, call)).toEqual(expected);
});
