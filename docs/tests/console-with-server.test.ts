import type { Page } from "playwright-core";
import { describe, expect, onTestFinished, test } from "vitest";
import { consoleSites, failure, openConsole, send } from "./support/console.ts";
import { serveRedirect, serveStatic } from "./support/static-host.ts";

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

  test("replaces a token that is no longer valid", async () => {
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

  test("says that the page's policy allows no other server", async () => {
    const { page } = await sites.openWatched();
    await openConsole(page, sites.served.url, "indicator.combined.v1");
    await page.getByLabel("Another server").check();
    await page.getByLabel("Base URL").fill(sites.host.url);
    await credentials(page, sites.served.clientSecret);
    expect(await failure(page)).toContain(
      `The policy of this page allows requests to ${sites.served.url} only`,
    );
  });

  test("says how to allow the page, and when there is no server", async () => {
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

  test("sends a secret to no other host", async () => {
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
