import { createHash, randomBytes } from "node:crypto";
import { request as httpRequest } from "node:http";
import { readFileSync } from "node:fs";
import { describe, expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import type { DiskBlobs } from "../src/blobs/blob-store.ts";
import { BlobStoreError } from "../src/blobs/errors.ts";
import { linkSeconds } from "../src/blobs/links.ts";
import { openBlobs, ownBlobs } from "../src/blobs/open-blobs.ts";
import { startTestApi } from "./support/api.ts";
import { downloadsSuite, openSession } from "./support/downloads.ts";
import { sha256 } from "./support/sha256.ts";
import { withPostgresAtNight } from "./support/engines.ts";
import { ManualClock } from "./support/manual-clock.ts";
import { S3Server } from "./support/s3-server.ts";
import type { ErrorBody } from "./support/session.ts";

const content = randomBytes(100_000);
const file = { file: "tool.bin", content };

interface PathItem {
  readonly get: { readonly responses: Readonly<Record<string, object>> };
  readonly head: { readonly responses: Readonly<Record<string, object>> };
}
const document = parse(
  readFileSync(new URL("../../../spec/files.yaml", import.meta.url), "utf8"),
) as { readonly paths: Readonly<Record<string, PathItem>> };

const bytesOf = async (response: Response): Promise<Buffer> =>
  Buffer.from(await response.arrayBuffer());

async function refusal(response: Response): Promise<readonly [number, string | undefined]> {
  const { errors } = (await response.json()) as ErrorBody;
  return [response.status, errors[0]?.message];
}

const invalid = [403, "this is not a valid URL of a file; use it unchanged"];

withPostgresAtNight((engine) => {
  const suite = downloadsSuite(engine);

  describe("a pre-signed URL", () => {
    test("returns the file without a token", async () => {
      const { have, address } = await suite.open();
      await have(file);
      const response = await fetch(await address());
      expect(response.status).toBe(200);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        "content-type": "application/octet-stream",
        "content-length": String(content.length),
        "content-disposition": 'attachment; filename="tool.bin"',
        "accept-ranges": "bytes",
        etag: `"${sha256(content)}"`,
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
        "content-security-policy": "default-src 'none'; sandbox",
        "x-trace-id": expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      });
      expect(await bytesOf(response)).toEqual(content);
    });

    test("returns the headers of a GET for HEAD", async () => {
      const { have, address } = await suite.open();
      await have(file);
      const url = await address();
      const [head, get] = [await fetch(url, { method: "HEAD" }), await fetch(url)];
      await get.arrayBuffer();
      expect(head.status).toBe(200);
      const stable = ({ headers }: Response) =>
        Object.fromEntries(
          [...headers].filter(
            ([name]) => !["x-trace-id", "date", "keep-alive", "connection"].includes(name),
          ),
        );
      expect(stable(head)).toEqual(stable(get));
    });

    test("returns no copy to a caller that has the file", async () => {
      const { have, address } = await suite.open();
      await have(file);
      const url = await address();
      const etag = `"${sha256(content)}"`;
      for (const method of ["GET", "HEAD"]) {
        const ask = (condition: string) =>
          fetch(url, { method, headers: { "if-none-match": condition, range: "bytes=0-1" } });
        for (const condition of [etag, `"x", W/${etag}`, "*"]) {
          const known = await ask(condition);
          expect([known.status, known.headers.get("etag")]).toEqual([304, etag]);
          expect((await bytesOf(known)).length).toBe(0);
        }
        const other = await ask('"x"');
        expect(other.status).toBe(method === "HEAD" ? 200 : 206);
        await other.arrayBuffer();
      }
    });

    test("returns parts, so that an interrupted download can continue", async () => {
      const { have, address } = await suite.open();
      await have(file);
      const url = await address();
      const ask = (headers: Record<string, string>) => fetch(url, { headers });
      const first = await ask({ range: "bytes=0-39999" });
      expect([first.status, first.headers.get("content-range")]).toEqual([
        206,
        "bytes 0-39999/100000",
      ]);
      const rest = await ask({
        range: "bytes=40000-",
        "if-range": first.headers.get("etag") ?? "",
      });
      expect(rest.status).toBe(206);
      expect(Buffer.concat([await bytesOf(first), await bytesOf(rest)])).toEqual(content);
      const other = await ask({ range: "bytes=40000-", "if-range": '"another"' });
      expect([other.status, (await bytesOf(other)).length]).toEqual([200, content.length]);
      const beyond = await ask({ range: "bytes=100000-" });
      expect([beyond.status, beyond.headers.get("content-range")]).toEqual([416, "bytes */100000"]);
      expect(await refusal(beyond)).toEqual([416, expect.stringContaining("100000 bytes")]);
    });

    test("is valid for exactly 15 minutes", async () => {
      const { have, list, api } = await suite.open();
      await have(file);
      const [found] = await list();
      const { download_url: url = "", expires_at = "" } = found?.download_info ?? {};
      const left = Date.parse(expires_at) - api.clock.now().getTime();
      expect(left).toBeGreaterThan((linkSeconds - 1) * 1_000);
      expect(left).toBeLessThanOrEqual(linkSeconds * 1_000);
      api.clock.advance(left - 1);
      const last = await fetch(url);
      expect(last.status).toBe(200);
      await last.arrayBuffer();
      api.clock.advance(1);
      expect(await refusal(await fetch(url))).toEqual([
        403,
        "this URL has expired; request a new one",
      ]);
    });

    test("is rejected if any part of it is changed", async () => {
      const { have, list, api } = await suite.open();
      const other = await suite.open();
      await have(file, { file: "second", content: "second" });
      const [second, tool] = await list();
      const url = new URL(tool?.download_info.download_url ?? "");
      const changed = (change: (address: URL) => void): string => {
        const copy = new URL(url);
        change(copy);
        return copy.href;
      };
      const set = (name: string, value: string) =>
        changed(({ searchParams }) => searchParams.set(name, value));
      const signature = url.searchParams.get("signature") ?? "";
      const forged = createHash("sha256").update(url.pathname).digest("base64url");
      const addresses = [
        set("cid", other.tenant.cid),
        set("cid", ""),
        set("expires", String(Number(url.searchParams.get("expires")) + 1)),
        set("expires", `0${url.searchParams.get("expires")}`),
        set("expires", "1e15"),
        set("name", "else"),
        set("signature", ""),
        set("signature", forged),
        set("signature", `${signature}=`),
        set("signature", signature.toUpperCase()),
        changed(({ searchParams }) => searchParams.delete("signature")),
        changed(({ searchParams }) => searchParams.append("more", "1")),
        changed(({ searchParams }) => searchParams.append("cid", other.tenant.cid)),
        changed((copy) => (copy.pathname = `/files/${second?.file_hash}`)),
        changed((copy) => (copy.pathname = `/files/${"0".repeat(64)}`)),
        changed((copy) => (copy.pathname = "/files/..%2f..%2fetc%2fpasswd")),
        `${api.url}/files/${tool?.file_hash}`,
      ];
      for (const address of addresses) {
        expect(await refusal(await fetch(address)), address).toEqual(invalid);
      }
    });

    test("of a deleted file causes a 404", async () => {
      const { have, address, api } = await suite.open();
      const own = randomBytes(10);
      await have({ file: "gone", content: own });
      const url = await address();
      await api.blobs.delete(sha256(own));
      expect(await refusal(await fetch(url))).toEqual([404, "the file no longer exists"]);
    });

    test("preserves a name with special characters", async () => {
      const { have, address } = await suite.open();
      await have({ file: "x", content: "x", file_name: 'Größe "1"&+%.txt' });
      const response = await fetch(await address());
      expect(await response.text()).toBe("x");
      expect(response.headers.get("content-disposition")).toBe(
        "attachment; filename=\"Gr__e _1_&+_.txt\"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%221%22%26%2B%25.txt",
      );
    });

    test("supports no other methods", async () => {
      const { have, address } = await suite.open();
      await have(file);
      const response = await fetch(await address(), { method: "PUT", body: "x" });
      expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
      expect(await refusal(response)).toEqual([405, "PUT is not allowed here; use GET or HEAD"]);
    });

    test("uses the host by which the caller reaches the server, or the configured one", async () => {
      const { have, request, api } = await suite.open();
      await have(file);
      const asked = await new Promise<string>((resolve, reject) => {
        const { port } = new URL(api.url);
        const headers = { host: "platform.example:8443", authorization: "Bearer x" };
        httpRequest({ port, path: "/csdownloads/combined/files-download/v2", headers })
          .on("response", (response) => resolve(String(response.statusCode)))
          .on("error", reject)
          .end();
      });
      expect(asked).toBe("401");
      const answer = await request("GET", "/csdownloads/combined/files-download/v2");
      expect(answer.text).toContain(`"download_url":"${api.url}/files/`);
      const behind = await openSession(
        await startTestApi({
          databaseUrl: "sqlite::memory:",
          config: { publicUrl: "https://platform.example" },
        }),
      );
      await behind.have(file);
      expect(await behind.address()).toMatch(/^https:\/\/platform\.example\/files\//);
    });
  });

  test("valid requests count against the tenant, invalid URLs against the client address", async () => {
    const session = await openSession(
      await startTestApi({
        databaseUrl: await engine.url(),
        limits: { requestsPerMinute: 3, failedAuthenticationsPerMinute: 2 },
      }),
    );
    await session.have(file);
    const url = await session.address();
    const first = await fetch(url);
    expect(first.headers.get("x-ratelimit-remaining")).toBe("1");
    await first.arrayBuffer();
    await (await fetch(url)).arrayBuffer();
    const third = await fetch(url);
    expect(third.status).toBe(429);
    expect(third.headers.get("retry-after")).toMatch(/^\d+$/);
    session.api.clock.advance(60_000);
    const wrong = url.replace("name=tool", "name=fool");
    expect((await fetch(wrong)).status).toBe(403);
    expect((await fetch(wrong)).status).toBe(403);
    expect(await refusal(await fetch(wrong))).toEqual([
      429,
      expect.stringContaining("too many failed authentications"),
    ]);
    // Wrong guesses of others do not block the owner of the URL.
    expect((await fetch(url)).status).toBe(200);
  });

  test("all processes on one database accept the same URLs", async () => {
    const databaseUrl = await engine.url();
    const one = await openSession(await startTestApi({ databaseUrl }));
    const two = await startTestApi({ databaseUrl, clock: one.api.clock });
    await one.have(file);
    const url = (await one.address()).replace(one.api.url, two.url);
    const response = await fetch(url);
    // With SQLite both share the same files; otherwise each has its own files and knows the URL.
    expect(response.status).toBe(engine.name === "sqlite" ? 200 : 404);
  });
});

