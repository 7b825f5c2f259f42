/** @module-tag nightly */
import { pathToFileURL } from "node:url";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Page } from "playwright-core";
import { operationLink } from "../scripts/reference/places.ts";
import { openPage } from "./support/browser.ts";
import { shareBrowser, shareDemo } from "./support/fixtures.ts";
import { siteFolder } from "./support/places.ts";

const platform = shareDemo();
const { browser, openWatched } = shareBrowser();

const operationPage = `${operationLink("indicator.create.v1")}.html`;

/** Pages of each kind: those with the most scripts, and the others. */
const pagesWithScripts = ["/", "/guides/filter-playground.html", operationPage];
const otherPages = [
  "/guides/quick-start.html",
  "/guides/commands.html",
  "/reference/",
  "/reference/schemas/Indicator.html",
  "/reference/errata.html",
];

for (const [pages, width, tags] of [
  [pagesWithScripts, 390, []],
  [otherPages, 390, ["nightly"]],
  [[...pagesWithScripts, ...otherPages], 1_280, ["nightly"]],
] as const) {
  test.each(pages)(
    `%s keeps its parts in place while it loads, at ${width} px`,
    { tags: [...tags] },
    async (path) => {
      const { page } = await openWatched();
      await page.setViewportSize({ width, height: 900 });
      await page.addInitScript(collectShifts);
      await openPage(page, `${platform().url}/docs${path}`);
      await page.waitForLoadState("networkidle");
      expect(await page.evaluate("globalThis.shifts")).toBeLessThan(0.05);
    },
  );
}

/** Runs in the page. Adds up how far its parts have moved: the sum of all shifts, which is at least Google's CLS. */
const collectShifts = `globalThis.shifts = 0;
new PerformanceObserver((list) => {
  for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) globalThis.shifts += value;
}).observe({ type: "layout-shift", buffered: true });`;

test.each([
  ["/guides/quik-start", "Quick start"],
  ["/reference/ioc/indicator.create.v2", "Create indicators"],
  ["/reference/IOC/indicator.create.html", "Create indicators"],
])("for %s, the page that does not exist suggests %s", async (path, title) => {
  const { page } = await openWatched();
  const response = await page.goto(`${platform().url}/docs${path}`);
  expect(response?.status()).toBe(404);
  await page.getByRole("heading", { level: 1, name: "This page does not exist" }).waitFor();
  await page.getByText("Pages with a similar address").waitFor();
  await page.locator(".not-found li a", { hasText: title }).first().click();
  await page.getByRole("heading", { level: 1, name: title }).waitFor();
});

test("without script, the page that does not exist says so, and leads on", async () => {
  const context = await browser().newContext({ javaScriptEnabled: false });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const response = await page.goto(`${platform().url}/docs/guides/nothing.html`);
  expect(response?.status()).toBe(404);
  await page.getByRole("heading", { level: 1, name: "This page does not exist" }).waitFor();
  for (const link of await page.locator(".not-found li a").all()) {
    const target = await fetch(new URL((await link.getAttribute("href")) ?? "", page.url()));
    expect(target.status).toBe(200);
  }
  await page.getByRole("link", { name: "Reference of all operations" }).click();
  await page.getByRole("heading", { level: 1, name: "Reference" }).waitFor();
});

test("a page that was opened as a file is readable, and says how to get the whole one", async () => {
  const page = await browser().newPage();
  onTestFinished(() => page.close());
  await page.goto(pathToFileURL(join(siteFolder, "guides/errors.html")).href);
  await page.getByText("This page was opened as a file").waitFor();
  await page.getByText("npx secplat serve").first().waitFor();
  await page.getByRole("heading", { name: "Statuses" }).waitFor();
});

/** Refuses storage, as browsers do that block cookies. */
async function withoutStorage(page: Page): Promise<void> {
  await page.addInitScript(`for (const name of ["localStorage", "sessionStorage"]) {
    Object.defineProperty(globalThis, name, { get() { throw new DOMException("refused", "SecurityError"); } });
  }`);
}

test("a browser without storage shows pages, samples, the search and the console", async () => {
  const { page, errors } = await openWatched();
  await withoutStorage(page);
  await openPage(page, `${platform().url}/docs${operationPage}`);
  await page.locator(".operation-samples .tabs label", { hasText: "TypeScript" }).click();
  await page.getByText("createClient").first().waitFor();
  await page.getByRole("link", { name: "Update indicators" }).first().click();
  await page.getByRole("heading", { level: 1, name: "Update indicators" }).waitFor();
  // The choice lasts as long as the page.
  await page.locator(".operation-samples .language-ts.active").waitFor();
  await page.getByRole("button", { name: "Try it" }).click();
  await page.locator(".console-send").waitFor();
  // The library that remembers settings reports the refusal.
  expect(errors.filter((error) => error !== "error: SecurityError: refused")).toEqual([]);
});

test("the home page answers a live call", async () => {
  const { page } = await openWatched();
  await openPage(page, `${platform().url}/docs/`);
  await page.getByRole("button", { name: "Send it" }).click();
  const status = page.locator(".live-call .console-status");
  await status.getByText("200 OK").waitFor();
  await status.getByText("from the platform in this page").waitFor();
  for (const [title, expected] of [
    ["Hosts with Windows", "200 OK"],
    ["Prevention policies", "200 OK"],
    ["A filter with a mistake", "400 Bad Request"],
  ] as const) {
    await page.getByLabel("Call to send").selectOption({ label: title });
    await status.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Send it" }).click();
    await status.getByText(expected).waitFor();
    const body = await page.locator(".live-call .console-body").innerText();
    expect(body.length).toBeGreaterThan(20);
    expect(body).not.toBe("[]");
  }
  await page.locator(".live-call").getByText("Did you mean").waitFor();
});

test("a browser without WebAssembly is told so by the home page", async () => {
  const { page } = await openWatched();
  await page.addInitScript("delete globalThis.WebAssembly");
  await openPage(page, `${platform().url}/docs/`);
  await page.getByRole("button", { name: "Send it" }).click();
  await page.locator(".live-call").getByText("the browser has no WebAssembly").waitFor();
  await page.locator(".live-call").getByText("npx secplat serve").waitFor();
});
