import { createReadStream } from "node:fs";
import { lstat, mkdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { attachment } from "./content-disposition.ts";
import { BlobWatch } from "./blob-watch.ts";
import type { ByteRange } from "./byte-range.ts";
import { DiskReception } from "./disk-reception.ts";
import { clearInterrupted, incomingName, incomingPrefix } from "./incoming.ts";
import {
  largestBlob,
  type StoredBlob,
  type DiskBlobs,
  type LinkOptions,
  type ListedBlob,
  type Reception,
} from "./blob-store.ts";
import { BlobMissingError, BlobStoreError } from "./errors.ts";
import { S3Client, type S3Location } from "./s3-client.ts";
import { writeFile } from "./write-file.ts";

/**
 * Blobs in a bucket of an S3-compatible store. A key consists of the prefix and the hash. A PUT contains the
 * hash, so the store refuses content that was damaged in transit.
 */
export class S3Blobs implements DiskBlobs {
  readonly #client: S3Client;
  readonly #prefix: string;
  readonly #limit: number;
  readonly #watch = new BlobWatch();

  constructor(location: S3Location, limit = largestBlob) {
    this.#client = new S3Client(location);
    this.#prefix = location.prefix;
    this.#limit = limit;
  }

  /** Uses a temporary file, because a PUT sends length and hash before the content. */
  async put(content: AsyncIterable<Uint8Array>, limit = this.#limit): Promise<StoredBlob> {
    const folder = join(await this.incoming(), incomingName());
    await mkdir(folder, { mode: 0o700 });
    try {
      const path = join(folder, "blob");
      const blob = await writeFile(path, content, {
        limit: Math.min(limit, this.#limit),
        sync: true,
      });
      await this.#send(path, blob);
      return blob;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  async receive(): Promise<Reception> {
    return DiskReception.begin(await this.incoming(), (path, blob) => this.#adopt(path, blob));
  }

  async #adopt(path: string, blob: StoredBlob): Promise<void> {
    await this.#send(path, blob);
    await rm(path, { force: true });
  }

  async bytes(sha256: string): Promise<number | null> {
    const response = await this.#client.request("HEAD", this.#keyOf(sha256));
    return response.status === 404 ? null : Number(response.headers.get("content-length"));
  }

  async open(sha256: string, range?: ByteRange): Promise<Readable> {
    const response = await this.#client.request("GET", this.#keyOf(sha256), {
      headers: range === undefined ? {} : { range: `bytes=${range.start}-${range.end}` },
    });
    if (response.status === 404) {
      await response.body?.cancel();
      throw new BlobMissingError(sha256);
    }
    const whole = range === undefined || response.status === 206;
    if (!whole || response.body === null) {
      await response.body?.cancel();
      throw new BlobStoreError("the object store does not support byte ranges");
    }
    // With the DOM lib in scope, its stream type differs from that of Node.js.
    return Readable.fromWeb(response.body as unknown as ReadableStream<Uint8Array>);
  }

  async delete(sha256: string, before?: Date): Promise<boolean> {
    const key = this.#keyOf(sha256);
    if (before !== undefined) {
      const { headers } = await this.#client.request("HEAD", key);
      if (new Date(headers.get("last-modified") ?? 0) >= before) return false;
    }
    const size = (hash: string) => this.bytes(hash);
    await this.#watch.around(sha256, size, () => this.#client.request("DELETE", key));
    return true;
  }

  watch(listener: (bytes: number) => void): void {
    this.#watch.watch(listener);
  }

  async *list(): AsyncGenerator<ListedBlob> {
    for await (const { key, bytes, modified } of this.#client.list(this.#prefix)) {
      const sha256 = key.slice(this.#prefix.length);
      if (/^[0-9a-f]{64}$/.test(sha256)) yield { sha256, bytes, writtenAt: modified };
    }
  }

  /** The object store itself discards an interrupted PUT. */
  async clear(before: Date): Promise<void> {
    await clearInterrupted(await this.incoming(), incomingPrefix, before);
  }

  incoming = async (): Promise<string> => tmpdir();

  async work(): Promise<string> {
    const user = process.getuid?.();
    const folder = join(tmpdir(), `secplat-work-${user ?? "user"}`);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    // Other users can also create folders there.
    const { uid } = await lstat(folder);
    if (user !== undefined && uid !== user) {
      throw new BlobStoreError(`${folder} belongs to another user`);
    }
    return folder;
  }

  readonly link = (sha256: string, { name, from, seconds }: LinkOptions): Promise<string> =>
    this.#client.presign(this.#keyOf(sha256), from, seconds, {
      "response-content-disposition": attachment(name),
      "response-content-type": "application/octet-stream",
    });

  async #send(path: string, { sha256, bytes }: StoredBlob): Promise<void> {
    const size = (hash: string) => this.bytes(hash);
    await this.#watch.around(sha256, size, () =>
      this.#client.request("PUT", this.#keyOf(sha256), {
        headers: { "content-length": String(bytes), "content-type": "application/octet-stream" },
        sha256,
        content: () => createReadStream(path),
      }),
    );
  }

  #keyOf(sha256: string): string {
    if (!/^[0-9a-f]{64}$/.test(sha256)) throw new RangeError("not a SHA-256 in hex");
    return `${this.#prefix}${sha256}`;
  }
}