describe("with an S3-compatible store", () => {
  const start = async () => {
    const clock = new ManualClock();
    const s3 = await S3Server.start(clock);
    onTestFinished(() => s3.close());
    const { accessKeyId, secretAccessKey, region, url } = s3;
    const blobs = openBlobs({
      url: `s3://bucket/files?endpoint=${url}&region=${region}`,
      credentials: { accessKeyId, secretAccessKey },
      clock,
    });
    const api = await startTestApi({ databaseUrl: "sqlite::memory:", clock, blobs });
    return { s3, session: await openSession(api) };
  };

  test("URLs are those of the store, and expire on time", async () => {
    const { s3, session } = await start();
    await session.have(file);
    const [found] = await session.list();
    const { download_url: url = "", expires_at = "" } = found?.download_info ?? {};
    expect(url.startsWith(`${s3.url}/bucket/files/${sha256(content)}?`)).toBe(true);
    const response = await fetch(url);
    expect(response.headers.get("content-disposition")).toBe('attachment; filename="tool.bin"');
    expect(await bytesOf(response)).toEqual(content);
    const part = await fetch(url, { headers: { range: "bytes=5-9" } });
    expect(await bytesOf(part)).toEqual(content.subarray(5, 10));
    const { clock } = session.api;
    clock.advance(Date.parse(expires_at) - clock.now().getTime() - 1);
    expect((await fetch(url)).status).toBe(200);
    clock.advance(1);
    expect((await fetch(url)).status).toBe(403);
  });

  test(
    "a store that cannot be reached does not affect lists, but fails imports",
    { tags: ["exhaustive"] },
    async () => {
      const { s3, session } = await start();
      await session.have(file);
      await s3.close();
      expect(await session.list()).toHaveLength(1);
      await expect(session.import([{ file: "new", content: "new" }])).rejects.toThrow(
        /the object store at .* does not respond/,
      );
      expect(await session.list()).toHaveLength(1);
    },
  );
});

