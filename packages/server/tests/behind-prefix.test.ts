/** A reverse proxy that serves the platform under a path, which it removes from requests. */
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request as sendRequest, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { createClient } from "../../client/src/index.ts";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { serve, type ServedPlatform, type ServeOptions } from "../src/index.ts";

const folder = mkdtempSync(join(tmpdir(), "secplat-prefix-"));
const own = "http://127.0.0.1:8080";
const files: Readonly<Record<string, string>> = {
  "index.html":
    '<script src="/docs/assets/app.B2t0Gk3x.js"></script><a href=/docs/guides/>x</a> http://127.0.0.1:8080/docs/ a/docs/b',
  "404.html": '<a href="/docs/">home</a>',
  "guides/index.html": "<p>guides</p>",
  "guides/errors.html": "errors",
  "assets/app.B2t0Gk3x.js": 'const site = JSON.parse("{\\"base\\":\\"/docs/\\"}"), x = `/docs/a`;',
  "assets/app.B2t0Gk3x.js.br": "compressed",
  "assets/style.B2t0Gk3x.css": "@font-face { src: url(/docs/assets/a.woff2) }",
  "openapi.json": JSON.stringify({ servers: [{ url: "{b}", variables: { b: { default: own } } }] }),
  "openapi.json.gz": "compressed",
  "llms.txt": "- [One](/docs/guides/one.md)",
  "llms.txt.gz": "compressed",
  "logo.svg": "/docs/",
};

beforeAll(() => {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(folder, name, ".."), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

function get(url: string, headers: Record<string, string> = {}): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const request = sendRequest(url, { headers }, (response) => {
      text(response).then(
        (body) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
        reject,
      );
    });
    request.on("error", reject).end();
  });
}

/** Removes `prefix` from requests; anything else is not found, as at another program of the host. */
async function startProxy(target: () => string, prefix: string, sends: readonly string[]) {
  const proxy = createServer((incoming, outgoing) => {
    const { url = "", method, headers } = incoming;
    if (!url.startsWith(`${prefix}/`)) {
      outgoing.writeHead(404, { "x-other": "program" }).end();
      return;
    }
    const forwarded = {
      "x-forwarded-host": headers.host,
      "x-forwarded-proto": "http",
      "x-forwarded-prefix": prefix,
    };
    const added = Object.entries(forwarded).filter(([name]) => sends.includes(name));
    const request = sendRequest(
      `${target()}${url.slice(prefix.length)}`,
      { method, headers: { ...headers, ...Object.fromEntries(added) } },
      (response) => {
        outgoing.writeHead(response.statusCode ?? 0, response.headers);
        response.pipe(outgoing);
      },
    );
    request.on("error", () => outgoing.destroy());
    incoming.pipe(request);
  }).listen(0, "127.0.0.1");
  await once(proxy, "listening");
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}

async function start(options: ServeOptions) {
  const platform = await serve({ docsFolder: folder, ...options });
  onTestFinished(() => platform.close());
  return platform;
}

const everyHeader = ["x-forwarded-host", "x-forwarded-proto", "x-forwarded-prefix"];

