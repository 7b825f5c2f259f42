/** The documentation site as it is packaged: in an archive. */
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request as sendRequest, type IncomingHttpHeaders } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { packSite } from "../../../scripts/docs-archive.ts";
import { createLogger, serve, type ServedPlatform, type ServeOptions } from "../src/index.ts";
import { siteProblem } from "../src/http/docs-site/site.ts";
import { sendTarget } from "./support/raw-request.ts";

/** Text that does not compress well, so that it fills blocks. */
function textOf(bytes: number, seed: string): string {
  let text = "";
  while (text.length < bytes) {
    text += createHash("sha256").update(`${seed}${text.length}`).digest("base64");
  }
  return text.slice(0, bytes);
}

const files: Readonly<Record<string, string>> = {
  "index.html": "<p>home</p>",
  "404.html": "<p>no such page</p>",
  "empty.txt": "",
  "guides/index.html": `<p>guides</p>${textOf(2_000, "guides")}`,
  "guides/quick-start.html": `<a href="/docs/">quick ä</a>${textOf(200_000, "quick")}`,
  "guides/paging.html": `<p>paging</p>${textOf(200_000, "paging")}`,
  "guides/filters.html": `<p>filters</p>${textOf(200_000, "filters")}`,
  "guides/errors.html": `<p>errors</p>${textOf(3_000, "errors")}`,
  "guides/files.html": `<p>files</p>${textOf(600_000, "files")}`,
  "assets/app.B2t0Gk3x.js": `run()${textOf(3_000, "run")}`,
  "assets/platform.B2t0Gk3x/worker.js": "start()",
  "assets/platform.B2t0Gk3x/sqlite3.wasm": textOf(5_000, "wasm"),
  __proto__: "an own name",
  "card.png": textOf(5_000, "picture"),
  "assets/platform.B2t0Gk3x/template.db.gz": textOf(5_000, "database"),
  "openapi.json": JSON.stringify({ servers: [{ url: "http://127.0.0.1:8080" }] }),
};
const names = Object.keys(files);

const root = mkdtempSync(join(tmpdir(), "secplat-archive-"));
const [plain, packed] = [join(root, "plain"), join(root, "packed")];
const archive = join(packed, "site.archive");
let bytes: Buffer;

beforeAll(async () => {
  mkdirSync(packed);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(plain, name, ".."), { recursive: true });
    writeFileSync(join(plain, name), content);
  }
  bytes = await packSite(plain);
  writeFileSync(archive, bytes);
});
afterAll(() => rmSync(root, { recursive: true }));

async function start(docsFolder: string, options: ServeOptions = {}): Promise<ServedPlatform> {
  const platform = await serve({ docsFolder, ...options });
  onTestFinished(() => platform.close());
  return platform;
}

interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

const get = (
  url: string,
  headers: Readonly<Record<string, string>> = {},
  method = "GET",
): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const request = sendRequest(url, { headers, method }, (response) => {
      buffer(response).then(
        (body) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
        reject,
      );
    });
    request.on("error", reject).end();
  });

const page = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

const decoders: Readonly<Record<string, (body: Buffer) => Buffer>> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
};

describe("a packed site", () => {
  let platform: ServedPlatform;
  beforeAll(async () => {
    platform = await serve({ docsFolder: packed });
  });
  afterAll(() => platform?.close());

  test.each(["identity", "br", "gzip", "gzip, deflate, br", "br;q=0, gzip;q=0.1", "zstd", ""])(
    "a caller that accepts '%s' gets every file",
    async (accepted) => {
      const { url } = platform;
      const headers = accepted === "" ? {} : { "accept-encoding": accepted };
      for (const name of names) {
        const reply = await get(`${url}/docs/${name}`, headers);
        const { "content-encoding": encoding, "content-length": length } = reply.headers;
        expect([name, reply.status, length]).toEqual([name, 200, String(reply.body.length)]);
        const decode = decoders[encoding ?? ""] ?? ((body: Buffer) => body);
        expect(decode(reply.body).toString() === files[name], name).toBe(true);
        const isEncoded = /br|gzip/.test(accepted) && (files[name]?.length ?? 0) >= 1_024;
        expect([name, encoding !== undefined]).toEqual([
          name,
          isEncoded && !/\.(?:png|gz)$/.test(name),
        ]);
        if (encoding !== undefined) expect(accepted).toMatch(new RegExp(`\\b${encoding}\\b`));
        const head = await get(`${url}/docs/${name}`, headers, "HEAD");
        expect([head.body.length, head.headers["content-length"]]).toEqual([0, length]);
      }
    },
  );
});