test("a store that does not respond causes a 503 without its URL", async () => {
  const blobs = ownBlobs("sqlite::memory:");
  onTestFinished(() => blobs.close());
  const failing: DiskBlobs = Object.assign(Object.create(blobs.blobs) as DiskBlobs, {
    put: (data: AsyncIterable<Uint8Array>) => blobs.blobs.put(data),
    clear: (before: Date) => blobs.blobs.clear(before),
    bytes: () =>
      Promise.reject(new BlobStoreError("the object store at 10.0.0.1 does not respond")),
  });
  const session = await openSession(
    await startTestApi({ databaseUrl: "sqlite::memory:", blobs: failing }),
  );
  await session.have(file);
  const response = await fetch(await session.address());
  expect(response.headers.get("retry-after")).toBe("10");
  expect(await refusal(response)).toEqual([
    503,
    "the object store does not respond; retry in 10 s",
  ]);
});

test("spec/files.yaml describes the responses", () => {
  const whole = ["200", "403", "404", "429", "500", "503"];
  const withTag = [...whole, "304"].toSorted();
  const withRanges = [...withTag, "206", "416"].toSorted();
  const statuses = Object.entries(document.paths).map(([path, { get, head }]) => [
    path,
    Object.keys(get.responses),
    Object.keys(head.responses),
  ]);
  expect(statuses).toEqual([
    ["/files/{sha256}", withRanges, withTag],
    ["/files/case-files/{id}", withRanges, withTag],
    ["/files/case-files.zip", whole, whole],
  ]);
});
