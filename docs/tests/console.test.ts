/** @module-tag nightly */
import { describe, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { accessibilityViolations } from "./support/accessibility.ts";
import { openPage } from "./support/browser.ts";
import {
  consoleSites,
  failure,
  nextConsole,
  openConsole,
  pageOf,
  send,
  write,
} from "./support/console.ts";

const sites = consoleSites();

const unknown = "0".repeat(64);

/** Identifiers that no record of the demo has. */
const enterUnknownIds = (page: Page, id: string): Promise<void> =>
  id === "indicator.get.v1"
    ? page.getByLabel("ids", { exact: false }).first().fill(unknown)
    : writeBody(page, JSON.stringify({ indicators: [{ id: unknown, severity: "low" }] }));

const writeBody = (page: Page, text: string): Promise<void> => write(page, "Body, JSON", text);

const indicator = (value: string): string =>
  JSON.stringify({
    indicators: [
      {
        type: "domain",
        value,
        action: "detect",
        severity: "low",
        platforms: ["linux"],
        applied_globally: true,
      },
    ],
  });

describe("the console with the platform in the page", () => {
  test.each(["a static host", "secplat serve"])(
    "creates a record, finds it on another page, and forgets it after a reset (%s)",
    async (place) => {
      const origin = place === "secplat serve" ? sites.served.url : sites.host.url;
      const watched = await sites.openWatched();
      const { page } = watched;
      await openConsole(page, origin, "indicator.create.v1");
      await writeBody(page, indicator("console.example"));
      expect((await send(page)).status).toBe("201 Created");

      await page.getByRole("link", { name: "List indicators" }).first().click();
      await page.waitForURL(/indicator\.combined\.v1/);
      await page.getByRole("textbox", { name: "filter" }).click();
      await page.keyboard.insertText("value:'console.example'");
      await page.getByText("Records for which value is 'console.example'").waitFor();
      expect((await send(page)).text).toContain('"value": "console.example"');
      await page.getByText(/^Sent since this page was loaded \(2\)/).click();
      await page.getByRole("button", { name: /POST \/iocs/ }).waitFor();

      await page.getByRole("button", { name: "Reset the records" }).click();
      await page.getByText("The records are those of the demo again.").waitFor();
      const { status, text } = await send(page);
      expect(status).toBe("200 OK");
      expect(text).not.toContain("console.example");

      expect(watched.errors).toEqual([]);
      expect(watched.requestsBeyond(origin)).toEqual([]);
      expect(
        watched.requests.filter((url) =>
          /\/iocs\/|\/oauth2\//.test(new URL(url).pathname.replace(/^\/docs\/.*/, "")),
        ),
      ).toEqual([]);
    },
  );

  test("names the errors of a body before it is sent, and their places", async () => {
    const { page } = await sites.openWatched();
    await openConsole(page, sites.host.url, "indicator.create.v1");
    await writeBody(page, '{"indicators": [{"type": "domian", "value": 3, "sverity": "low"}]}');
    const help = page.locator("#console-body-help");
    await help.getByText(/indicators\[0\]\.type: expected one of/).waitFor();
    const problems = await help.innerText();
    expect(problems).toContain('got "domian"; did you mean domain?');
    expect(problems).toContain("body.indicators[0].value: expected a text, got 3");
    expect(problems).toContain("body.indicators[0].sverity: unknown field; did you mean severity?");
    expect(await page.locator(".console-send").innerText()).toBe("Send anyway");
    await page.locator(".cm-lintRange-error").first().waitFor();
    await writeBody(page, '{"indicators": [');
    await help.getByText(/the body is not JSON/).waitFor();
    await writeBody(page, indicator("a.example"));
    await page.getByRole("button", { name: "Send", exact: true }).waitFor();
  });

  test("checks parameters while they are typed", async () => {
    const { page } = await sites.openWatched();
    await openConsole(page, sites.host.url, "indicator.combined.v1");
    const limit = page.locator("#console-query-limit");
    await limit.fill("many");
    await page.getByText('expected an integer, got "many"').waitFor();
    expect(await limit.getAttribute("aria-invalid")).toBe("true");
    await limit.fill("1");
    await page.getByText("expected an integer").waitFor({ state: "hidden" });
    const { status, text } = await send(page);
    expect(status).toBe("200 OK");
    expect(text.match(/"value":/g)).toHaveLength(1);
  });

  test("completes the members and the values of a body", async () => {
    const { page } = await sites.openWatched();
    await openConsole(page, sites.host.url, "indicator.create.v1");
    await writeBody(page, '{"indicators": [{}]}');
    for (let step = 0; step < 3; step += 1) await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Control+Space");
    await page.getByRole("option", { name: /"severity"/ }).click();
    await page.keyboard.press("Control+Space");
    await page.getByRole("option", { name: '"critical"' }).click();
    await expect
      .poll(() => page.locator(".cm-content").innerText(), { timeout: 60_000 })
      .toContain('"severity": "critical"');
  });

  test.each([
    ["its operation", pageOf("post_graphql")],
    ["its schema", "/docs/guides/identity-graphql.html"],
  ])("completes, checks and sends a GraphQL query on the page of %s", async (_place, path) => {
    const watched = await sites.openWatched();
    const { page } = watched;
    await openPage(page, sites.host.url + path);
    await page.getByRole("button", { name: "Try it" }).click();
    await write(page, "Query, GraphQL", "query ($first: Int!) { entities(first: $first) { nodes {");
    await page.keyboard.insertText(" riskScor } } }");
    const help = page.locator("#console-body-help");
    await help
      .getByText(
        /^Query: line 1, column 58: Cannot query field "riskScor" on type "Entity"\. Did you/,
      )
      .waitFor();
    expect(await page.locator(".cm-lintRange-error").innerText()).toBe("riskScor");
    await page.getByRole("button", { name: "Send anyway" }).waitFor();

    for (let step = 0; step < " } } }".length; step += 1) await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Control+Space");
    await page.getByRole("option", { name: /^riskScoreSeverity/ }).click();
    await help.getByText("Cannot query field").waitFor({ state: "hidden" });
    await write(page, "Variables, JSON", '{"first": "two"}');
    await help.getByText(/^Variables: Variable "\$first" has invalid value/).waitFor();
    await write(page, "Variables, JSON", '{"first": 2}');
    await page.getByRole("button", { name: "Send", exact: true }).waitFor();

    const { status, text } = await send(page);
    expect(status).toBe("200 OK");
    expect(text.match(/"riskScoreSeverity": "[A-Z]+"/g)).toHaveLength(2);
    expect(watched.errors).toEqual([]);
    expect(watched.requestsBeyond(sites.host.url)).toEqual([]);
  });

  test("uses existing records in place of the identifiers of the examples", async () => {
    const { page } = await sites.openWatched();
    await openConsole(page, sites.host.url, "indicator.combined.v1");
    for (const id of ["indicator.get.v1", "indicator.update.v1"]) {
      await nextConsole(page, id);
      // The identifiers of the examples exist in the demo.
      await enterUnknownIds(page, id);
      const before = await send(page);
      expect(before.status).toBe("404 Not Found");
      expect(before.text).toContain("Use the identifiers of existing records.");
      await page.getByRole("button", { name: "Use existing records" }).click();
      await page.getByText("The form has identifiers of existing records now.").waitFor();
      expect((await send(page)).status).toBe("200 OK");
    }
  });

  test("sends with Ctrl-Enter, and leaves the body as it is", async () => {
    const { page } = await sites.openWatched();
    await openConsole(page, sites.host.url, "indicator.create.v1");
    const body = indicator("keyboard.example");
    await writeBody(page, body);
    await page.keyboard.press("Control+Enter");
    await page.locator(".console-status strong", { hasText: "201 Created" }).waitFor();
    expect(await page.locator(".cm-content").innerText()).toBe(body);
  });

  test("copies the request of the form in three languages", async () => {
    const { page } = await sites.openWatched();
    await page.addInitScript(() => {
      Object.defineProperty(navigator, "clipboard", {
        value: {
          writeText: async (text: string) => void Object.assign(globalThis, { copied: text }),
        },
      });
    });
    await openConsole(page, sites.host.url, "indicator.combined.v1");
    await page.locator("#console-query-limit").fill("7");
    const copied: string[] = [];
    for (const language of ["curl", "TypeScript", "secplat"]) {
      await page.locator(".console-copies").getByRole("button", { name: language }).click();
      await page.getByText(`Copied as ${language}.`).waitFor();
      copied.push(await page.evaluate(() => (globalThis as unknown as { copied: string }).copied));
    }
    expect(copied[0]).toContain("--data-urlencode limit=7");
    expect(copied[1]).toContain("client.ioc.listIndicators({ limit: 7 })");
    expect(copied[2]).toBe("npx secplat ioc list-indicators --limit 7");
  });

  test("says what to do in a browser without workers", async () => {
    const { page } = await sites.openWatched();
    await page.addInitScript(() => {
      Reflect.deleteProperty(globalThis, "Worker");
    });
    await openConsole(page, sites.host.url, "indicator.combined.v1");
    const sentence = await failure(page);
    expect(sentence).toContain("the browser has no web workers");
    expect(sentence).toContain("npx secplat serve");
  });

  test("says what to do if a file of the platform cannot be loaded, and tries again", async () => {
    const { page } = await sites.openWatched();
    await page.route("**/sqlite3.wasm", (route) => route.abort());
    await openConsole(page, sites.host.url, "indicator.combined.v1");
    expect(await failure(page)).toContain("sqlite3.wasm could not be loaded");
    await page.unroute("**/sqlite3.wasm");
    expect((await send(page)).status).toBe("200 OK");
  });
});

test("breaks no rule of accessibility when open", async () => {
  const { page } = await sites.openWatched();
  const broken: string[] = [];
  const note = async (place: string): Promise<void> => {
    for (const each of await accessibilityViolations(page)) broken.push(`${place}: ${each}`);
  };
  await openConsole(page, sites.host.url, "indicator.create.v1");
  for (const id of [
    "indicator.combined.v1",
    "indicator.create.v1",
    "entities.files_upload.post.v1",
    "post_graphql",
  ]) {
    await nextConsole(page, id);
    await page.getByLabel("Another server").check();
    await page.getByLabel("The platform in this page").check();
    // Each word of the response is an element to examine.
    const limit = page.locator("#console-query-limit");
    if ((await limit.count()) > 0) await limit.fill("1");
    await send(page);
    for (const summary of await page.locator(".console summary").all()) await summary.click();
    await note(id);
  }
  await openPage(page, `${sites.host.url}/docs/guides/filter-playground.html`);
  await page.getByText(/^Records for which/).waitFor();
  await note("playground");
  expect(broken).toEqual([]);
});
