import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { operationById } from "@security-platform/spec";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { operationLink } from "../scripts/reference/places.ts";
import { accessibilityViolations } from "./support/accessibility.ts";
import { openBrowser, openPage, WatchedPage } from "./support/browser.ts";
import { servePlatform, type Platform } from "./support/platform.ts";
import { serveRedirect, serveStatic, type TestServer } from "./support/static-host.ts";
import { demoFolder } from "../../packages/cli/src/testing/prepared-folder.ts";

const pageOf = (id: string): string => `/docs${operationLink(id)}.html`;

const folder = mkdtempSync(join(tmpdir(), "secplat-console-"));
let browser: Browser;
let served: Platform;
let host: TestServer;

beforeAll(async () => {
  await demoFolder(folder);
  [served, browser, host] = await Promise.all([
    servePlatform(folder, ["--cors-origin", "none"]),
    openBrowser(),
    serveStatic(),
  ]);
});

afterAll(async () => {
  await browser?.close();
  await served?.stop();
  await host?.stop();
  rmSync(folder, { recursive: true });
});

async function openWatched(): Promise<WatchedPage> {
  const watched = await WatchedPage.open(browser);
  onTestFinished(() => watched.page.close());
  return watched;
}

/** Opens the console of an operation. */
async function openConsole(page: Page, origin: string, id: string): Promise<void> {
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
async function nextConsole(page: Page, id: string): Promise<void> {
  await followLink(page, pageOf(id), operationById(id)?.summary ?? id);
  await page.locator(".console-send").waitFor();
}

/** Sends the request, and returns the status and the text of the response. */
async function send(page: Page): Promise<{ readonly status: string; readonly text: string }> {
  await page.locator(".console-send").click();
  await page.locator(".console-send", { hasText: /^Send(?: anyway)?$/ }).waitFor();
  return {
    status: await page.locator(".console-status strong").innerText(),
    text: await page.locator(".console-answer").innerText(),
  };
}

/** Sends the request, and returns the sentence that says why there is no response. */
async function failure(page: Page): Promise<string> {
  await page.locator(".console-send").click();
  return page.locator(".console-results [role=alert]").innerText();
}

async function write(page: Page, editor: string, text: string): Promise<void> {
  await page.getByRole("textbox", { name: editor }).click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText(text);
}

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
      const origin = place === "secplat serve" ? served.url : host.url;
      const watched = await openWatched();
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
    const { page } = await openWatched();
    await openConsole(page, host.url, "indicator.create.v1");
    await writeBody(page, '{"indicators": [{"type": "domian", "value": 3, "sverity": "low"}]}');
    const help = page.locator("#console-body-help");
    await help.getByText(/indicators\[0\]\.type: expected one of/).waitFor();
    const problems = await help.innerText();
    expect(problems).toContain('got "domian". Did you mean domain?');
    expect(problems).toContain("indicators[0].value: expected a text, got 3");
    expect(problems).toContain(
      "indicators[0].sverity: there is no such member. Did you mean severity?",
    );
    expect(await page.locator(".console-send").innerText()).toBe("Send anyway");
    await page.locator(".cm-lintRange-error").first().waitFor();
    await writeBody(page, '{"indicators": [');
    await help.getByText(/the body is not JSON/).waitFor();
    await writeBody(page, indicator("a.example"));
    await page.getByRole("button", { name: "Send", exact: true }).waitFor();
  });

  test("checks parameters while they are typed", async () => {
    const { page } = await openWatched();
    await openConsole(page, host.url, "indicator.combined.v1");
    const limit = page.locator("#console-query-limit");
    await limit.fill("many");
    await page.getByText('expected a whole number, got "many"').waitFor();
    expect(await limit.getAttribute("aria-invalid")).toBe("true");
    await limit.fill("1");
    await page.getByText("expected a whole number").waitFor({ state: "hidden" });
    const { status, text } = await send(page);
    expect(status).toBe("200 OK");
    expect(text.match(/"value":/g)).toHaveLength(1);
  });

  test("completes the members and the values of a body", async () => {
    const { page } = await openWatched();
    await openConsole(page, host.url, "indicator.create.v1");
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
    const watched = await openWatched();
    const { page } = watched;
    await openPage(page, host.url + path);
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
    expect(watched.requestsBeyond(host.url)).toEqual([]);
  });

  test("uses existing records in place of the identifiers of the examples", async () => {
    const { page } = await openWatched();
    await openConsole(page, host.url, "indicator.combined.v1");
    for (const id of ["indicator.get.v1", "indicator.update.v1"]) {
      await nextConsole(page, id);
      const before = await send(page);
      expect(before.status).toBe("404 Not Found");
      expect(before.text).toContain("Use the identifiers of existing records.");
      await page.getByRole("button", { name: "Use existing records" }).click();
      await page.getByText("The form has identifiers of existing records now.").waitFor();
      expect((await send(page)).status).toBe("200 OK");
    }
  });

  test("sends with Ctrl-Enter, and leaves the body as it is", async () => {
    const { page } = await openWatched();
    await openConsole(page, host.url, "indicator.create.v1");
    const body = indicator("keyboard.example");
    await writeBody(page, body);
    await page.keyboard.press("Control+Enter");
    await page.locator(".console-status strong", { hasText: "201 Created" }).waitFor();
    expect(await page.locator(".cm-content").innerText()).toBe(body);
  });

  test("copies the request of the form in three languages", async () => {
    const { page } = await openWatched();
    await page.addInitScript(() => {
      Object.defineProperty(navigator, "clipboard", {
        value: {
          writeText: async (text: string) => void Object.assign(globalThis, { copied: text }),
        },
      });
    });
    await openConsole(page, host.url, "indicator.combined.v1");
    await page.locator("#console-query-limit").fill("7");
    const copied: string[] = [];
    for (const language of ["curl", "TypeScript", "secplat"]) {
      await page.locator(".console-copies").getByRole("button", { name: language }).click();
      await page.getByText(`Copied as ${language}.`).waitFor();
      copied.push(await page.evaluate(() => (globalThis as unknown as { copied: string }).copied));
    }
    expect(copied[0]).toContain("--data-urlencode limit=7");
    expect(copied[1]).toContain("client.ioc.listIndicators({ limit: 7 })");
    expect(copied[2]).toBe("secplat ioc list-indicators --limit 7");
  });

  test("says what to do in a browser without workers", async () => {
    const { page } = await openWatched();
    await page.addInitScript(() => {
      Reflect.deleteProperty(globalThis, "Worker");
    });
    await openConsole(page, host.url, "indicator.combined.v1");
    const sentence = await failure(page);
    expect(sentence).toContain("the browser has no web workers");
    expect(sentence).toContain("npx secplat serve");
  });

  test("says what to do if a file of the platform cannot be loaded, and tries again", async () => {
    const page = await browser.newPage();
    onTestFinished(() => page.close());
    await page.route("**/sqlite3.wasm", (route) => route.abort());
    await openConsole(page, host.url, "indicator.combined.v1");
    expect(await failure(page)).toContain("sqlite3.wasm could not be loaded");
    await page.unroute("**/sqlite3.wasm");
    expect((await send(page)).status).toBe("200 OK");
  });
});