describe.each(["a public URL with a path", "headers of a trusted proxy"])("with %s", (how) => {
  /** The platform behind a proxy under `/a/platform-1.0`. */
  async function behindProxy() {
    const prefix = "/a/platform-1.0";
    const trusted = how.startsWith("headers");
    let target = "";
    const host = await startProxy(() => target, prefix, trusted ? everyHeader : []);
    const platform = await start(
      trusted ? { trustedProxies: ["127.0.0.0/8"] } : { publicUrl: `${host}${prefix}` },
    );
    target = platform.url;
    return { platform, prefix, host, base: `${host}${prefix}` };
  }

  test("the client lists, uploads and downloads", async () => {
    const { platform, base } = await behindProxy();
    const { clientId, clientSecret } = await platform.newCredentials();
    const client = createClient({ baseUrl: base, clientId, clientSecret });
    const indicators = Array.from({ length: 5 }, (_, at) => ({
      type: "domain" as const,
      value: `${at}.example`,
      action: "no_action" as const,
      platforms: ["linux" as const],
      applied_globally: true,
    }));
    await client.ioc.createIndicators({ body: { indicators } });
    const { response } = await client.ioc.listIndicators({ limit: 2, offset: 2 });
    const links = [...(response.headers.get("link") ?? "").matchAll(/<([^>]*)>; rel="(\w+)"/g)];
    expect(links.map(([, , relation]) => relation)).toEqual(["next", "prev", "first"]);
    const { headers } = await client.ioc.listIndicators.raw({ limit: 1 });
    expect(headers.get("link")).toContain("</a/platform-1.0/iocs/combined/indicator/v1?limit=1");
    const token = await fetch(`${base}/oauth2/token`, {
      method: "POST",
      body: new URLSearchParams({ client_id: clientId, client_secret: clientSecret }),
    }).then(async (granted) => (await granted.json()) as { access_token: string });
    for (const [, target = ""] of links) {
      const followed = await get(new URL(target, base).href, {
        authorization: `Bearer ${token.access_token}`,
      });
      expect([target, followed.status]).toEqual([target, 200]);
      expect(JSON.parse(followed.body)).toHaveLength(target.includes("offset=4") ? 1 : 2);
    }
    const { data: cases } = await client.caseManagement.createCase({
      body: { name: "Emberfall", severity: 70 },
    });
    const { data: uploaded } = await client.caseManagement.uploadFile({
      body: { case_id: cases[0]?.id ?? "", file: new Blob(["evidence"]) },
    });
    const { data: file } = await client.caseManagement.getFileLinks({
      body: { ids: [uploaded[0]?.id ?? ""] },
    });
    const link = file[0] as { link: string };
    expect(link.link).toMatch(`${base}/files/`);
    expect(await (await client.download(link)).data.text()).toBe("evidence");
  });

  test("a deprecated operation leads to its successor", async () => {
    const { platform, base, prefix } = await behindProxy();
    const { clientId, clientSecret } = await platform.newCredentials();
    const client = createClient({ baseUrl: base, clientId, clientSecret });
    const { headers } = await client.caseManagement.listNotificationGroupIds.raw();
    expect(headers.get("link")).toContain(
      `<${prefix}/casemgmt/queries/notification-groups/v2>; rel="successor-version"`,
    );
  });

  test("an error leads to the guide, also outside of operations, and a success does not", async () => {
    const { platform, base, prefix } = await behindProxy();
    const { clientId, clientSecret } = await platform.newCredentials();
    const help = (kind: string): string =>
      `<${prefix}/docs/guides/errors.html#${kind}>; rel="help"`;
    const linkOf = async (path: string, headers: Record<string, string> = {}) =>
      (await get(`${base}${path}`, headers)).headers["link"];
    const operation = "/iocs/queries/platforms/v1";
    expect(await linkOf(operation)).toBe(help("missing-token"));
    expect(await linkOf(operation, { authorization: "Bearer x" })).toBe(help("invalid-token"));
    expect(await linkOf("/iocs/queries/nothing/v1")).toBe(help("unknown-path"));
    expect(await linkOf("/docs/nothing")).toBe(help("unknown-path"));
    expect(await linkOf("/files/x")).toContain("/docs/guides/errors.html#");
    const client = createClient({ baseUrl: base, clientId, clientSecret });
    const { headers } = await client.ioc.listPlatforms.raw();
    expect(headers.get("link") ?? "").not.toContain("help");
    const token = await fetch(`${base}/oauth2/token`, {
      method: "POST",
      body: new URLSearchParams({ client_id: clientId, client_secret: clientSecret }),
    }).then(async (granted) => (await granted.json()) as { access_token: string });
    const deprecated = "/casemgmt/queries/notification-groups/v1?limit=0";
    expect(await linkOf(deprecated, { authorization: `Bearer ${token.access_token}` })).toBe(
      `${help("invalid-request")}, <${prefix}/casemgmt/queries/notification-groups/v2>; rel="successor-version"`,
    );
  });

  test("the site and the servers of the document have the path", async () => {
    const { base, host, prefix } = await behindProxy();
    const moved = await get(`${base}/docs?a=b`);
    expect([moved.status, moved.headers.location]).toEqual([302, `${prefix}/docs/?a=b`]);
    expect((await get(`${base}/`)).headers.location).toBe(`${prefix}/docs/`);
    expect((await get(`${base}/docs/guides`)).headers.location).toBe(`${prefix}/docs/guides/`);
    const page = await get(`${base}/docs/`, { "accept-encoding": "br" });
    expect(page.body).toBe(
      `<script src="${prefix}/docs/assets/app.B2t0Gk3x.js"></script><a href=${prefix}/docs/guides/>x</a> http://127.0.0.1:8080/docs/ a/docs/b`,
    );
    const [, script = ""] = /src="([^"]*)"/.exec(page.body) ?? [];
    const { status, headers, body } = await get(`${host}${script}`, { "accept-encoding": "br" });
    expect([status, headers["content-encoding"]]).toEqual([200, undefined]);
    expect(headers["content-length"]).toBe(String(Buffer.byteLength(body)));
    expect(body).toBe(
      `const site = JSON.parse("{\\"base\\":\\"${prefix}/docs/\\"}"), x = \`${prefix}/docs/a\`;`,
    );
    const style = await get(`${base}/docs/assets/style.B2t0Gk3x.css`);
    expect(style.body).toContain(`url(${prefix}/docs/assets/a.woff2)`);
    const lost = await get(`${base}/docs/nothing`, { accept: "text/html" });
    expect([lost.status, lost.body]).toEqual([404, `<a href="${prefix}/docs/">home</a>`]);
    const document = await get(`${base}/docs/openapi.json`, { "accept-encoding": "gzip" });
    expect(JSON.parse(document.body)).toEqual({
      servers: [{ url: "{b}", variables: { b: { default: base } } }],
    });
    const atRoot = await get(`${base}/openapi.json`, { "accept-encoding": "gzip" });
    expect(atRoot.body).toBe(document.body);
    const list = await get(`${base}/llms.txt`, { "accept-encoding": "gzip" });
    expect(list.body).toBe(`- [One](${prefix}/docs/guides/one.md)`);
    const { etag = "" } = document.headers;
    const known = await get(`${base}/docs/openapi.json`, { "if-none-match": etag });
    expect(known.status).toBe(304);
  });
});

