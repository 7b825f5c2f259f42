// `npm run contract:page`: runs all contract tests against the platform in a page.
import { parseArgs } from "node:util";
import { textReport } from "@security-platform/contract-tests";
import { openBrowser } from "../../../docs/tests/support/browser.ts";
import { runContractInPage } from "../tests/support/contract-in-page.ts";
import { openPage } from "../tests/support/page-scope.ts";
import { serveSite } from "../tests/support/static-site.ts";
import { WebDriverPage } from "./webdriver-page.ts";

const usage = `npm run contract:page -- [--webdriver URL] [--capabilities JSON] [--include PATTERN]

Runs the contract tests against the platform in a page: of Chromium, or of any browser that has a driver.

  --webdriver URL      URL of a running driver, such as safaridriver or WebKitWebDriver
  --capabilities JSON  what the driver needs to start the browser, such as '{"browserName":"safari"}'
  --include PATTERN    only the cases whose name matches this regular expression
  --help               this text
`;

const { values } = parseArgs({
  options: {
    webdriver: { type: "string" },
    capabilities: { type: "string", default: "{}" },
    include: { type: "string" },
    help: { type: "boolean" },
  },
});

async function run(browser: Parameters<typeof openPage>[0]): Promise<void> {
  await using site = await serveSite();
  const page = await openPage(browser, site.url);
  const { include } = values;
  const report = await runContractInPage(
    page,
    include === undefined ? {} : { include: [new RegExp(include)] },
  );
  process.stdout.write(textReport(report));
  process.exitCode = report.failed === 0 ? 0 : 1;
}

function readCapabilities(text: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>>;
  } catch (cause) {
    throw new TypeError(
      `--capabilities: expected JSON such as {"browserName":"safari"}, got ${text}`,
      {
        cause,
      },
    );
  }
}

if (values.help === true) {
  process.stdout.write(usage);
} else if (values.webdriver === undefined) {
  const browser = await openBrowser();
  await run(browser).finally(() => browser.close());
} else {
  const capabilities = readCapabilities(values.capabilities);
  await using driven = await WebDriverPage.open({ url: values.webdriver, capabilities });
  process.stdout.write(`${driven.browser}\n`);
  await run({ newPage: async () => driven.page });
}