describe("the console with a server", () => {
  const credentials = async (page: Page, secret: string): Promise<void> => {
    await page.getByLabel("Client id").fill(served.clientId);
    await page.getByLabel("Client secret").fill(secret);
  };

  test("calls the server of the page, and says what is wrong with a secret", async () => {
    const page = await browser.newPage();
    onTestFinished(() => page.close());
    await openConsole(page, served.url, "indicator.combined.v1");
    await page.getByLabel("This server").check();
    expect(await failure(page)).toBe("Enter the client id and the client secret of the server.");
    await credentials(page, "wrong");
    expect(await failure(page)).toContain("does not accept the client id and the client secret");
    await credentials(page, served.clientSecret);
    await page.locator("#console-query-limit").fill("1");
    expect((await send(page)).status).toBe("200 OK");
  });

  test("replaces a token that is no longer valid", async () => {
    const page = await browser.newPage();
    onTestFinished(() => page.close());
    await openConsole(page, served.url, "indicator.combined.v1");
    await page.getByLabel("This server").check();
    await credentials(page, served.clientSecret);
    const sent = page.waitForRequest((request) => request.url().includes("/iocs/"));
    await send(page);
    const { authorization = "" } = await (await sent).allHeaders();
    await fetch(`${served.url}/oauth2/revoke`, {
      method: "POST",
      body: new URLSearchParams({
        token: authorization.replace("Bearer ", ""),
        client_id: served.clientId,
        client_secret: served.clientSecret,
      }),
    });
    const { status, text } = await send(page);
    expect(status).toBe("200 OK");
    expect(text).toContain("The token was no longer valid, so it was replaced by a new one.");
  });

  test("says that the page's policy allows no other server", async () => {
    const page = await browser.newPage();
    onTestFinished(() => page.close());
    await openConsole(page, served.url, "indicator.combined.v1");
    await page.getByLabel("Another server").check();
    await page.getByLabel("Base URL").fill(host.url);
    await credentials(page, served.clientSecret);
    expect(await failure(page)).toContain(
      `The policy of this page allows requests to ${served.url} only`,
    );
  });

  test("says how to allow the page, and when there is no server", async () => {
    const page = await browser.newPage();
    onTestFinished(() => page.close());
    await openConsole(page, host.url, "indicator.combined.v1");
    await page.getByLabel("Another server").check();
    await credentials(page, served.clientSecret);
    await page.getByLabel("Base URL").fill("localhost");
    expect(await failure(page)).toContain("localhost is not a URL. Expected a base URL such as");
    await page.getByLabel("Base URL").fill(served.url);
    const forbidden = await failure(page);
    expect(forbidden).toContain(`${served.url} responds, but does not allow pages of ${host.url}`);
    expect(forbidden).toContain(`secplat serve --cors-origin ${host.url}`);
    const closed = await serveStatic();
    await closed.stop();
    await page.getByLabel("Base URL").fill(closed.url);
    await page.getByText(`There is no response from`).waitFor({ state: "hidden" });
    await page.locator(".console-send").click();
    await page.getByText(`There is no response from ${closed.url}.`).waitFor();
  });

  test("sends a secret to no other host", async () => {
    const other = await serveStatic();
    const redirecting = await serveRedirect(other.url);
    const page = await browser.newPage();
    onTestFinished(async () => {
      await page.close();
      await other.stop();
      await redirecting.stop();
    });
    await openConsole(page, host.url, "indicator.combined.v1");
    await page.getByLabel("Another server").check();
    await credentials(page, served.clientSecret);
    await page.getByLabel("Base URL").fill(redirecting.url);
    expect(await failure(page)).toContain("redirects /oauth2/token to another address");
    expect(redirecting.requests).toContain("POST /oauth2/token");
    expect(other.requests).toEqual([]);
  });
});

test("breaks no rule of accessibility when open", async () => {
  const { page } = await openWatched();
  const broken: string[] = [];
  const note = async (place: string): Promise<void> => {
    for (const each of await accessibilityViolations(page)) broken.push(`${place}: ${each}`);
  };
  await openConsole(page, host.url, "indicator.create.v1");
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
  await openPage(page, `${host.url}/docs/guides/filter-playground.html`);
  await page.getByText(/^Records for which/).waitFor();
  await note("playground");
  expect(broken).toEqual([]);
});