test(
  "a packed site is served as the folder that it was packed from",
  { tags: ["exhaustive"] },
  async () => {
    const [ofFolder, ofArchive] = await Promise.all([start(plain), start(packed)]);
    const paths = [
      ...names,
      "",
      "guides",
      "guides?a=b",
      "guides/",
      "guides/paging",
      "guides/paging?a=b",
      "guides/pagin",
      "index",
      "site.archive",
      "a//b",
      "../x",
      "%2e%2e/site.archive",
      "..%2fsite.archive",
      "..%5csite.archive",
      "constructor",
      "toString",
      "%00",
      "index.html%00",
      "/etc/passwd",
      "a".repeat(5_000),
    ];
    for (const path of paths) {
      for (const headers of [page, {}]) {
        const [expected, found] = await Promise.all(
          [ofFolder, ofArchive].map((platform) =>
            sendTarget(platform.url, `/docs/${path}`, { headers }),
          ),
        );
        const without = (text = ""): string =>
          text
            .replaceAll(/^(?:etag|date|x-trace-id|content-length): .*\r\n/gim, "")
            .replaceAll(/"trace_id":"[^"]*"|"query_time":[\d.e-]*/g, "");
        expect(without(found?.head), path).toBe(without(expected?.head));
        expect(without(found?.body) === without(expected?.body), path).toBe(true);
        expect(found?.status).toBeLessThan(500);
      }
    }
  },
);

test(
  "many readers at once get larger files than the server keeps",
  { tags: ["exhaustive", "nightly"] },
  async () => {
    const [large, folder] = [join(root, "large"), join(root, "large-packed")];
    for (const each of [large, folder]) mkdirSync(each);
    const largeNames = Array.from({ length: 12 }, (_, at) => `${at}.html`);
    const text = textOf(1_000_000, "large");
    for (const name of largeNames) writeFileSync(join(large, name), `${name} ${text}`);
    writeFileSync(join(folder, "site.archive"), await packSite(large));
    const { url } = await start(folder);
    const replies = await Promise.all(
      largeNames.flatMap((name) =>
        ["identity", "br", "gzip"].map(async (accepted) => {
          const { status, headers, body } = await get(`${url}/docs/${name}`, {
            "accept-encoding": accepted,
          });
          const decode = decoders[headers["content-encoding"] ?? ""] ?? ((each: Buffer) => each);
          return [status, decode(body).toString() === `${name} ${text}`];
        }),
      ),
    );
    expect(replies).toEqual(replies.map(() => [200, true]));
  },
);

test("each encoding of a file has its own tag, which stays when other files change", async () => {
  const { url } = await start(packed);
  const path = "/docs/guides/quick-start.html";
  const tagOf = async (server: string, accepted: string): Promise<string> =>
    (await get(server + path, { "accept-encoding": accepted })).headers.etag ?? "";
  const tags = await Promise.all(["identity", "br", "gzip"].map((each) => tagOf(url, each)));
  expect(new Set(tags).size).toBe(3);
  for (const [at, accepted] of ["identity", "br", "gzip"].entries()) {
    const known = await get(url + path, {
      "accept-encoding": accepted,
      "if-none-match": tags[at] ?? "",
    });
    expect([known.status, known.body.length]).toEqual([304, 0]);
  }
  const changed = join(root, "changed");
  mkdirSync(join(changed, "guides"), { recursive: true });
  for (const name of ["guides/quick-start.html", "guides/paging.html"]) {
    writeFileSync(join(changed, name), files[name] + (name.includes("paging") ? "more" : ""));
  }
  const other = join(root, "other");
  mkdirSync(other);
  writeFileSync(join(other, "site.archive"), await packSite(changed));
  expect(await tagOf((await start(other)).url, "identity")).toBe(tags[0]);
});

test("a packed site follows the path of a proxy", async () => {
  const { url } = await start(packed, { trustedProxies: ["127.0.0.0/8"] });
  const headers = { "x-forwarded-prefix": "/p", "accept-encoding": "br" };
  const moved = await get(`${url}/docs/guides/quick-start.html`, headers);
  expect(moved.headers["content-encoding"]).toBeUndefined();
  expect(moved.body.toString()).toMatch(/^<a href="\/p\/docs\/">quick ä<\/a>/);
});

/** What is done to the archive, and how the log describes it. */
const damages: readonly (readonly [
  what: string,
  damage: (good: Buffer) => Buffer | null,
  logged: RegExp,
])[] = [
  ["is empty", () => Buffer.alloc(0), /not an archive/],
  ["is cut in its header", (good) => good.subarray(0, 20), /not an archive/],
  ["is cut in its index", (good) => good.subarray(0, 60), /ends after 60 bytes/],
  ["is cut in half", (good) => good.subarray(0, good.length / 2), /has \d+ bytes, expected \d+/],
  ["has more bytes", (good) => Buffer.concat([good, Buffer.from("x")]), /has \d+ bytes, expected/],
  ["is another file", () => Buffer.from(textOf(10_000, "other")), /not an archive/],
  ["starts otherwise", (good) => flipped(good, 0), /not an archive/],
  ["has a long index", (good) => flipped(good, 16), /ends after/],
  ["has a damaged index", (good) => flipped(good, 60), /checksum of the index is wrong/],
  [
    "has a damaged block",
    (good) => flipped(good, good.length - 1),
    /checksum of block \d+ is wrong/,
  ],
  ["is missing", () => null, /does not exist/],
];

