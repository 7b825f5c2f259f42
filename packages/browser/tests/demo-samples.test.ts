/**
 * @module-tag exhaustive
 * @module-tag nightly
 */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { openBrowser } from "../../../docs/tests/support/browser.ts";
import {
  failures,
  operationsInOrder,
  sendSample,
  type Outcome,
} from "../../../docs/tests/support/samples-of-pages.ts";
import { openBridge } from "./support/bridge.ts";
import { inPage, openPage, start } from "./support/page-scope.ts";
import { serveSite } from "./support/static-site.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser?.close());

test("the samples of all operation pages succeed in a page, in the order of reading", async () => {
  const site = await serveSite();
  onTestFinished(() => site[Symbol.asyncDispose]());
  const page = await openPage(browser, site.url);
  const limits = { requestsPerMinute: 0, tokenRequestsPerMinute: 0 };
  await start(page, { seed: "demo", clock: "running", limits });
  await using bridge = await openBridge(page);
  const token = await inPage(page, async (platform) => {
    const { clientId, clientSecret } = platform.credentials;
    const body = new URLSearchParams({ client_id: clientId, client_secret: clientSecret });
    const response = await platform.fetch("/oauth2/token", { method: "POST", body });
    return ((await response.json()) as { access_token: string }).access_token;
  });
  const outcomes: Outcome[] = [];
  for (const operation of operationsInOrder) {
    outcomes.push(await sendSample(operation, { url: bridge.url, token }));
  }
  expect(failures(outcomes)).toEqual([]);
});
