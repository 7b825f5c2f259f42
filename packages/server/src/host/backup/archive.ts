import { createHash, type Hash } from "node:crypto";
import { existsSync } from "node:fs";
import { open, rename, rm, type FileHandle } from "node:fs/promises";
import { dirname } from "node:path";
import { Header } from "tar";
import { syncFolder } from "../../foundation/sync-folder.ts";
import { StoreFullError } from "../../store/index.ts";
import { draftOf } from "./drafts.ts";

/** A backup cannot be written, or is not whole. The message says what to do. */
export class BackupError extends Error {
  override readonly name = "BackupError";
}

/** A part of an archive. */
export interface Part {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}

export interface Archive {
  /** The parts before the manifest, in their order. */
  readonly parts: readonly Part[];
  /** What the archive says of itself. */
  readonly manifest: unknown;
  /** The content of a part. */
  read(part: Part): AsyncIterable<Buffer>;
  /** The error that says that the archive is damaged. */
  damaged(reason: string): BackupError;
  close(): Promise<void>;
}

/** The folder of the files of cases and such; each name is the SHA-256 of the content. */
export const filesFolder = "files/";

const block = 512;
const firstName = "secplat-backup.json";
const manifestName = "manifest.json";
/** Increases if earlier versions cannot read the archive. */
const format = 1;
/** Follows the tar archive: `sha256`, a space, the hash of all bytes before, and the end of the line. */
const sealBytes = 72;
const sealOf = (hash: Hash): Buffer => Buffer.from(`sha256 ${hash.digest("hex")}\n`);
const largestManifest = 256 * 1024 * 1024;
const chunkBytes = 1024 * 1024;

/**
 * Writes a tar archive whose last part lists the others with their hashes. A hash of the whole follows, so that each
 * changed or missing byte is noticed. The file has its name only once it is complete and has been read again.
 */
export class ArchiveWriter {
  readonly path: string;
  readonly #draft: string;
  readonly #file: FileHandle;
  readonly #hash = createHash("sha256");
  readonly #parts: Part[] = [];
  readonly #at: Date;

  private constructor(path: string, draft: string, file: FileHandle, at: Date) {
    this.path = path;
    this.#draft = draft;
    this.#file = file;
    this.#at = at;
  }

  /** Throws `BackupError` if the file exists. */
  static async begin(path: string, at: Date): Promise<ArchiveWriter> {
    refuseExisting(path);
    const draft = draftOf(path, "part");
    const file = await open(draft, "wx", 0o600).catch((error: unknown) => {
      throw cannotWrite(path, error);
    });
    const writer = new ArchiveWriter(path, draft, file, at);
    try {
      await writer.add(firstName, jsonOf({ format }));
    } catch (error) {
      await writer.discard();
      throw error;
    }
    return writer;
  }

  async add(name: string, content: Buffer): Promise<Part> {
    return this.addStream(name, content.length, [content]);
  }

  /** Throws `BackupError` if the content does not have this size. */
  async addStream(
    name: string,
    bytes: number,
    content: Iterable<Buffer> | AsyncIterable<Buffer>,
  ): Promise<Part> {
    const header = Buffer.alloc(block);
    const options = {
      path: name,
      size: bytes,
      mode: 0o600,
      mtime: this.#at,
      type: "File",
    } as const;
    if (new Header(options).encode(header, 0))
      throw new BackupError(`${name}: the name is too long`);
    await this.#write(header);
    const hash = createHash("sha256");
    let written = 0;
    for await (const chunk of content) {
      hash.update(chunk);
      written += chunk.length;
      await this.#write(chunk);
    }
    if (written !== bytes) throw new BackupError(`${name} has ${written} bytes; expected ${bytes}`);
    await this.#write(Buffer.alloc(paddingOf(bytes)));
    const part = { name, bytes, sha256: hash.digest("hex") };
    this.#parts.push(part);
    return part;
  }