function flipped(good: Buffer, at: number): Buffer {
  const copy = Buffer.from(good);
  copy[at] = (copy[at] ?? 0) ^ 0xff;
  return copy;
}

describe.each(damages)("if the archive %s", (what, damage, logged) => {
  const missing = what === "is missing";
  const tags = missing || what === "is cut in half" ? [] : ["exhaustive", "nightly"];

  async function startDamaged() {
    const folder = mkdtempSync(join(root, "damaged-"));
    const file = join(folder, "site.archive");
    const content = damage(bytes);
    if (content !== null) writeFileSync(file, content);
    const lines: string[] = [];
    const logger = createLogger("warn", { write: (line: string) => lines.push(line) });
    return { platform: await start(folder, { logger }), file, lines };
  }

  /** Files of all blocks. */
  const requestAll = (url: string): Promise<readonly Reply[]> =>
    Promise.all(names.map((name) => get(`${url}/docs/${name}`, page)));

  test("the API works, and the documentation says what to do", { tags }, async () => {
    const { platform, lines } = await startDamaged();
    const all = await requestAll(platform.url);
    const failed = all.filter(({ status }) => status !== 200);
    expect(failed.length).toBeGreaterThan(0);
    for (const { status, headers, body } of failed) {
      expect([status, headers["cache-control"]]).toEqual([503, "no-store"]);
      expect(headers).not.toHaveProperty("etag");
      expect(headers["content-type"]).toBe("text/html; charset=utf-8");
      expect(headers["content-security-policy"]).toContain("default-src 'self'");
      expect(body.toString()).toContain(missing ? "is missing" : "is damaged");
      expect(body.toString()).toContain("<code>npm install secplat</code>");
      expect(body.toString()).not.toContain(root);
    }
    for (const { status, body } of await Promise.all(
      names.map((name) => get(`${platform.url}/docs/${name}`, { accept: "*/*" })),
    )) {
      if (status === 200) continue;
      const { errors } = JSON.parse(body.toString()) as {
        errors: { code: number; message: string }[];
      };
      expect([status, errors[0]?.code]).toEqual([503, 503]);
      expect(errors[0]?.message).toContain("npm install secplat");
    }
    const guide = await get(`${platform.url}/docs/guides/errors.html`, page);
    const refused = await get(`${platform.url}/nothing`);
    expect(refused.headers.link === undefined).toBe(guide.status !== 200);
    const health = await get(`${platform.url}/healthz`);
    expect(health.status).toBe(200);
    const { clientId, clientSecret } = await platform.newCredentials();
    const token = await fetch(`${platform.url}/oauth2/token`, {
      method: "POST",
      body: new URLSearchParams({ client_id: clientId, client_secret: clientSecret }),
    });
    expect(token.status).toBe(201);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(logged);
    expect(lines[0]).toContain("install the package again");
    expect(lines[0]).toContain(JSON.stringify(root).slice(1, -1));
  });

  test("it is served again after it was replaced, without a restart", { tags }, async () => {
    const { platform, file } = await startDamaged();
    const before = await requestAll(platform.url);
    expect(before.every(({ status }) => status === 200)).toBe(false);
    writeFileSync(file, bytes);
    await requestAll(platform.url);
    const after = await requestAll(platform.url);
    expect(after.map(({ status }) => status)).toEqual(names.map(() => 200));
    expect((await get(`${platform.url}/nothing`)).headers.link).toContain("/docs/guides/errors");
  });

  test("a check of the site finds it, also in a part that nobody has requested", async () => {
    const folder = mkdtempSync(join(root, "checked-"));
    const content = damage(bytes);
    if (content !== null) writeFileSync(join(folder, "site.archive"), content);
    expect(await siteProblem(folder)).toMatchObject({
      message: expect.stringMatching(logged),
      missing,
    });
  });
});

test("a check of a complete site finds nothing", async () => {
  expect([await siteProblem(packed), await siteProblem(plain)]).toEqual([null, null]);
});

test("a folder without site, and a missing folder, are a site that is missing", async () => {
  const empty = mkdtempSync(join(root, "empty-"));
  for (const folder of [empty, join(empty, "nothing"), join(plain, "index.html")]) {
    const { url } = await start(folder, { logger: createLogger("silent") });
    const reply = await get(`${url}/docs/`, page);
    expect([folder, reply.status]).toEqual([folder, 503]);
    expect(reply.body.toString()).toContain("is missing");
  }
});

test("the archive holds each file once, compressed", () => {
  const text = names.reduce((sum, name) => sum + (files[name]?.length ?? 0), 0);
  // The texts are of 64 characters, which take six bits.
  expect(readFileSync(archive).length).toBeLessThan(text * 0.8);
});