test("without a prefix nothing changes, and a file for another place has another tag", async () => {
  const platform = await start({ trustedProxies: ["127.0.0.1"] });
  const [plain, prefixed] = await Promise.all(
    [{}, { "x-forwarded-prefix": "/p/" }].map((headers) =>
      get(`${platform.url}/docs/`, headers as Record<string, string>),
    ),
  );
  expect(plain?.body).toBe(files["index.html"]);
  expect(prefixed?.body).toContain('src="/p/docs/assets');
  expect(plain?.headers.etag).not.toBe(prefixed?.headers.etag);
  const document = await get(`${platform.url}/docs/openapi.json`);
  expect(document.body).toBe(files["openapi.json"]);
});

describe("a server that trusts a proxy", () => {
  let platform: ServedPlatform;
  beforeAll(async () => {
    platform = await serve({ docsFolder: folder, trustedProxies: ["127.0.0.1", "::1"] });
  });
  afterAll(() => platform?.close());

  test.each([
    "/",
    "//",
    "//evil.example",
    "/a//b",
    "/..",
    "/a/../b",
    "/a/.",
    "/./a",
    "a",
    "https://evil.example",
    "/a?b",
    "/a#b",
    "/a b",
    "/a%2f..",
    "/a%0d%0aset-cookie:x",
    "/a\\b",
    '/"onload="x',
    "/<script>",
    "/a;b",
    "/a, /b",
    "/a//",
    "/ä",
    `/${"a".repeat(300)}`,
  ])("ignores the prefix %j", async (prefix) => {
    const headers = { "x-forwarded-prefix": Buffer.from(prefix).toString("latin1") };
    const [page, moved, document] = await Promise.all(
      ["/docs/", "/docs", "/docs/openapi.json"].map((path) => get(platform.url + path, headers)),
    );
    expect(page?.body).toBe(files["index.html"]);
    expect(moved?.headers.location).toBe("/docs/");
    expect(document?.body).toBe(files["openapi.json"]);
  });
});

test.each([
  ["no proxy", undefined],
  ["another proxy", ["10.0.0.0/8", "::1", "192.0.2.7"]],
])("ignores the header if it trusts %s", async (_, trustedProxies) => {
  const platform = await start(trustedProxies === undefined ? {} : { trustedProxies });
  const moved = await get(`${platform.url}/docs`, { "x-forwarded-prefix": "/p" });
  expect(moved.headers.location).toBe("/docs/");
});

test("the public URL takes precedence over the header, with or without a slash at its end", async () => {
  const publicUrl = "https://platform.example/api/";
  const platform = await start({ publicUrl, trustedProxies: ["127.0.0.1"] });
  const headers = { "x-forwarded-prefix": "/p" };
  const moved = await get(`${platform.url}/docs`, headers);
  expect(moved.headers.location).toBe("/api/docs/");
  const document = await get(`${platform.url}/docs/openapi.json`, headers);
  expect(document.body).toContain('"default":"https://platform.example/api"');
});
