import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { setImmediate } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { unreferencedBlobs, type BlobStore } from "../src/blobs/blob-store.ts";
import { BlobMissingError, BlobTooLargeError } from "../src/blobs/errors.ts";
import { LocalBlobs } from "../src/blobs/local-blobs.ts";
import { MemoryBlobs, type KeptFiles } from "../src/blobs/memory-blobs.ts";
import { openBlobs } from "../src/blobs/open-blobs.ts";
import { S3Blobs } from "../src/blobs/s3-blobs.ts";
import { ManualClock } from "./support/manual-clock.ts";
import { S3Server } from "./support/s3-server.ts";
import { sha256 } from "./support/sha256.ts";
import { testWith } from "../../../testing/platform.ts";

const limit = 1_000_000;
const nothing = sha256(Buffer.alloc(0));

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "secplat-blobs-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function startS3() {
  const clock = new ManualClock();
  const server = await S3Server.start(clock);
  onTestFinished(() => server.close());
  const { accessKeyId, secretAccessKey, region, url } = server;
  const location = {
    address: `${url}/bucket`,
    region,
    prefix: "files/",
    credentials: { accessKeyId, secretAccessKey },
    clock,
  };
  return { server, clock, location, blobs: new S3Blobs(location, limit) };
}

/** As a browser keeps files: only one writer at a time can open a file. */
function keptIn(content: Map<string, Uint8Array>): KeptFiles {
  const opened = new Set<string>();
  return {
    content,
    write: async (hash, bytes) => {
      if (opened.has(hash)) throw new Error(`${hash} is open already`);
      opened.add(hash);
      await setImmediate();
      content.set(hash, bytes);
      opened.delete(hash);
    },
    remove: async (hash) => void content.delete(hash),
  };
}

const stores: Readonly<Record<string, () => Promise<BlobStore>>> = {
  "a folder": async () => new LocalBlobs(newFolder(), limit),
  memory: async () => new MemoryBlobs(new ManualClock(), { limit }),
  "memory that is kept": async () =>
    new MemoryBlobs(new ManualClock(), { limit, kept: keptIn(new Map()) }),
  "an S3-compatible store": async () => (await startS3()).blobs,
};

