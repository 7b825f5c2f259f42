/**
 * @module-tag exhaustive
 * @module-tag nightly
 */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "vite";
import { expect, onTestFinished, test } from "vitest";
import { testWith } from "../../../testing/platform.ts";
import { extractedChromium, openBrowser } from "../../../docs/tests/support/browser.ts";
import { serveSite } from "./support/static-site.ts";

/** Below the package, so that its users' import of it is resolved. */
const cache = fileURLToPath(new URL("../node_modules/.cache", import.meta.url));
const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");

/** Writes the samples of the README with these names into a new folder. */
function projectOf(names: readonly string[]): string {
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "project-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const name of names) {
    const [, sample] = readme.split(`[${name}]\n`);
    const [content] = sample?.split("```") ?? [];
    if (content === undefined) throw new Error(`the README has no sample ${name}`);
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

test("Vite includes the worker and its files in a site", async () => {
  const folder = projectOf(["page.ts"]);
  writeFileSync(
    join(folder, "index.html"),
    `<!doctype html><script type="module">
      import { startPlatform } from "@security-platform/browser";
      ${readFileSync(join(folder, "page.ts"), "utf8").replace(/^import .*/m, "")}
      document.title = \`\${data.length > 0} \${response.status}\`;
    </script>`,
  );
  await build({ root: folder, configFile: false, logLevel: "error" });
  const built = join(folder, "dist");
  const html = readFileSync(join(built, "index.html"), "utf8");
  await using site = await serveSite({ folder: built, html });
  const browser = await openBrowser();
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  page.setDefaultTimeout(300_000);
  await page.goto(site.url);
  await page.waitForFunction("document.title !== ''");
  expect(await page.title()).toBe("true 200");
});

testWith("packaged Chromium")("tests in the browser mode of Vitest start a platform", async () => {
  const folder = projectOf(["vitest.config.ts", "indicators.test.ts"]);
  const vitest = join(dirname(fileURLToPath(import.meta.resolve("vitest"))), "../vitest.mjs");
  const report = join(folder, "report.json");
  await promisify(execFile)(
    process.execPath,
    [vitest, "run", "--reporter=json", `--outputFile=${report}`],
    { cwd: folder, env: { PATH: process.env["PATH"], CHROMIUM: await extractedChromium() } },
  );
  const { success, numPassedTests } = JSON.parse(readFileSync(report, "utf8")) as TestReport;
  expect({ success, numPassedTests }).toEqual({ success: true, numPassedTests: 2 });
});

interface TestReport {
  readonly success: boolean;
  readonly numPassedTests: number;
}