  async finish(manifest: object): Promise<void> {
    const [, ...parts] = this.#parts;
    await this.add(manifestName, jsonOf({ ...manifest, parts }));
    await this.#write(Buffer.alloc(2 * block));
    try {
      await this.#file.writeFile(sealOf(this.#hash));
      await this.#file.sync();
      await this.#file.close();
    } catch (error) {
      throw cannotWrite(this.path, error);
    }
    await forTarget(this.path, this.#draft, async () => (await openArchive(this.#draft)).close());
    refuseExisting(this.path);
    await rename(this.#draft, this.path);
    await syncFolder(dirname(this.path));
  }

  /** Deletes what is written so far. */
  async discard(): Promise<void> {
    await this.#file.close().catch(() => undefined);
    await rm(this.#draft, { force: true });
  }

  async #write(content: Buffer): Promise<void> {
    this.#hash.update(content);
    try {
      await this.#file.writeFile(content);
    } catch (error) {
      throw cannotWrite(this.path, error);
    }
  }
}

/** What people call the errors of the file system that a backup meets. */
const writeErrors: Readonly<Record<string, string>> = {
  ENOSPC: "its disk is full",
  EDQUOT: "its disk is full",
  EFBIG: "no file of this user may become so large",
  ENOENT: "its folder does not exist",
  ENOTDIR: "a part of its path is a file",
  EACCES: "this user may not write there",
  EPERM: "this user may not write there",
  EROFS: "its disk is read-only",
};

/** A plain message for a file that cannot be written. */
export function cannotWrite(path: string, error: unknown): BackupError {
  const { code = "an unknown error" } = error as NodeJS.ErrnoException;
  return new BackupError(`cannot write ${path}: ${writeErrors[code] ?? code}`, { cause: error });
}

/** Does work on a draft. Its errors name the file that the draft becomes. */
export async function forTarget<Result>(
  path: string,
  draft: string,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error) || !error.message.includes(draft)) throw error;
    if (error instanceof StoreFullError) throw cannotWrite(path, { code: "ENOSPC" });
    throw new BackupError(error.message.replaceAll(draft, path), { cause: error });
  }
}

function refuseExisting(path: string): void {
  if (existsSync(path)) throw new BackupError(`${path} exists already; choose another name`);
}

const jsonOf = (value: object): Buffer => Buffer.from(`${JSON.stringify(value)}\n`);
const paddingOf = (bytes: number): number => (block - (bytes % block)) % block;

/** Reads a whole archive, and checks each byte of it. Throws `BackupError` if it is not whole. */
export async function openArchive(
  path: string,
  onProgress?: (part: number) => void,
): Promise<Archive> {
  let file: FileHandle;
  try {
    file = await open(path, "r");
  } catch (error) {
    const { code = "an unknown error" } = error as NodeJS.ErrnoException;
    throw new BackupError(`cannot read the backup ${path}: ${code}`, { cause: error });
  }
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw new BackupError(`${path} is not a file; expected a backup`);
    return await new ArchiveReader(path, file, stats.size, onProgress).open();
  } catch (error) {
    await file.close();
    throw error;
  }
}

class ArchiveReader {
  readonly #path: string;
  readonly #file: FileHandle;
  readonly #size: number;
  readonly #onProgress: ((part: number) => void) | undefined;
  readonly #hash = createHash("sha256");
  readonly #offsets = new Map<string, number>();
  #at = 0;

  constructor(
    path: string,
    file: FileHandle,
    size: number,
    onProgress: ((part: number) => void) | undefined,
  ) {
    this.#path = path;
    this.#file = file;
    this.#size = size;
    this.#onProgress = onProgress;
  }

  async open(): Promise<Archive> {
    const found: Part[] = [];
    let manifest: { readonly parts?: unknown } | undefined;
    for (;;) {
      const header = await this.#header(found.length === 0);
      if (header === null) break;
      if (manifest !== undefined) throw this.#damaged("a part follows the manifest");
      const { name, bytes } = header;
      if (found.length === 0) await this.#readFormat(bytes);
      const isManifest = name === manifestName;
      if (isManifest && bytes > largestManifest) throw this.#damaged("its manifest is too large");
      const part = await this.#content(name, bytes, isManifest);
      if (name.startsWith(filesFolder) && name !== filesFolder + part.sha256) {
        throw this.#damaged(`${name} has other content than its name says`);
      }
      if (isManifest) manifest = this.#json(part.content);
      else found.push({ name, bytes, sha256: part.sha256 });
    }
    await this.#seal();
    if (manifest === undefined) throw this.#damaged("it has no manifest");
    const [, ...parts] = found;
    if (JSON.stringify(manifest.parts) !== JSON.stringify(parts)) {
      throw this.#damaged("its parts are not those of its manifest");
    }
    return {
      manifest,
      parts,
      read: (part) => this.#again(part),
      damaged: (reason) => this.#damaged(reason),
      close: () => this.#file.close(),
    };
  }

