import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sendTarget } from "./support/raw-request.ts";
import { sharedApi } from "./support/shared-api.ts";

const folder = mkdtempSync(join(tmpdir(), "secplat-demo-client-"));
beforeAll(() => {
  writeFileSync(join(folder, "index.html"), "<p>home</p>");
  writeFileSync(join(folder, "openapi.json"), '{"openapi":"3.1.0"}');
  writeFileSync(join(folder, "llms.txt"), "# Pages\n");
});
afterAll(() => rmSync(folder, { recursive: true }));

const demoClient = { id: "the-id", secret: "the-secret" };
const path = "/docs/demo-client";

interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a page of the server itself sends. `PORT` stands for the port of the server. */
const own = {
  host: "127.0.0.1:PORT",
  origin: "http://127.0.0.1:PORT",
  "sec-fetch-site": "same-origin",
  "content-length": "0",
};

async function ask(url: string, { method = "POST", headers = {} }: Sent = {}) {
  const { port } = new URL(url);
  const filled = Object.fromEntries(
    Object.entries({ ...own, ...headers })
      .filter(([, value]) => value !== "")
      .map(([name, value]) => [name, value.replaceAll("PORT", port)]),
  );
  const answer = await sendTarget(url, path, { method, headers: filled });
  expect(answer.head).not.toContain("the-secret");
  return answer;
}

describe("a server with the demo", () => {
  const { open } = sharedApi(async () => "sqlite::memory:", {
    config: { docsFolder: folder, demoClient, corsOrigins: ["loopback"], host: "0.0.0.0" },
  });
  const urlOf = async (): Promise<string> => `http://127.0.0.1:${new URL((await open()).url).port}`;

  test.each([
    [{}],
    [{ "sec-fetch-site": "" }],
    [{ host: "localhost:PORT", origin: "http://localhost:PORT" }],
    [{ host: "[::1]:PORT", origin: "http://[::1]:PORT" }],
  ])("gives the credentials to its own page, with %j", async (headers) => {
    const answer = await ask(await urlOf(), { headers });
    expect(answer.status).toBe(200);
    expect(answer.head).toContain("cache-control: no-store");
    expect(JSON.parse(answer.body)).toEqual({
      client_id: "the-id",
      client_secret: "the-secret",
    });
  });

  test.each<[string, Sent]>([
    [
      "a name that was rebound",
      { headers: { host: "evil.example", origin: "http://evil.example" } },
    ],
    [
      "a name that was rebound, with the port",
      { headers: { host: "evil.example:PORT", origin: "http://evil.example:PORT" } },
    ],
    [
      "a name below localhost",
      { headers: { host: "x.localhost:PORT", origin: "http://x.localhost:PORT" } },
    ],
    [
      "a name that starts like its own",
      {
        headers: {
          host: "127.0.0.1.evil.example:PORT",
          origin: "http://127.0.0.1.evil.example:PORT",
        },
      },
    ],
    [
      "another loopback address",
      { headers: { host: "127.0.0.2:PORT", origin: "http://127.0.0.2:PORT" } },
    ],
    ["another host than the origin", { headers: { host: "localhost:PORT" } }],
    ["another port", { headers: { host: "127.0.0.1:1", origin: "http://127.0.0.1:1" } }],
    ["no port", { headers: { host: "127.0.0.1", origin: "http://127.0.0.1" } }],
    ["another origin", { headers: { origin: "http://evil.example" } }],
    ["another port of this machine", { headers: { origin: "http://127.0.0.1:1" } }],
    ["another scheme", { headers: { origin: "https://127.0.0.1:PORT" } }],
    ["a page without an origin", { headers: { origin: "null" } }],
    ["no origin", { headers: { origin: "" } }],
    ["another site", { headers: { "sec-fetch-site": "cross-site" } }],
    ["the same site", { headers: { "sec-fetch-site": "same-site" } }],
    ["an address bar", { headers: { "sec-fetch-site": "none" } }],
    ["a proxy", { headers: { "x-forwarded-for": "192.0.2.7" } }],
    ["a proxy that sends the host", { headers: { "x-forwarded-host": "127.0.0.1:PORT" } }],
    ["a proxy that sends the scheme", { headers: { "x-forwarded-proto": "http" } }],
    ["a proxy by RFC 7239", { headers: { forwarded: "for=127.0.0.1" } }],
    ["a proxy that names itself", { headers: { via: "1.1 proxy" } }],
    ["a proxy that sends the address", { headers: { "x-real-ip": "127.0.0.1" } }],
    ["a link", { method: "GET" }],
    ["a preflight", { method: "HEAD" }],
  ])("gives nothing to %s", async (_, sent) => {
    const answer = await ask(await urlOf(), sent);
    expect(answer.status).toBe(sent.method === undefined ? 204 : 404);
    expect(answer.body).not.toContain("the-");
  });

  test("gives nothing to another machine", async () => {
    const api = await open();
    const { port } = new URL(api.url);
    const addresses = Object.values(networkInterfaces())
      .flat()
      .filter((each) => each !== undefined && each.family === "IPv4" && !each.internal);
    // The callers' own address is that of the network, as on another machine.
    for (const each of addresses) {
      const answer = await ask(`http://${each?.address}:${port}`);
      expect([answer.status, answer.body]).toEqual([204, ""]);
    }
  });

  test.each([
    ["/openapi.json", '{"openapi":"3.1.0"}', "application/json; charset=utf-8"],
    ["/llms.txt", "# Pages\n", "text/plain; charset=utf-8"],
  ])("has %s at its root", async (at, body, type) => {
    const answer = await sendTarget(await urlOf(), at);
    expect([answer.status, answer.body]).toEqual([200, body]);
    expect(answer.head).toContain(`content-type: ${type}`);
    expect((await sendTarget(await urlOf(), "/openapi.yaml")).status).toBe(404);
  });
});

describe.each([
  ["without the demo", {}],
  ["with a public URL", { demoClient, publicUrl: "http://127.0.0.1" }],
  ["with trusted proxies", { demoClient, trustedProxies: ["127.0.0.1"] }],
])("a server %s", (_, config) => {
  const { open } = sharedApi(async () => "sqlite::memory:", {
    config: { docsFolder: folder, ...config },
  });

  test("gives nothing to its own page", async () => {
    const answer = await ask((await open()).url);
    expect([answer.status, answer.body]).toEqual([204, ""]);
  });
});
