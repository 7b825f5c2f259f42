import { createHash } from "node:crypto";
import { open, type FileHandle } from "node:fs/promises";
import { promisify } from "node:util";
import { brotliCompress, brotliDecompress, constants, gzip } from "node:zlib";
import { LRUCache } from "lru-cache";
import {
  describeFile,
  DocsUnreadableError,
  isCompressible,
  type DocsContent,
  type DocsFile,
  type DocsFilesByName,
} from "./files.ts";

/** The name of the archive in the folder of a packaged site. */
export const archiveName = "site.archive";

/**
 * An archive starts with this text, the length of its index in 4 bytes, and the SHA-256 of the index. The index and
 * then the blocks follow, all compressed with Brotli. A block contains one file or several: similar pages take half the
 * space when they are compressed together.
 */
export const archiveStart = "secplat site 1\n\0";
const headerBytes = archiveStart.length + 4 + 32;

/** The index of an archive, as JSON. */
export interface ArchiveIndex {
  readonly blocks: readonly ArchiveBlock[];
  readonly files: Readonly<Record<string, ArchivedFile>>;
}

/** The compressed size in bytes, and the hash of the compressed bytes (`archiveHash`). */
export type ArchiveBlock = readonly [size: number, hash: string];

/** Where a file is in the content of a block, in bytes, and the hash of its content. */
export type ArchivedFile = readonly [block: number, offset: number, size: number, hash: string];

export const archiveHash = (content: Uint8Array): string =>
  createHash("sha256").update(content).digest("base64url").slice(0, 22);

/** Bytes of blocks and encoded files that are kept. The largest file of the site has 3 MB. */
const keptBytes = 16 * 1024 * 1024;

/** Minimum size of a file that is compressed. Smaller ones fit in one packet without compression. */
const smallestCompressed = 1_024;

/** A page of 150 kB takes 2 ms. Higher qualities take several times as long for some percent. */
const brotliQuality = 5;

const encoders = {
  br: (content: Buffer): Promise<Buffer> =>
    promisify(brotliCompress)(content, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: brotliQuality,
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      },
    }),
  gzip: (content: Buffer): Promise<Buffer> => promisify(gzip)(content),
} as const;

const damaged = (path: string, what: string): DocsUnreadableError =>
  new DocsUnreadableError(`${path}: ${what}`, { missing: false });

/**
 * Reads all blocks of an archive, and compares their checksums.
 *
 * @throws {DocsUnreadableError}
 */
export const checkArchive = (path: string): Promise<void> =>
  withFile(path, async (file) => {
    const { index, starts } = await readIndex(file, path);
    for (const block of index.blocks.keys()) await readBlock(file, path, { index, starts }, block);
  });

/**
 * The files of an archive. Its index is read at once, and its blocks on request.
 *
 * @throws {DocsUnreadableError} Also when a file is read later.
 */
export async function filesOfArchive(path: string): Promise<DocsFilesByName> {
  const table = await withFile(path, (file) => readIndex(file, path));
  const { index } = table;
  const kept = new LRUCache<string, Buffer, () => Promise<Buffer>>({
    maxSize: keptBytes,
    sizeCalculation: ({ length }) => Math.max(length, 1),
    fetchMethod: (_key, _old, { context: load }) => load(),
    // Callers wait for content that is no longer kept when it has been read.
    ignoreFetchAbort: true,
  });
  const filesIn = index.blocks.map(() => 0);
  for (const [block] of Object.values(index.files)) filesIn[block] = (filesIn[block] ?? 0) + 1;

  /** A block as it is stored. */
  const stored = (block: number): Promise<Buffer> =>
    withFile(path, (file) => readBlock(file, path, table, block));
  const keep = (key: string, load: () => Promise<Buffer>): Promise<Buffer> =>
    kept.forceFetch(key, { context: load });
  const blockOf = (block: number): Promise<Buffer> =>
    keep(`${block}`, async () => promisify(brotliDecompress)(await stored(block)));

  const fileOf = (name: string, [block, offset, size, tag]: ArchivedFile): DocsFile => {
    const plain = async (): Promise<Buffer> =>
      (await blockOf(block)).subarray(offset, offset + size);
    const encoded = (encoding: keyof typeof encoders): Promise<Buffer> =>
      encoding === "br" && filesIn[block] === 1
        ? keep(`${block} br`, () => stored(block))
        : keep(`${encoding} ${name}`, async () => encoders[encoding](await plain()));
    const encodings =
      size >= smallestCompressed && isCompressible(name) ? (["br", "gzip"] as const) : [];
    return {
      ...describeFile(name),
      tag,
      contents: new Map([
        ...encodings.map((each) => [each, async () => contentOf(await encoded(each))] as const),
        ["identity", async () => contentOf(await plain())],
      ]),
    };
  };
  return new Map(Object.entries(index.files).map(([name, file]) => [name, fileOf(name, file)]));
}

const contentOf = (content: Buffer): DocsContent => ({
  size: content.length,
  open: () => content,
});

/** The index with the position of each block. */
interface ArchiveTable {
  readonly index: ArchiveIndex;
  readonly starts: readonly number[];
}

/** A block as it is stored. */
async function readBlock(
  file: FileHandle,
  path: string,
  { index, starts }: ArchiveTable,
  block: number,
): Promise<Buffer> {
  const [size, hash] = index.blocks[block] ?? [0, ""];
  const content = await readBytes(file, starts[block] ?? 0, size);
  if (archiveHash(content) === hash) return content;
  throw damaged(path, `the checksum of block ${block} is wrong`);
}

async function readIndex(file: FileHandle, path: string): Promise<ArchiveTable> {
  const { size } = await file.stat();
  const header = await readBytes(file, 0, headerBytes);
  if (header.length < headerBytes || !header.toString("latin1").startsWith(archiveStart)) {
    throw damaged(path, "this is not an archive of the documentation");
  }
  const length = header.readUInt32BE(archiveStart.length);
  if (headerBytes + length > size) throw damaged(path, `the file ends after ${size} bytes`);
  const compressed = await readBytes(file, headerBytes, length);
  const hash = createHash("sha256").update(compressed).digest();
  if (!hash.equals(header.subarray(archiveStart.length + 4))) {
    throw damaged(path, "the checksum of the index is wrong");
  }
  const text = await promisify(brotliDecompress)(compressed);
  const index = JSON.parse(text.toString()) as ArchiveIndex;
  const starts: number[] = [];
  let end = headerBytes + length;
  for (const [bytes] of index.blocks) {
    starts.push(end);
    end += bytes;
  }
  if (end !== size) throw damaged(path, `the file has ${size} bytes, expected ${end}`);
  return { index, starts };
}

/** Fewer bytes at the end of the file. */
async function readBytes(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await file.read(buffer, 0, length, position);
  return buffer.subarray(0, bytesRead);
}

async function withFile<Result>(
  path: string,
  read: (file: FileHandle) => Promise<Result>,
): Promise<Result> {
  let file: FileHandle | undefined;
  try {
    file = await open(path);
    return await read(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // A shortage says nothing about the file.
    if (code === undefined || ["EMFILE", "ENFILE"].includes(code)) throw error;
    const missing = code === "ENOENT" || code === "ENOTDIR";
    const reason = missing ? "the file does not exist" : (error as Error).message;
    throw new DocsUnreadableError(`${path}: ${reason}`, { missing });
  } finally {
    await file?.close();
  }
}
