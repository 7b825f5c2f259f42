import { operationById } from "@security-platform/spec";
import type { Page } from "playwright-core";
import { operationLink } from "../../scripts/reference/places.ts";
import { openPage } from "./browser.ts";
import { shareBrowser, shareDemo, shareStaticHost, type SharedBrowser } from "./fixtures.ts";
import type { Platform } from "./platform.ts";
import type { TestServer } from "./static-host.ts";

/** The site on two hosts, and a browser, for the tests of a file. */
export interface ConsoleSites extends SharedBrowser {
  /** `secplat serve`. */
  readonly served: Platform;
  /** A static host. */
  readonly host: TestServer;
}

export function consoleSites(): ConsoleSites {
  const served = shareDemo(["--cors-origin", "none"]);
  const host = shareStaticHost();
  return {
    ...shareBrowser(),
    get served() {
      return served();
    },
    get host() {
      return host();
    },
  };
}

export const pageOf = (id: string): string => `/docs${operationLink(id)}.html`;

/** Opens the console of an operation. */
export async function openConsole(page: Page, origin: string, id: string): Promise<void> {
  await openPage(page, origin + pageOf(id));
  await page.getByRole("button", { name: "Try it" }).click();
  await page.locator(".console-send").waitFor();
}

/** Shows another page of the site by a link, so that the site is not loaded anew. */
async function followLink(page: Page, path: string, heading: string): Promise<void> {
  await page.evaluate((href) => {
    const link = Object.assign(document.createElement("a"), { href });
    document.body.append(link);
    link.click();
    link.remove();
  }, path);
  await page.getByRole("heading", { level: 1, name: heading }).waitFor();
}

/** Goes on to another operation; the console stays open. */
export async function nextConsole(page: Page, id: string): Promise<void> {
  await followLink(page, pageOf(id), operationById(id)?.summary ?? id);
  await page.locator(".console-send").waitFor();
}

/** Sends the request, and returns the status and the text of the response. */
export async function send(
  page: Page,
): Promise<{ readonly status: string; readonly text: string }> {
  await page.locator(".console-send").click();
  await page.locator(".console-send", { hasText: /^Send(?: anyway)?$/ }).waitFor();
  return {
    status: await page.locator(".console-status strong").innerText(),
    text: await page.locator(".console-answer").innerText(),
  };
}

/** Sends the request, and returns the sentence that says why there is no response. */
export async function failure(page: Page): Promise<string> {
  await page.locator(".console-send").click();
  return page.locator(".console-results [role=alert]").innerText();
}

export async function write(page: Page, editor: string, text: string): Promise<void> {
  await page.getByRole("textbox", { name: editor }).click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText(text);
}