async function all<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const collected: Item[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

const put = (blobs: BlobStore, content: Buffer) => blobs.put(Readable.from([content]));

test("blobs in memory that are kept are there again, and a deleted one is not", async () => {
  const content = new Map<string, Uint8Array>();
  const open = () => new MemoryBlobs(new ManualClock(), { kept: keptIn(content) });
  const first = open();
  const [one, two] = [await put(first, Buffer.from("one")), await put(first, Buffer.from("two"))];
  await first.delete(two.sha256);
  const second = open();
  expect(await buffer(await second.open(one.sha256))).toEqual(Buffer.from("one"));
  expect((await all(second.list())).map(({ sha256: hash }) => hash)).toEqual([one.sha256]);
});

describe.each(Object.keys(stores))("%s", (name) => {
  const open = stores[name] as () => Promise<BlobStore>;

  test("returns stored content, complete or in part", async () => {
    const blobs = await open();
    const content = randomBytes(300_000);
    const chunks = Array.from({ length: 30 }, (_, at) =>
      content.subarray(at * 10_000, (at + 1) * 10_000),
    );
    const blob = await blobs.put(Readable.from(chunks));
    expect(blob).toEqual({ sha256: sha256(content), bytes: content.length });
    expect(await blobs.bytes(blob.sha256)).toBe(content.length);
    expect(await buffer(await blobs.open(blob.sha256))).toEqual(content);
    const part = await blobs.open(blob.sha256, { start: 100_000, end: 100_009 });
    expect(await buffer(part)).toEqual(content.subarray(100_000, 100_010));
  });

  test("stores equal content that arrives at once", async () => {
    const blobs = await open();
    const content = randomBytes(10);
    const stored = await Promise.all([put(blobs, content), put(blobs, content)]);
    expect(stored.map(({ sha256: hash }) => hash)).toEqual([sha256(content), sha256(content)]);
    expect(await buffer(await blobs.open(sha256(content)))).toEqual(content);
  });

  test("stores equal content once, and can store the empty content", async () => {
    const blobs = await open();
    const content = randomBytes(10);
    await put(blobs, content);
    await put(blobs, content);
    await put(blobs, Buffer.alloc(0));
    const hashes = (await all(blobs.list())).map((blob) => blob.sha256);
    expect(hashes).toEqual([sha256(content), nothing].toSorted());
    expect(await buffer(await blobs.open(nothing))).toEqual(Buffer.alloc(0));
  });

  test("keeps a received file on request", async () => {
    const blobs = await open();
    const content = randomBytes(1_000);
    const reception = await blobs.receive();
    const [kept, other] = [
      await reception.receive(Readable.from([Buffer.from(content)])),
      await reception.receive(Readable.from([Buffer.from("other")])),
    ];
    expect([kept.sha256, kept.bytes]).toEqual([sha256(content), 1_000]);
    expect(await buffer(kept.open({ start: 10, end: 19 }))).toEqual(content.subarray(10, 20));
    expect(await blobs.bytes(kept.sha256)).toBeNull();
    await kept.keep();
    await reception.end();
    expect(await buffer(await blobs.open(kept.sha256))).toEqual(content);
    expect(await blobs.bytes(other.sha256)).toBeNull();
  });

  test("stores nothing of content that is too large or interrupted", async () => {
    const blobs = await open();
    await expect(put(blobs, Buffer.alloc(limit + 1))).rejects.toThrow(BlobTooLargeError);
    const broken = async function* () {
      yield Buffer.from("half");
      throw new Error("cut off");
    };
    await expect(blobs.put(broken())).rejects.toThrow("cut off");
    expect(await all(blobs.list())).toEqual([]);
    expect((await put(blobs, Buffer.alloc(limit))).bytes).toBe(limit);
  });

  test("reports content that it does not have", async () => {
    const blobs = await open();
    expect(await blobs.bytes(nothing)).toBeNull();
    await expect(blobs.open(nothing)).rejects.toThrow(BlobMissingError);
    await blobs.delete(nothing);
    for (const wrong of ["", "../../etc/passwd", nothing.toUpperCase()]) {
      await expect(blobs.bytes(wrong)).rejects.toThrow(RangeError);
    }
  });

  test("deletes content on request", async () => {
    const blobs = await open();
    const content = randomBytes(10);
    const blob = await put(blobs, content);
    await blobs.delete(blob.sha256);
    expect(await blobs.bytes(blob.sha256)).toBeNull();
    expect(await all(blobs.list())).toEqual([]);
  });

  test("lists content that is old enough and has no reference", async () => {
    const blobs = await open();
    const created = [];
    for (let index = 0; index < 8; index += 1) {
      created.push((await put(blobs, randomBytes(10 + index))).sha256);
    }
    const used = new Set(created.slice(0, 3));
    const asked: string[] = [];
    const referenced = async (hashes: readonly string[]) => {
      asked.push(...hashes);
      return new Set(hashes.filter((hash) => used.has(hash)));
    };
    const later = new Date("2100-01-01");
    const unused = (await all(unreferencedBlobs(blobs, later, referenced))).map(
      (blob) => blob.sha256,
    );
    expect(unused).toEqual(created.slice(3).toSorted());
    expect(asked).toEqual(created.toSorted());
    expect(await all(unreferencedBlobs(blobs, new Date(0), referenced))).toEqual([]);
  });
});

describe("a folder", () => {
  testWith("permission bits")("is not accessible to other users of the machine", async () => {
    const folder = newFolder();
    const blobs = new LocalBlobs(join(folder, "blobs"));
    const { sha256: hash } = await put(blobs, randomBytes(10));
    expect(statSync(join(folder, "blobs")).mode & 0o077).toBe(0);
    expect(statSync(join(folder, "blobs", hash.slice(0, 2), hash)).mode & 0o077).toBe(0);
  });

  test("stores no part of content that is too large", async () => {
    const folder = newFolder();
    const blobs = new LocalBlobs(folder, 10);
    await expect(put(blobs, Buffer.alloc(11))).rejects.toThrow(BlobTooLargeError);
    expect(readdirSync(folder, { recursive: true })).toEqual(["incoming"]);
  });

  test("removes the remains of interrupted writes, and nothing else", async () => {
    const folder = newFolder();
    const blobs = new LocalBlobs(folder);
    const blob = await put(blobs, randomBytes(10));
    const [old, fresh] = ["old", "fresh"].map((name) => join(folder, "incoming", name));
    for (const path of [old, fresh]) writeFileSync(path ?? "", "half");
    utimesSync(old ?? "", new Date(0), new Date(0));
    await blobs.clear(new Date(Date.now() - 60_000));
    expect(readdirSync(join(folder, "incoming"))).toEqual(["fresh"]);
    expect(await blobs.bytes(blob.sha256)).toBe(10);
  });

  test("repairs damaged content that is stored again", async () => {
    const folder = newFolder();
    const blobs = new LocalBlobs(folder);
    const content = randomBytes(10);
    const { sha256: hash } = await put(blobs, content);
    writeFileSync(join(folder, hash.slice(0, 2), hash), "damaged");
    await put(blobs, content);
    expect(await buffer(await blobs.open(hash))).toEqual(content);
  });
});

describe("an S3-compatible store", () => {
  test("has its objects below the prefix", async () => {
    const { blobs, server } = await startS3();
    const { sha256: hash } = await put(blobs, randomBytes(10));
    server.objects.set("files/readme", { content: Buffer.alloc(1), modified: new Date() });
    server.objects.set("else", { content: Buffer.alloc(1), modified: new Date() });
    expect([...server.objects.keys()]).toContain(`files/${hash}`);
    expect((await all(blobs.list())).map((blob) => blob.sha256)).toEqual([hash]);
  });

  test("creates its own URLs, with the requested lifetime", async () => {
    const { blobs, clock } = await startS3();
    const content = randomBytes(10);
    const { sha256: hash } = await put(blobs, content);
    const options = { name: 'Größe "1".txt', from: clock.now(), seconds: 900 };
    const url = (await blobs.link?.(hash, options)) ?? "";
    const response = await fetch(url);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/octet-stream");
    expect(response.headers.get("content-disposition")).toContain("filename*=UTF-8''Gr%C3%B6");
    expect(Buffer.from(await response.arrayBuffer())).toEqual(content);
    const other = await fetch(url.replace(hash, nothing));
    expect(await other.text()).toContain("SignatureDoesNotMatch");
    clock.advance(899_000);
    expect((await fetch(url)).status).toBe(200);
    clock.advance(1_000);
    expect((await fetch(url)).status).toBe(403);
  });

  test.each([
    [200, "sent a text of more than 16777216 bytes"],
    [403, "responded to GET with 403"],
  ])("is not read to the end of an endless text with %d", async (status, message) => {
    const { server, blobs } = await startS3();
    server.endless = status;
    await expect(all(blobs.list())).rejects.toThrow(message);
  });

  test("gets another request when it is busy", async () => {
    const { blobs, server } = await startS3();
    server.busy = 2;
    const content = randomBytes(100_000);
    const { sha256: hash } = await put(blobs, content);
    expect(server.requests).toHaveLength(3);
    expect(await buffer(await blobs.open(hash))).toEqual(content);
  });

  test("is rejected if it does not support parts of files", async () => {
    const { blobs, server } = await startS3();
    server.ranges = false;
    const { sha256: hash } = await put(blobs, randomBytes(100));
    await expect(blobs.open(hash, { start: 1, end: 2 })).rejects.toThrow(
      "does not support byte ranges",
    );
    expect((await buffer(await blobs.open(hash))).length).toBe(100);
  });

  test("reports an error of the store without a secret", async () => {
    const { location, server } = await startS3();
    const wrong = { ...location.credentials, secretAccessKey: "mistyped" };
    const blobs = new S3Blobs({ ...location, credentials: wrong });
    const error: unknown = await put(blobs, randomBytes(10)).catch((thrown: unknown) => thrown);
    expect(String(error)).toBe(
      "BlobStoreError: the object store responded to PUT with 403, SignatureDoesNotMatch",
    );
    expect(server.objects.size).toBe(0);
  });

  test("reports that the store cannot be reached", { tags: ["exhaustive"] }, async () => {
    const { blobs, server } = await startS3();
    await server.close();
    await expect(blobs.bytes(nothing)).rejects.toThrow(/^the object store at .* does not respond$/);
  });
});

describe("the URL of a store", () => {
  const clock = new ManualClock();
  const credentials = { accessKeyId: "id", secretAccessKey: "secret" };

  test.each([
    ["", "expected file:<folder> or s3://"],
    ["ftp://host/x", "expected file:<folder> or s3://"],
    ["s3://", "expected the name of a bucket"],
    ["s3://UPPER_case", "expected the name of a bucket"],
    ["s3://bucket?endpoint=ftp://host", "expected endpoint to be a URL"],
    ["s3://bucket?endpoint=http://host/path", "expected endpoint to be a URL"],
    ["s3://bucket?key=secret", "s3:// has no parameter key"],
  ])("rejects %j", (url, reason) => {
    expect(() => openBlobs({ url, credentials, clock })).toThrow(reason);
  });

  test("with s3 requires credentials", () => {
    expect(() => openBlobs({ url: "s3://bucket", clock })).toThrow("AWS_ACCESS_KEY_ID");
  });

  test.each([
    ["s3://bucket", "https://bucket.s3.us-east-1.amazonaws.com/"],
    [
      "s3://bucket/some/prefix/?region=eu-west-3",
      "https://bucket.s3.eu-west-3.amazonaws.com/some/prefix/",
    ],
    ["s3://bucket/p?endpoint=http://127.0.0.1:9000/&region=x", "http://127.0.0.1:9000/bucket/p/"],
  ])("%s leads to %s", async (url, address) => {
    const blobs = openBlobs({ url, credentials, clock });
    const options = { name: "x", from: clock.now(), seconds: 60 };
    expect(await blobs.link?.(nothing, options)).toContain(`${address}${nothing}?`);
  });
});
