/** @module-tag nightly */
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { openPage } from "./support/browser.ts";
import { shareBrowser, shareStaticHost } from "./support/fixtures.ts";

const host = shareStaticHost();
const { openWatched } = shareBrowser();

describe("the filter playground", () => {
  const playground = "/docs/guides/filter-playground.html";

  const writeFilter = async (page: Page, filter: string): Promise<void> => {
    await page.getByRole("textbox", { name: "Filter" }).click();
    await page.keyboard.press("ControlOrMeta+a");
    if (filter === "") await page.keyboard.press("Backspace");
    else await page.keyboard.insertText(filter);
  };

  test("explains a filter, counts what it matches, and writes it as code", async () => {
    const watched = await openWatched();
    const { page } = watched;
    await openPage(page, host().url + playground);
    await page.getByRole("textbox", { name: "Filter" }).waitFor();
    await writeFilter(page, "type : 'domain'+(severity:'high',modified_on:>'now-7d')");
    await page
      .getByText(
        "Records for which type is 'domain' and (severity is 'high' or modified_on is after 7 days before now).",
      )
      .waitFor();
    await page
      .getByText("type:'domain'+(severity:'high',modified_on:>'now-7d')", { exact: true })
      .first()
      .waitFor();
    const code = await page.getByRole("region", { name: "TypeScript" }).innerText();
    expect(code).toContain("const f = filters.indicators;");
    expect(code).toContain('f.where("modified_on").greaterThan("now-7d"),');

    await writeFilter(page, "");
    await page.getByRole("button", { name: "Count in the demo" }).click();
    const matches = page.getByText(/records of the demo match\./);
    await matches.waitFor();
    const all = Number.parseInt(await matches.innerText(), 10);
    // Once the platform runs, it counts by itself.
    await writeFilter(page, "type:'domain'");
    await page.getByText("Records for which type is 'domain'.").waitFor();
    await matches.waitFor();
    const domains = Number.parseInt(await matches.innerText(), 10);
    expect(domains).toBeGreaterThan(0);
    expect(domains).toBeLessThan(all);
    await writeFilter(page, "type:!'domain'");
    await page.getByText(`${all - domains} records of the demo match.`).waitFor();

    expect(watched.errors).toEqual([]);
    expect(watched.requestsBeyond(host().url)).toEqual([]);
  });

  test("shows errors at their place, and the fields of another operation", async () => {
    const { page } = await openWatched();
    await openPage(page, host().url + playground);
    await page.getByRole("textbox", { name: "Filter" }).waitFor();
    await writeFilter(page, "typ:'domain'");
    const issue = page.locator(".playground-issue");
    await issue.getByText("Offset 0: unknown field 'typ'. Did you mean type?").waitFor();
    expect(await issue.locator("pre").innerText()).toBe("typ:'domain'\n^");
    expect(await page.locator(".cm-lintRange-error").first().innerText()).toBe("typ");
    await page.getByLabel("Fields of").selectOption({ label: "List identifiers of users" });
    // The fields of the other operation are loaded now; none of them is similar.
    await issue.getByText("Did you mean type?").waitFor({ state: "hidden" });
    await issue.getByText(/unknown field 'typ'/).waitFor();
    await writeFilter(page, "");
    // A list that opens while the fields are loaded is closed again.
    await expect
      .poll(async () => {
        await page.keyboard.press("Control+Space");
        return page.getByRole("option", { name: /^first_name/ }).count();
      })
      .toBeGreaterThan(0);
  });

  test("opens a shared filter, and is in the guide to filters", async () => {
    const { page } = await openWatched();
    const shared = new URLSearchParams({
      operation: "indicator.combined.v1",
      filter: "severity:'low'",
    });
    await openPage(page, `${host().url}${playground}#${shared.toString()}`);
    await page.getByText("Records for which severity is 'low'.").waitFor();
    await writeFilter(page, "value:*'a+b*'");
    await expect
      .poll(() => new URLSearchParams(new URL(page.url()).hash.slice(1)).get("filter"), {
        timeout: 60_000,
      })
      .toBe("value:*'a+b*'");
    await openPage(page, `${host().url}/docs/guides/filters.html`);
    await page.getByRole("button", { name: "Try a filter" }).click();
    await page.getByText(/^Records for which/).waitFor();
  });
});
