import { operationById, operations } from "@security-platform/spec";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { collectionLink, operationLink } from "../scripts/reference/places.ts";
import { accessibilityViolations } from "./support/accessibility.ts";
import { openPage, type WatchedPage } from "./support/browser.ts";
import { shareBrowser, shareDemo } from "./support/fixtures.ts";
import { searches } from "./support/searches.ts";

const nightly = { tags: ["nightly"] };

const { id, summary, collection, parameters } = operationById("indicator.combined.v1");

/** A page of each template: one with all parts of the reference, and the others. */
const operationTemplate = `${operationLink("indicator.create.v1")}.html`;
const otherTemplates = [
  "/",
  "/guides/filters.html",
  "/reference/",
  "/reference/ioc/",
  "/reference/schemas/",
  "/reference/schemas/Indicator.html",
  "/reference/scopes.html",
  "/reference/changelog.html",
  "/404.html",
];

describe("the site in a browser, served under /docs", () => {
  const platform = shareDemo();
  const { browser, openWatched } = shareBrowser();
  let watched: WatchedPage;

  beforeEach(async () => {
    watched = await openWatched();
  });

  afterEach(async () => {
    await watched.page.close();
    expect(watched.errors).toEqual([]);
    expect(watched.requests.length).toBeGreaterThan(0);
    expect(watched.requestsBeyond(new URL(platform().url).origin)).toEqual([]);
  });

  test("shows its home page", async () => {
    const { page } = watched;
    await page.goto(platform().url);
    expect(page.url()).toBe(`${platform().url}/docs/`);
    await page.getByRole("heading", { level: 1, name: "Security Platform API" }).waitFor();
    await page.getByRole("link", { name: "Quick start" }).first().click();
    await page.getByRole("heading", { level: 1, name: "Quick start" }).waitFor();
  });

  test("finds an operation by its id and shows its parameters", async () => {
    const { page } = watched;
    await openPage(page, `${platform().url}/docs/`);
    await page.getByRole("button", { name: "Search" }).first().click();
    await page.locator("#localsearch-input").fill(id);
    await page.locator(".VPLocalSearchBox .result").first().waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: summary }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/docs${operationLink(id)}.html`);
    for (const { name } of parameters) await page.locator(`[id="parameter-${name}"]`).waitFor();
  });

  test("remembers the language of the samples", nightly, async () => {
    const { page } = watched;
    await openPage(page, `${platform().url}/docs${operationLink(id)}.html`);
    await page.getByText("TypeScript", { exact: true }).first().click();
    await page.locator("pre", { hasText: "createClient" }).first().waitFor();
    await openPage(page, `${platform().url}/docs${operationLink("indicator.get.v1")}.html`);
    await page.locator("pre", { hasText: "getIndicators" }).first().waitFor();
    await page.getByText("secplat", { exact: true }).first().click();
    await page.getByRole("link", { name: "Create indicators" }).first().click();
    await page.locator("pre", { hasText: "secplat ioc create-indicators" }).first().waitFor();
  });

  test("shows the address of this server in samples", nightly, async () => {
    const { page } = watched;
    await openPage(page, `${platform().url}/docs/guides/quick-start.html`);
    const samples = page.locator("main pre", { hasText: "export BASE_URL=" });
    await expect.poll(() => samples.first().textContent()).toContain(platform().url);
    const texts = await page.locator("main code").allTextContents();
    expect(texts.filter((text) => text.includes("127.0.0.1:8080"))).toEqual([]);
  });

  test("copies a page as Markdown", nightly, async () => {
    const { page } = watched;
    await page.addInitScript(() => {
      Object.defineProperty(navigator, "clipboard", {
        value: {
          writeText: async (text: string) => void Object.assign(globalThis, { copied: text }),
        },
      });
    });
    for (const path of [operationLink(id), "/reference/schemas/Indicator", "/guides/paging"]) {
      await openPage(page, `${platform().url}/docs${path}.html`);
      await page.getByRole("button", { name: "Copy as Markdown" }).click();
      const markdown = await (await fetch(`${platform().url}/docs${path}.md`)).text();
      expect(markdown).toMatch(/^# /);
      await expect
        .poll(() => page.evaluate(() => (globalThis as { copied?: string }).copied))
        .toBe(markdown);
    }
  });

  test("is readable without script", nightly, async () => {
    const context = await browser().newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${platform().url}/docs${operationLink(id)}.html`);
    for (const text of ["curl -s", "createClient", "secplat ioc", "from falconpy"]) {
      await page.locator("pre", { hasText: text }).first().waitFor();
    }
    await page.locator(`[id="parameter-${parameters[0]?.name}"]`).waitFor();
    await page.getByRole("navigation", { name: "Breadcrumb" }).getByText("IOC").waitFor();
    await page.goto(`${platform().url}/docs/guides/filters.html`);
    await page.getByRole("table").first().waitFor();
    await context.close();
    await openPage(watched.page, `${platform().url}/docs/`);
  });

  test("prints without navigation", nightly, async () => {
    const { page } = watched;
    await openPage(page, `${platform().url}/docs${operationLink(id)}.html`);
    await page.emulateMedia({ media: "print" });
    for (const part of [".VPNav", ".VPSidebar", ".breadcrumb", ".VPDocFooter"]) {
      await page.locator(part).waitFor({ state: "hidden" });
    }
    await page.getByRole("heading", { level: 1, name: summary }).waitFor();
    const [samples, text] = await Promise.all(
      [".operation-samples", ".operation-text"].map((part) => page.locator(part).boundingBox()),
    );
    expect(text?.y).toBeGreaterThanOrEqual((samples?.y ?? 0) + (samples?.height ?? 0));
  });

  test("unfolds the members of a body, and leads to their schema", async () => {
    const { page } = watched;
    await openPage(page, `${platform().url}/docs${operationLink("indicator.create.v1")}.html`);
    const body = page.locator("#request-body ~ .members").first();
    const platforms = body.getByText("platforms", { exact: true });
    await platforms.waitFor();
    await body.locator("summary").first().click();
    await platforms.waitFor({ state: "hidden" });
    await page.getByRole("link", { name: "IndicatorInput", exact: true }).first().click();
    await page.getByRole("heading", { level: 1, name: "IndicatorInput" }).waitFor();
    await page.getByRole("heading", { name: "Sent to" }).waitFor();
    await page.getByRole("link", { name: "Create indicators" }).first().click();
    await page.getByRole("heading", { level: 1, name: "Create indicators" }).waitFor();
  });

  test("is found by ids, names, paths and words that readers use", nightly, async () => {
    const { page } = watched;
    await openPage(page, `${platform().url}/docs/`);
    await page.getByRole("button", { name: "Search" }).first().click();
    const results = page.locator(".VPLocalSearchBox .result");
    const wrong: (readonly [string, string])[] = [];
    for (const [query, ...wanted] of searches) {
      await page.locator("#localsearch-input").fill("");
      await results.first().waitFor({ state: "detached" });
      await page.locator("#localsearch-input").fill(query);
      const address = await results.first().getAttribute("href");
      const found = address?.replace(/^\/docs|(?:\.html)?(?:#.*)?$/g, "") ?? "";
      if (!wanted.includes(found)) wrong.push([query, found]);
    }
    expect(wrong).toEqual([]);
  });

  test("says that the search loads, and marks whole words", async () => {
    const { page } = watched;
    const held = Promise.withResolvers<void>();
    await page.route("**/*localSearchIndex*", async (route) => {
      await held.promise;
      await route.continue();
    });
    await openPage(page, `${platform().url}/docs/`);
    await page.getByRole("button", { name: "Search" }).first().click();
    await page.locator("#localsearch-input").fill("close");
    const loading = page.getByText("Loading the index of the pages");
    await loading.waitFor();
    held.resolve();
    await page.locator(".VPLocalSearchBox .result").first().waitFor();
    expect(await loading.count()).toBe(0);
    for (const words of ["close", "cl-ose", "count", "C++ (a|b)"]) {
      await page.locator("#localsearch-input").fill(words);
      await page.locator(".VPLocalSearchBox .results").waitFor();
      const inside = await page
        .locator(".VPLocalSearchBox mark")
        .evaluateAll((marks) =>
          marks
            .filter(
              ({ previousSibling: before, nextSibling: after }) =>
                /[\p{L}\p{N}]$/u.test(before?.textContent ?? "") ||
                /^[\p{L}\p{N}]/u.test(after?.textContent ?? ""),
            )
            .map((mark) => mark.parentElement?.textContent),
        );
      expect(inside).toEqual([]);
    }
  });

  const breaksNoRule = async (path: string): Promise<void> => {
    const { page } = watched;
    await openPage(page, `${platform().url}/docs${path}`);
    expect(await accessibilityViolations(page)).toEqual([]);
  };
  test.each([operationTemplate])("%s breaks no rule of accessibility", breaksNoRule);
  test.each(otherTemplates)("%s breaks no rule of accessibility", nightly, breaksNoRule);

  test(
    "lists all operations of the collection in the sidebar, and all collections",
    nightly,
    async () => {
      const { page } = watched;
      await openPage(page, `${platform().url}/docs${operationLink(id)}.html`);
      const links = await page
        .locator(".VPSidebar a")
        .evaluateAll((anchors) => anchors.map((anchor) => anchor.getAttribute("href")));
      const collections = new Set(operations().map((operation) => operation.collection));
      const expected = [
        ...operations()
          .filter((operation) => operation.collection === collection)
          .map((operation) => `/docs${operationLink(operation.id)}.html`),
        ...[...collections].map((name) => `/docs${collectionLink(name)}`),
      ];
      expect(links).toEqual(expect.arrayContaining(expected));
    },
  );
});
