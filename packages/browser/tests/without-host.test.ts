import { readFileSync } from "node:fs";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import type { PagePlatform } from "../src/index.ts";
import { openBrowser } from "../../../docs/tests/support/browser.ts";
import { inPage, openPage, start } from "./support/page-scope.ts";
import { serveSite } from "./support/static-site.ts";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");

/** What a page answers, by the operations that the README lists. */
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

test("the README lists the operations that need more than a page", () => {
  const [, section = ""] = readme.split("These operations need one of them:");
  const [table = ""] = section.split("\n## ");
  const listed = [...table.matchAll(/^\| `([^`]+)`/gm)].map(([, id]) => id);
  expect(listed).toEqual(Object.keys(operations));
});

test.each(Object.entries(operations))("%s answers as the README says", async (_, each) => {
  const site = await serveSite();
  const page = await openPage(browser, site.url);
  onTestFinished(async () => {
    await page.close();
    await site[Symbol.asyncDispose]();
  });
  await start(page);
  const [call, expected] = each;
  expect(await inPage(page, call)).toEqual(expected);
});
