// `npm run contract:page`: runs all contract tests against the platform in a page of Chromium.
import { textReport } from "@security-platform/contract-tests";
import { openBrowser } from "../../../docs/tests/support/browser.ts";
import { runContractInPage } from "../tests/support/contract-in-page.ts";
import { openPage } from "../tests/support/page-scope.ts";
import { serveSite } from "../tests/support/static-site.ts";

const browser = await openBrowser();
try {
  await using site = await serveSite();
  const page = await openPage(browser, site.url);
  const report = await runContractInPage(page);
  process.stdout.write(textReport(report));
  process.exitCode = report.failed === 0 ? 0 : 1;
  await page.close();
} finally {
  await browser.close();
}
