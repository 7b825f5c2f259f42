import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { serve } from "../src/index.ts";
import { sharedApi } from "./support/shared-api.ts";
import { sendTarget } from "./support/raw-request.ts";

const folder = mkdtempSync(join(tmpdir(), "secplat-docs-"));
const files: Readonly<Record<string, string>> = {
  "index.html": "<p>home</p>",
  "404.html": "<p>no such page</p>",
  "404.html.gz": "gzip of 404",
  "guides/errors.html": "<p>errors</p>",
  "guides/quick-start.html": "<p>quick</p>",
  "guides/quick-start.html.br": "brotli of quick",
  "guides/quick-start.html.gz": "gzip of quick",
  "reference/index.html": "<p>reference</p>",
  "assets/app.B2t0Gk3x.js": "run()",
  "assets/platform.B2t0Gk3x/worker.js": "start()",
  "assets/platform.B2t0Gk3x/sqlite3.wasm": "wasm",
  "openapi.json": "{}",
  "openapi.yaml": "openapi: 3.1.0",
  "llms.txt": "# Pages\n\n- [One](/docs/guides/one.md)\n",
  "llms.txt.gz": "gzip of pages",
  "llms-full.txt": "# One\n",
};

/** The files that a server with the site also has at its root. */
const atRoot = ["openapi.json", "openapi.yaml", "llms.txt", "llms-full.txt"];

