import { runContractTests, type Report, type RunOptions } from "@security-platform/contract-tests";
import type { Page } from "playwright-core";
import { openBridge } from "./bridge.ts";
import { inPage, start } from "./page-scope.ts";

const kibibyte = 1024;
const bodyBytes = 1024 * kibibyte;
const uploadBytes = 2 * 1024 * kibibyte;

/** Milliseconds; a busy machine needs long for a request. */
const slowest = 300_000;

/** Runs contract tests against a platform in a page. Requests cross the bridge, so bodies are limited to a megabyte. */
export async function runContractInPage(
  page: Page,
  options: Partial<RunOptions> = {},
): Promise<Report> {
  const limits = {
    requestsPerMinute: 0,
    tokenRequestsPerMinute: 0,
    failedAuthenticationsPerMinute: 0,
    bodyBytes,
    uploadBytes,
  };
  await start(page, { seed: "demo", clock: "running", limits, compat: options.compat });
  await using bridge = await openBridge(page);
  const { credentials, other } = await inPage(page, async (platform) => {
    const tenant = await platform.seed.tenant("Other");
    return { credentials: platform.credentials, other: tenant.credentials };
  });
  return await runContractTests({
    baseUrl: bridge.url,
    credentials,
    otherTenant: other,
    faults: bridge.url,
    companion: true,
    allowWrites: true,
    strictHeaders: true,
    bodyBytes,
    uploadBytes,
    timeoutMilliseconds: slowest,
    ...options,
  });
}
