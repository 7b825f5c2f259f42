import { extname } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { crc32 } from "node:zlib";
import { fromRandomAccessReaderPromise, RandomAccessReader, type Entry, type ZipFile } from "yauzl";
import { errors } from "../../../foundation/errors.ts";
import type { UploadedFile } from "../../../calls/call.ts";

/** A file of an import. */
export interface ImportedFile {
  readonly name: string;
  readonly text: string;
}

const mostFiles = 200;
const longestName = 255;
const mostFileBytes = 4 * 1024 * 1024;
const mostBytes = 64 * 1024 * 1024;
const extensions: readonly string[] = [".yaml", ".yml", ".json"];

/** The files of an upload: an archive, or one file. 400 for anything else. */
export async function readUpload(file: UploadedFile): Promise<readonly ImportedFile[]> {
  if (await isArchive(file)) return readArchive(file);
  const { name, bytes } = file;
  const shown = name === "" ? "the file" : name;
  if (bytes > mostFileBytes) throw refused(shown, `has more than ${mostFileBytes} bytes`);
  return [{ name: shown, text: await textOf(file.open(), shown, mostFileBytes) }];
}

async function isArchive(file: UploadedFile): Promise<boolean> {
  const start = await buffer(file.open({ start: 0, end: 3 }));
  return ["504b0304", "504b0506"].includes(start.toString("hex"));
}

/** Reads parts of an upload. */
class UploadReader extends RandomAccessReader {
  readonly #file: UploadedFile;

  constructor(file: UploadedFile) {
    super();
    this.#file = file;
  }

  /** `end` is the offset after the last byte. */
  override _readStreamForRange(start: number, end: number): Readable {
    return end === start ? Readable.from([]) : this.#file.open({ start, end: end - 1 });
  }
}

async function readArchive(file: UploadedFile): Promise<readonly ImportedFile[]> {
  let archive: ZipFile | undefined;
  try {
    archive = await fromRandomAccessReaderPromise(new UploadReader(file), file.bytes, {
      strictFileNames: true,
    });
    if (archive.entryCount > mostFiles) {
      const message = `has ${archive.entryCount} entries, of at most ${mostFiles}`;
      throw refused("the archive", message);
    }
    const files = new Map<string, string>();
    let left = mostBytes;
    for await (const entry of archive.eachEntry()) {
      const { fileName } = entry;
      // Names are never used as paths on disk.
      if (fileName.endsWith("/")) continue;
      refuseEntry(entry);
      if (files.has(fileName)) throw refused(fileName, "is twice in the archive");
      const stream = await archive.openReadStreamPromise(entry);
      const text = await textOf(stream, fileName, Math.min(left, mostFileBytes), entry.crc32);
      left -= Buffer.byteLength(text);
      files.set(fileName, text);
    }
    if (files.size === 0) throw refused("the archive", "has no files");
    return [...files].map(([name, text]) => ({ name, text }));
  } catch (error) {
    throw asClientError(error);
  } finally {
    archive?.close();
  }
}

const typeMask = 0o170000;
const regularFile = 0o100000;

function refuseEntry(entry: Entry): void {
  const { fileName, externalFileAttributes, uncompressedSize } = entry;
  if (fileName.length > longestName) {
    const start = `${fileName.slice(0, 40)}…`;
    throw refused(start, `has a name of more than ${longestName} characters`);
  }
  const type = (externalFileAttributes >>> 16) & typeMask;
  if (type !== 0 && type !== regularFile) throw refused(fileName, "is not a plain file");
  if (!extensions.includes(extname(fileName).toLowerCase())) {
    throw refused(fileName, `expected a file that ends with ${extensions.join(", ")}`);
  }
  if (entry.isEncrypted()) throw refused(fileName, "is encrypted");
  if (uncompressedSize > mostFileBytes) {
    throw refused(fileName, `has more than ${mostFileBytes} bytes`);
  }
}

/** Counts the actual bytes, because the stated size of an entry may be wrong. `checksum`: CRC-32, if known. */
async function textOf(
  stream: NodeJS.ReadableStream,
  name: string,
  most: number,
  checksum?: number,
): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    bytes += chunk.length;
    if (bytes > most) throw refused(name, `has more than ${most} bytes`);
    chunks.push(chunk as Buffer);
  }
  const content = Buffer.concat(chunks);
  if (checksum !== undefined && crc32(content) !== checksum) {
    throw refused(name, "is damaged; its checksum does not match");
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(content);
  } catch {
    throw refused(name, "is not UTF-8 text");
  }
}

const refused = (name: string, message: string) =>
  errors.invalidRequest([{ at: `body.file: ${JSON.stringify(name)}`, message }]);

/** Errors in the archive are the caller's fault; disk errors are the server's. */
function asClientError(error: unknown): unknown {
  if (!(error instanceof Error) || error.name === "ApiError") return error;
  if ((error as NodeJS.ErrnoException).syscall !== undefined) return error;
  return refused("the archive", `cannot be read: ${error.message}`);
}