beforeAll(() => {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(folder, name, ".."), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

const { open: start } = sharedApi(async () => "sqlite::memory:", {
  config: { docsFolder: folder, corsOrigins: ["loopback"] },
});

const { open: startWithoutDocs } = sharedApi(async () => "sqlite::memory:");

test.each(["docs", "docs/", "", ...atRoot])("without the site, there is no /%s", async (name) => {
  const { url } = await startWithoutDocs();
  for (const headers of [{}, page]) {
    const { status, body } = await sendTarget(url, `/${name}`, { headers });
    expect([status, JSON.parse(body)]).toMatchObject([404, { errors: [{ code: 404 }] }]);
    if (name.startsWith("docs")) expect(body).toContain("secplat serve does so without --no-docs");
  }
});

test.each([true, false])("errors link to the guide only with the site: %s", async (isServed) => {
  const { url } = await (isServed ? start() : startWithoutDocs());
  const refused: readonly (readonly [string, string, Record<string, string>])[] = [
    ["/iocs/queries/platforms/v1", "missing-token", {}],
    ["/nothing", "unknown-path", {}],
    ["/docs/%zz", "invalid-request", {}],
    ["/iocs/queries/platforms/v1", "headers-too-large", { "x-long": "a".repeat(100_000) }],
  ];
  for (const [path, kind, headers] of refused) {
    const { head } = await sendTarget(url, path, { headers });
    const link = /^link: (.*?)\r?$/im.exec(head)?.[1];
    expect([kind, link]).toEqual([
      kind,
      isServed ? `</docs/guides/errors.html#${kind}>; rel="help"` : undefined,
    ]);
  }
});

test("errors do not link to a guide that the site does not have", async () => {
  const other = mkdtempSync(join(tmpdir(), "secplat-docs-"));
  onTestFinished(() => rmSync(other, { recursive: true }));
  writeFileSync(join(other, "index.html"), "<p>home</p>");
  const platform = await serve({ docsFolder: other });
  onTestFinished(() => platform.close());
  const { head, status } = await sendTarget(platform.url, "/nothing", {});
  expect([status, /^link: /im.test(head)]).toEqual([404, false]);
});

test("an error that is repeated for its idempotency key has its link again", async () => {
  const api = await start();
  const indicator = { type: "domain", value: "a.example", action: "no_action", platforms: ["mac"] };
  const send = (key: string) =>
    api.request("POST", "/iocs/entities/indicators/v1", {
      body: { indicators: [{ ...indicator, applied_globally: true }] },
      headers: { "idempotency-key": key },
    });
  const created = await send("first");
  expect([created.status, created.headers.get("link")]).toEqual([201, null]);
  for (const replayed of [null, "true"]) {
    const { status, headers } = await send("second");
    expect([status, headers.get("link"), headers.get("idempotency-replayed")]).toEqual([
      409,
      '</docs/guides/errors.html#conflict>; rel="help"',
      replayed,
    ]);
  }
});

const page = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

test.each([
  ["/docs/", 200, "<p>home</p>", "text/html; charset=utf-8"],
  ["/docs/guides/quick-start", 200, "<p>quick</p>", "text/html; charset=utf-8"],
  ["/docs/guides/quick-start.html?a=b", 200, "<p>quick</p>", "text/html; charset=utf-8"],
  ["/docs/reference/", 200, "<p>reference</p>", "text/html; charset=utf-8"],
  ["/docs/openapi.json", 200, "{}", "application/json; charset=utf-8"],
  ["/docs/assets/platform.B2t0Gk3x/sqlite3.wasm", 200, "wasm", "application/wasm"],
  ["/docs/openapi.yaml", 200, "openapi: 3.1.0", "application/yaml; charset=utf-8"],
  ["/docs/guides/quik-start", 404, "<p>no such page</p>", "text/html; charset=utf-8"],
  ["/docs/guides/quick-start.html.br", 404, "<p>no such page</p>", "text/html; charset=utf-8"],
])("a browser that opens %s gets %i", async (path, status, body, type) => {
  const api = await start();
  const answer = await sendTarget(api.url, path, { headers: page });
  expect([answer.status, answer.body]).toEqual([status, body]);
  expect(answer.head.toLowerCase()).toContain(`content-type: ${type}`);
  expect(answer.head.toLowerCase()).toContain("content-security-policy:");
  const head = await sendTarget(api.url, path, { method: "HEAD", headers: page });
  expect([head.status, head.body]).toEqual([status, ""]);
  expect(head.head).toContain(`content-length: ${body.length}`);
});

test.each(atRoot)("%s at the root is that of the site, with its type and tag", async (name) => {
  const api = await start();
  const headers = { "accept-encoding": "gzip" };
  const withoutOwn = (head: string): string =>
    head.replaceAll(/^(?:x-trace-id|date): .*\r\n/gim, "");
  const [below, above] = await Promise.all(
    [`/docs/${name}`, `/${name}`].map((path) => sendTarget(api.url, path, { headers })),
  );
  expect([above?.status, above?.body]).toEqual([200, below?.body]);
  expect(withoutOwn(above?.head ?? "")).toBe(withoutOwn(below?.head ?? ""));
  const head = await sendTarget(api.url, `/${name}`, { method: "HEAD", headers });
  expect([head.status, head.body]).toEqual([200, ""]);
  expect(withoutOwn(head.head)).toBe(withoutOwn(above?.head ?? ""));
  const etag = /^etag: (.*)\r?$/m.exec(head.head)?.[1]?.trim() ?? "";
  for (const method of ["GET", "HEAD"]) {
    const known = await sendTarget(api.url, `/${name}`, {
      method,
      headers: { ...headers, "if-none-match": etag },
    });
    expect([known.status, known.body]).toEqual([304, ""]);
  }
  const other = await sendTarget(api.url, `/${name}/`, {});
  expect(other.status).toBe(404);
});

test.each(["/healthz", "/readyz"])("%s is not a file of the site", async (path) => {
  const { head, status } = await sendTarget((await start()).url, path, { headers: page });
  expect([status, /content-security-policy:.*default-src 'self'/.test(head)]).toEqual([200, false]);
});

test.each([
  ["/docs", "/docs/"],
  ["/docs?a=b", "/docs/?a=b"],
  ["/", "/docs/"],
  ["/docs/reference?a=b", "/docs/reference/?a=b"],
])("%s leads to %s", async (path, location) => {
  const api = await start();
  for (const method of ["GET", "HEAD"]) {
    const answer = await sendTarget(api.url, path, { method });
    expect(answer.status).toBe(302);
    expect(answer.head).toContain(`location: ${location}\r\n`);
    expect(answer.head).toMatch(/^x-trace-id: [\da-f-]{36}\r$/m);
  }
});

test.each([
  "/docs/a//b",
  "/docs/../x",
  "/docs/%2e%2e/x",
  "/docs/..%2f..%2fetc/passwd",
  "/docs/file:///x",
  "/docs//etc/passwd",
  "/docs/__proto__",
  `/docs/${"a".repeat(5_000)}`,
])("%s does not exist, and a script gets JSON", async (path) => {
  const api = await start();
  const answer = await sendTarget(api.url, path);
  expect(answer.status).toBe(404);
  expect(JSON.parse(answer.body)).toMatchObject({ errors: [{ code: 404 }] });
});

test.each([
  ["gzip, deflate, br", "br", "brotli of quick"],
  ["br;q=0.5, gzip", "gzip", "gzip of quick"],
  ["br;q=0, gzip;q=0", null, "<p>quick</p>"],
  ["*", "br", "brotli of quick"],
  ["deflate", null, "<p>quick</p>"],
  ["", null, "<p>quick</p>"],
])("a caller that accepts '%s' gets %s", async (accepted, encoding, body) => {
  const api = await start();
  const headers = accepted === "" ? {} : { "accept-encoding": accepted };
  const answer = await sendTarget(api.url, "/docs/guides/quick-start", { headers });
  expect(answer.body).toBe(body);
  expect(/^content-encoding: (.*)$/m.exec(answer.head)?.[1]?.trim() ?? null).toBe(encoding);
  expect(answer.head).toContain("vary: Origin, Accept-Encoding");
});

test("only the worker of the platform may compile WebAssembly", async () => {
  const api = await start();
  const policyOf = async (path: string): Promise<readonly string[]> => {
    const { head } = await sendTarget(api.url, path);
    return [...head.matchAll(/^content-security-policy: (.*?)\r?$/gim)].map(
      ([, value = ""]) => value,
    );
  };
  expect(await policyOf("/docs/assets/platform.B2t0Gk3x/worker.js")).toEqual([
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'",
  ]);
  for (const path of ["/docs/", "/docs/assets/app.B2t0Gk3x.js"]) {
    const policies = await policyOf(path);
    expect(policies).toHaveLength(1);
    expect(policies[0]).toContain("default-src 'self'");
    expect(policies[0]).not.toContain("-eval");
  }
});

test("files with a digest in their name are cached permanently, others are revalidated", async () => {
  const api = await start();
  for (const name of ["app.B2t0Gk3x.js", "platform.B2t0Gk3x/sqlite3.wasm"]) {
    const asset = await sendTarget(api.url, `/docs/assets/${name}`);
    expect(asset.head).toContain("cache-control: public, max-age=31536000, immutable");
  }
  const first = await sendTarget(api.url, "/docs/");
  expect(first.head).toContain("cache-control: no-cache");
  const etag = /^etag: (.*)\r?$/m.exec(first.head)?.[1]?.trim() ?? "";
  for (const ifNoneMatch of [etag, `"other", W/${etag}`, "*"]) {
    const again = await sendTarget(api.url, "/docs/", {
      headers: { "if-none-match": ifNoneMatch },
    });
    expect([again.status, again.body]).toEqual([304, ""]);
  }
  const changed = await sendTarget(api.url, "/docs/", { headers: { "if-none-match": '"x"' } });
  expect(changed.status).toBe(200);
});
