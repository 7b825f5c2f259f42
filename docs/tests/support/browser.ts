import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import packaged from "@sparticuz/chromium";
import { chromium, type Browser, type Page } from "playwright-core";
import { fillOnce } from "../../../testing/fill-once.ts";
import { docsFolder, projectFolder } from "./places.ts";

/** Maximum time in milliseconds for a busy machine to start the browser or to show a page. */
const timeout = 120_000;

/** A real Chromium: the packaged one on Linux, an installed Chrome elsewhere. */
export async function openBrowser(options: readonly string[] = []): Promise<Browser> {
  if (process.platform !== "linux") {
    return chromium.launch({ channel: "chrome", args: [...options], timeout });
  }
  const wanted = packaged.args.filter((argument) => !unwanted.has(argument));
  const args = [...wanted, "--disable-gpu", ...options];
  return chromium.launch({ args, timeout, executablePath: await extractedChromium() });
}

/**
 * Extracts the packaged Chromium once for each version. The package itself would extract it to the
 * temporary folder that all users share, and would start an incomplete or older one that is there.
 */
export async function extractedChromium(): Promise<string> {
  const main = createRequire(import.meta.url).resolve("@sparticuz/chromium");
  const text = readFileSync(join(dirname(main), "../package.json"), "utf8");
  const { version } = JSON.parse(text) as { version: string };
  const cache = join(projectFolder, "node_modules/.cache/chromium", version);
  const folder = await fillOnce(cache, async (unfinished) => {
    const extract = `import chromium from "@sparticuz/chromium"; await chromium.executablePath();`;
    await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", extract], {
      cwd: docsFolder,
      env: { ...process.env, TMPDIR: unfinished },
    });
  });
  return join(folder, "chromium");
}

/**
 * The package is built for serverless functions: with the first options, closing a page would close the browser, and
 * pages would have unusual permissions. The others emulate a graphics processor, which takes a quarter of the browser's time.
 */
const unwanted = new Set([
  "--single-process",
  "--disable-web-security",
  "--allow-running-insecure-content",
  "--ignore-gpu-blocklist",
  "--in-process-gpu",
  "--use-gl=angle",
  "--use-angle=swiftshader",
  "--enable-unsafe-swiftshader",
]);

/** Opens a page of the site. Its scripts run from now on; they are loaded after its first paint. */
export async function openPage(page: Page, url: string): Promise<void> {
  await page.goto(url);
  // `waitForFunction` would compile its condition again for each frame, which the security policy of the site forbids.
  await page.evaluate(mounted);
}

/** Runs in the page, and ends when Vue has mounted the site. */
const mounted = `new Promise((resolve) => {
  const look = () => {
    if (document.querySelector("#app")?.__vue_app__) resolve();
    else requestAnimationFrame(look);
  };
  look();
})`;

/** A page of the browser, with its errors and its requests to other hosts. */
export class WatchedPage {
  readonly page: Page;
  /** Console errors, uncaught exceptions, and error responses. */
  readonly errors: string[] = [];
  readonly requests: string[] = [];

  private constructor(page: Page) {
    this.page = page;
    page.on("request", (request) => this.requests.push(request.url()));
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") {
        this.errors.push(`${message.type()}: ${message.text()}`);
      }
    });
    page.on("pageerror", (error) => this.errors.push(`uncaught: ${error.message}`));
    page.on("requestfailed", (request) => {
      // The browser aborts the requests of a page that is left.
      const reason = request.failure()?.errorText ?? "";
      if (reason !== "net::ERR_ABORTED") this.errors.push(`failed: ${request.url()} (${reason})`);
    });
    page.on("response", (response) => {
      if (response.status() >= 400) this.errors.push(`${response.status()}: ${response.url()}`);
    });
  }

  static async open(browser: Browser): Promise<WatchedPage> {
    const page = await browser.newPage({ viewport: { width: 1_400, height: 900 } });
    page.setDefaultTimeout(timeout);
    return new WatchedPage(page);
  }

  /** Requests to any other origin. */
  requestsBeyond(origin: string): readonly string[] {
    return this.requests.filter((url) => {
      const target = new URL(url);
      return target.origin !== origin && !["data:", "blob:"].includes(target.protocol);
    });
  }
}