  /** Null: the end of the parts. */
  async #header(isFirst: boolean): Promise<{ name: string; bytes: number } | null> {
    const start = this.#at;
    const head = await this.#take(block, isFirst);
    if (!isFirst && head.every((byte) => byte === 0)) {
      const second = await this.#take(block);
      if (second.some((byte) => byte !== 0)) throw this.#damagedAt(start);
      return null;
    }
    const { cksumValid, path, size, type } = this.#headerOf(head, start, isFirst);
    if (isFirst && path !== firstName) throw this.#foreign();
    if (!cksumValid || type !== "File" || path === undefined || size === undefined) {
      throw this.#damagedAt(start);
    }
    return { name: path, bytes: size };
  }

  /** The library refuses sizes that are no exact number. */
  #headerOf(head: Buffer, start: number, isFirst: boolean): Header {
    try {
      return new Header(head);
    } catch {
      throw isFirst ? this.#foreign() : this.#damagedAt(start);
    }
  }

  async #readFormat(bytes: number): Promise<void> {
    if (bytes > block) throw this.#foreign();
    const content = await this.#bytesAt(this.#at, bytes);
    const { format: number } = this.#json(content) as { format?: unknown };
    if (typeof number !== "number") throw this.#foreign();
    if (number > format) {
      throw new BackupError(
        `${this.#path} has format ${number}, and this version knows formats up to ${format}; use the newer version`,
      );
    }
  }

  async #content(name: string, bytes: number, keep: boolean) {
    this.#offsets.set(name, this.#at);
    const hash = createHash("sha256");
    const kept: Buffer[] = [];
    for (let left = bytes; left > 0;) {
      const chunk = await this.#take(Math.min(left, chunkBytes));
      hash.update(chunk);
      if (keep) kept.push(chunk);
      left -= chunk.length;
    }
    await this.#take(paddingOf(bytes));
    return { sha256: hash.digest("hex"), content: Buffer.concat(kept) };
  }

  async #seal(): Promise<void> {
    const expected = sealOf(this.#hash);
    const left = this.#size - this.#at;
    if (left < sealBytes) throw this.#cut();
    const seal = await this.#bytesAt(this.#at, sealBytes);
    if (!seal.equals(expected)) throw this.#damaged("its contents do not match its checksum");
    if (left > sealBytes) throw this.#damaged("something follows its end");
  }

  async *#again({ name, bytes, sha256 }: Part): AsyncGenerator<Buffer> {
    const start = this.#offsets.get(name) ?? 0;
    const hash = createHash("sha256");
    for (let done = 0; done < bytes;) {
      const chunk = await this.#bytesAt(start + done, Math.min(bytes - done, chunkBytes));
      hash.update(chunk);
      done += chunk.length;
      yield chunk;
    }
    if (hash.digest("hex") !== sha256) throw this.#damaged(`${name} has changed while it was read`);
  }

  /** The next bytes. */
  async #take(length: number, isFirst = false): Promise<Buffer> {
    if (this.#size - this.#at < length) throw isFirst ? this.#foreign() : this.#cut();
    const content = await this.#bytesAt(this.#at, length);
    this.#at += length;
    this.#hash.update(content);
    this.#onProgress?.(this.#at / this.#size);
    return content;
  }

  async #bytesAt(position: number, length: number): Promise<Buffer> {
    const content = Buffer.alloc(length);
    for (let done = 0; done < length;) {
      const { bytesRead } = await this.#file.read(content, done, length - done, position + done);
      if (bytesRead === 0) throw this.#cut();
      done += bytesRead;
    }
    return content;
  }

  #json(content: Buffer): object {
    try {
      const value: unknown = JSON.parse(content.toString());
      if (typeof value === "object" && value !== null) return value;
    } catch {
      // The message below.
    }
    throw this.#damaged("its description is not JSON");
  }

  #foreign(): BackupError {
    return new BackupError(`${this.#path} is not a backup of secplat`);
  }

  #cut(): BackupError {
    return new BackupError(
      `the backup ${this.#path} is cut off after ${this.#size} bytes; use another copy of it`,
    );
  }

  #damagedAt(offset: number): BackupError {
    return this.#damaged(`its byte ${offset} begins no part`);
  }

  #damaged(reason: string): BackupError {
    return new BackupError(
      `the backup ${this.#path} is damaged: ${reason}; use another copy of it`,
    );
  }
}
