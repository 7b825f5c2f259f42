import type { Page } from "playwright-core";
import type { PagePlatform, StartOptions } from "../../src/index.ts";

/** What tests keep in the scope of a page. */
export interface Scope {
  startPlatform(options?: StartOptions): Promise<PagePlatform>;
  platform: PagePlatform;
}

/** Maximum time in milliseconds of one step on a busy machine. */
const slowest = 300_000;

/** Opens a page of a browser or of a context, and imports the package into its scope. */
export async function openPage(browser: { newPage(): Promise<Page> }, url: string): Promise<Page> {
  const page = await browser.newPage();
  page.setDefaultTimeout(slowest);
  await enter(page, url);
  return page;
}

/** Goes to the URL, also again. */
export async function enter(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.evaluate(async () => {
    const path = "/standalone.js";
    Object.assign(globalThis, await import(path));
  });
}

/** Starts the platform of the page. */
export const start = (page: Page, options: StartOptions = {}): Promise<void> =>
  page.evaluate(async (given) => {
    const scope = globalThis as unknown as Scope;
    scope.platform = await scope.startPlatform(given);
  }, options);

/** Runs a function with the platform of the page. Its parameter and result are JSON. */
export function inPage<Result, Given = undefined>(
  page: Page,
  work: (platform: PagePlatform, given: Given) => Promise<Result>,
  given?: Given,
): Promise<Result> {
  // The function crosses as text, so it must not use anything around it.
  const text = `(given) => (${work.toString()})(globalThis.platform, given)`;
  return page.evaluate(`(${text})(${JSON.stringify(given) ?? "undefined"})`) as Promise<Result>;
}
