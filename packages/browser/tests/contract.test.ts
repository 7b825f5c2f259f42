/**
 * @module-tag exhaustive
 * @module-tag nightly
 */
import { textReport } from "@security-platform/contract-tests";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { openBrowser } from "../../../docs/tests/support/browser.ts";
import { runContractInPage } from "./support/contract-in-page.ts";
import { openPage } from "./support/page-scope.ts";
import { serveSite } from "./support/static-site.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser?.close());

test("every operation succeeds in a page, for its own tenant only", async () => {
  const site = await serveSite();
  onTestFinished(() => site[Symbol.asyncDispose]());
  const page = await openPage(browser, site.url);
  // `npm run contract:page` runs all of them.
  const include = [/ 2\d\d answer: /, /another tenant/];
  const report = await runContractInPage(page, { include, seed: "npm test" });
  const text = textReport(report);
  expect(report.failed, text).toBe(0);
  expect(report.passed, text).toBeGreaterThan(300);
});
