import { tmpdir } from "node:os";
import type { Page } from "playwright-core";
import { describe, expect, onTestFinished, test } from "vitest";
import { openPage } from "./support/browser.ts";
import { consoleSites, failure, openConsole, pageOf, send } from "./support/console.ts";
import { Shell } from "./support/shell.ts";
import { serveRedirect, serveStatic } from "./support/static-host.ts";

const nightly = { tags: ["nightly"] };

const sites = consoleSites();

describe("the console with a server", () => {
  const credentials = async (page: Page, secret: string): Promise<void> => {
    await page.getByLabel("Client id").fill(sites.served.clientId);
    await page.getByLabel("Client secret").fill(secret);
  };

  test("calls the server of the page, and says what is wrong with a secret", async () => {
    const { page } = await sites.openWatched();
    await openConsole(page, sites.served.url, "indicator.combined.v1");
    await page.getByLabel("This server").check();
    expect(await failure(page)).toBe("Enter the client id and the client secret of the server.");
    await credentials(page, "wrong");
    expect(await failure(page)).toContain("does not accept the client id and the client secret");
    await credentials(page, sites.served.clientSecret);
    await page.locator("#console-query-limit").fill("1");
    expect((await send(page)).status).toBe("200 OK");
  });

  test("replaces a token that is no longer valid", nightly, async () => {
    const { page } = await sites.openWatched();
    await openConsole(page, sites.served.url, "indicator.combined.v1");
    await page.getByLabel("This server").check();
    await credentials(page, sites.served.clientSecret);
    const sent = page.waitForRequest((request) => request.url().includes("/iocs/"));
    await send(page);
    const { authorization = "" } = await (await sent).allHeaders();
    await fetch(`${sites.served.url}/oauth2/revoke`, {
      method: "POST",
      body: new URLSearchParams({
        token: authorization.replace("Bearer ", ""),
        client_id: sites.served.clientId,
        client_secret: sites.served.clientSecret,
      }),
    });
    const { status, text } = await send(page);
    expect(status).toBe("200 OK");
    expect(text).toContain("The token was no longer valid, so it was replaced by a new one.");
  });

  test("offers another server only where the policy of the page allows it", nightly, async () => {
    const { page } = await sites.openWatched();
    await openConsole(page, sites.served.url, "indicator.combined.v1");
    await page.getByLabel("This server").waitFor();
    await page.getByLabel("Another server").waitFor({ state: "detached" });
    await openConsole(page, sites.host.url, "indicator.combined.v1");
    await page.getByLabel("Another server").waitFor();
    expect(await page.getByLabel("This server").count()).toBe(0);
  });

  test("takes the demo client with one click, and names the server of each response", async () => {
    const { page } = await sites.openWatched();
    await openConsole(page, sites.served.url, "indicator.combined.v1");
    await page.getByLabel("This server").check();
    await page.getByRole("button", { name: "Use the demo client" }).click();
    expect((await send(page)).text).toContain(`from ${sites.served.url}`);
    await page.getByLabel("The platform in this page").check();
    // The response is still that of the server.
    await page.locator(".console-status", { hasText: `from ${sites.served.url}` }).waitFor();
    expect((await send(page)).text).toContain("from the platform in this page");
    const history = await page.locator(".console-history li").allTextContents();
    expect(history.map((line) => line.replace(/.*, to /, ""))).toEqual([
      "the platform in this page",
      sites.served.url,
    ]);
  });

  test("shows the progress of a platform that is being loaded", nightly, async () => {
    const { page } = await sites.openWatched();
    const held = Promise.withResolvers<void>();
    onTestFinished(() => held.resolve());
    await page.route("**/*.wasm", async (route) => {
      await held.promise;
      await route.continue();
    });
    await openConsole(page, sites.host.url, "indicator.combined.v1");
    await page.locator(".console-send").click();
    const loading = page.locator(".console-actions .console-loading");
    await loading.getByText(/^Loading the platform, [\d.]+ [kM]?B.* of [\d.]+ MB/).waitFor();
    await loading.getByRole("progressbar").waitFor();
    held.resolve();
    await page.locator(".console-status", { hasText: "200 OK" }).waitFor();
    expect(await loading.count()).toBe(0);
  });

  test(
    "shows the demo's credentials in samples, and those of no other server",
    nightly,
    async () => {
      const { page } = await sites.openWatched();
      const { url, clientId, clientSecret } = sites.served;
      await openPage(page, `${url}/docs/guides/quick-start.html`);
      await page.getByText(`export CLIENT_ID=${clientId}`).waitFor();
      await page.getByText(`export CLIENT_SECRET=${clientSecret}`).waitFor();
      await page.getByText(`CLIENT_ID = "${clientId}"`).waitFor();
      await openPage(page, url + pageOf("indicator.combined.v1"));
      await page.getByText("The variables for the demo of this server").click();
      const lines = await page.locator(".demo-variables pre").innerText();
      const shell = new Shell(tmpdir());
      onTestFinished(() => shell.close());
      const curl = await page.locator(".operation-samples .language-bash.active code").innerText();
      const { printed, succeeded } = await shell.run(`${lines}\n${curl}`);
      expect(succeeded).toBe(true);
      expect(JSON.parse(printed)).toBeInstanceOf(Array);
      await openPage(page, `${sites.host.url}/docs/guides/quick-start.html`);
      await page.getByText("credentials.json").first().waitFor();
      expect(await page.locator("main").innerText()).not.toContain(clientSecret);
    },
  );

  test("says how to allow the page, and when there is no server", nightly, async () => {
    const { page } = await sites.openWatched();
    await openConsole(page, sites.host.url, "indicator.combined.v1");
    await page.getByLabel("Another server").check();
    await credentials(page, sites.served.clientSecret);
    await page.getByLabel("Base URL").fill("localhost");
    expect(await failure(page)).toContain("localhost is not a URL. Expected a base URL such as");
    await page.getByLabel("Base URL").fill(sites.served.url);
    const forbidden = await failure(page);
    expect(forbidden).toContain(
      `${sites.served.url} responds, but does not allow pages of ${sites.host.url}`,
    );
    expect(forbidden).toContain(`secplat serve --cors-origin ${sites.host.url}`);
    const closed = await serveStatic();
    await closed.stop();
    await page.getByLabel("Base URL").fill(closed.url);
    await page.getByText(`There is no response from`).waitFor({ state: "hidden" });
    await page.locator(".console-send").click();
    await page.getByText(`There is no response from ${closed.url}.`).waitFor();
  });

  test("sends a secret to no other host", nightly, async () => {
    const other = await serveStatic();
    const redirecting = await serveRedirect(other.url);
    onTestFinished(async () => {
      await other.stop();
      await redirecting.stop();
    });
    const { page } = await sites.openWatched();
    await openConsole(page, sites.host.url, "indicator.combined.v1");
    await page.getByLabel("Another server").check();
    await credentials(page, sites.served.clientSecret);
    await page.getByLabel("Base URL").fill(redirecting.url);
    expect(await failure(page)).toContain("redirects /oauth2/token to another address");
    expect(redirecting.requests).toContain("POST /oauth2/token");
    expect(other.requests).toEqual([]);
  });
});
