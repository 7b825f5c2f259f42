import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { operationById, operations } from "@security-platform/spec";
import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { collectionLink, operationLink } from "../scripts/reference/places.ts";
import { openBrowser, WatchedPage } from "./support/browser.ts";
import { servePlatform, type Platform } from "./support/platform.ts";
import { demoFolder } from "../../packages/cli/src/testing/prepared-folder.ts";

const { id, summary, collection, parameters } = operationById("indicator.combined.v1");

describe("the site in a browser, served under /docs", () => {
  const folder = mkdtempSync(join(tmpdir(), "secplat-docs-"));
  let platform: Platform;
  let browser: Browser;
  let watched: WatchedPage;

  beforeAll(async () => {
    await demoFolder(folder);
    [platform, browser] = await Promise.all([servePlatform(folder), openBrowser()]);
  });

  afterAll(async () => {
    await browser?.close();
    await platform?.stop();
    rmSync(folder, { recursive: true });
  });

  beforeEach(async () => {
    watched = await WatchedPage.open(browser);
  });

  afterEach(async () => {
    await watched.page.close();
    expect(watched.errors).toEqual([]);
    expect(watched.requests.length).toBeGreaterThan(0);
    expect(watched.requestsBeyond(new URL(platform.url).origin)).toEqual([]);
  });

  test("shows its home page", async () => {
    const { page } = watched;
    await page.goto(platform.url);
    expect(page.url()).toBe(`${platform.url}/docs/`);
    await page.getByRole("heading", { level: 1, name: "Security Platform API" }).waitFor();
    await page.getByRole("link", { name: "Quick start" }).first().click();
    await page.getByRole("heading", { level: 1, name: "Quick start" }).waitFor();
  });

  test("finds an operation by its id and shows its parameters", async () => {
    const { page } = watched;
    await page.goto(`${platform.url}/docs/`);
    await page.getByRole("button", { name: "Search" }).first().click();
    await page.locator("#localsearch-input").fill(id);
    await page.locator(".VPLocalSearchBox .result").first().waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: summary }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/docs${operationLink(id)}.html`);
    const table = page.locator("#parameters ~ table").first();
    for (const { name } of parameters) {
      expect(await table.getByText(name, { exact: true }).count()).toBeGreaterThan(0);
    }
    await page.getByText("client", { exact: true }).first().click();
    await page.locator("pre", { hasText: "createClient" }).first().waitFor();
  });

  test("lists all operations of the collection in the sidebar, and all collections", async () => {
    const { page } = watched;
    await page.goto(`${platform.url}/docs${operationLink(id)}.html`);
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
  });

  test("shows the whole document on one page", async () => {
    const { page } = watched;
    await page.goto(`${platform.url}/docs/redoc.html`);
    await page.getByRole("heading", { level: 1 }).first().waitFor();
    await page.getByRole("link", { name: "IOC", exact: true }).first().click();
    await page.getByRole("link", { name: summary }).first().click();
    await page.getByRole("heading", { name: summary }).first().waitFor();
    expect(page.url()).toMatch(`${platform.url}/docs/redoc.html#/ioc/`);
  });
});
