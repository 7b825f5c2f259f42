import { files } from "#files";
import { ClientError } from "../wire/errors.ts";

/** Bytes that are read while they are sent. A `Readable` of Node.js is also one. */
export type Bytes = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

/** A file on the disk. It is read while it is sent, and again for a retry. */
export interface FileAtPath {
  readonly path: string | URL;
  /** Default: the last part of the path. */
  readonly name?: string | undefined;
}

/** A file from elsewhere, with its name. */
export interface FileWithContent {
  /**
   * A function opens the content for each request, so that the call can be retried. A stream can be read only
   * once.
   */
  readonly content: Blob | Bytes | (() => Bytes | Promise<Bytes>);
  /** Default: that of a `File`, otherwise `file`. */
  readonly name?: string | undefined;
  /** Size in bytes. Without it, the request has no `Content-Length`, and its progress no total. */
  readonly size?: number | undefined;
}

/** A file to send: from memory, from a path, or from a stream. */
export type FileToSend = Blob | Bytes | FileAtPath | FileWithContent;

/** A file that is ready to be sent. */
export interface Source {
  readonly name: string;
  readonly type: string;
  readonly size: number | undefined;
  readonly canReopen: boolean;
  /** Opens the file at its start. Reading rejects with a `ClientError` if it fails. */
  open(): AsyncGenerator<Uint8Array, void, undefined>;
}

const octets = "application/octet-stream";

/** The file of a member of a body. Throws a `TypeError` that starts with the place. */
export async function sourceOf(
  place: string,
  value: unknown,
  expectedSize?: number,
): Promise<Source> {
  const usual = { name: "file", type: octets, size: expectedSize, canReopen: true };
  const from = (open: () => unknown, more: Partial<Omit<Source, "open">>): Source => {
    const { name, type, size, canReopen } = { ...usual, ...more };
    return { name, type, size, canReopen, open: () => bytesOf(place, open, size) };
  };
  if (isBlob(value)) {
    const { name = usual.name } = value as { readonly name?: string };
    return from(() => streamOf(value), { name, type: value.type || octets, size: value.size });
  }
  if (isStream(value)) return from(() => value, { canReopen: false });
  if (typeof value === "function") return from(value as () => unknown, {});
  const { path, content, name, size } = (value ?? {}) as Partial<FileAtPath & FileWithContent>;
  if (path !== undefined) {
    const file = await files.find(path).catch((cause: unknown) => {
      throw new TypeError(`${place}: ${(cause as Error).message}`, { cause });
    });
    return from(file.open, { name: name ?? file.name, size: file.size });
  }
  if (content !== undefined) {
    const source = await sourceOf(`${place}.content`, content, size);
    return { ...source, name: name ?? source.name };
  }
  const kind = (value as object | null)?.constructor?.name ?? String(value);
  throw new TypeError(
    `${place} must be a Blob, a stream of bytes, { path } or { content }, not ${kind}; make a Blob of bytes or text with new Blob([…])`,
  );
}

// What a caller passes may come from another realm, such as that of jsdom. `instanceof` would not know it.
export const has = <Name extends string>(
  value: unknown,
  ...names: readonly Name[]
): value is Readonly<Record<Name, unknown>> =>
  typeof value === "object" && value !== null && names.every((name) => name in value);

export const isBlob = (value: unknown): value is Blob => has(value, "size", "type", "slice");

const isStream = (value: unknown): value is Bytes =>
  has(value, "getReader") || (has(value) && Symbol.asyncIterator in value);

const pieceBytes = 256 * 1024;

/** The bytes of a `Blob`. That of jsdom has no `stream`, and older ones no `arrayBuffer`. */
const streamOf = (blob: Blob): Bytes => ("stream" in blob ? blob.stream() : piecesOf(blob));

async function* piecesOf(blob: Blob): AsyncGenerator<Uint8Array, void, undefined> {
  for (let start = 0; start < blob.size; start += pieceBytes) {
    const piece = blob.slice(start, start + pieceBytes);
    yield new Uint8Array(await ("arrayBuffer" in piece ? piece.arrayBuffer() : readPiece(piece)));
  }
}

/** Node.js has no `FileReader`, and no type of it. */
interface Readers {
  readonly FileReader: new () => {
    onload: () => void;
    onerror: () => void;
    readonly result: ArrayBuffer;
    readonly error: Error;
    readAsArrayBuffer(piece: Blob): void;
  };
}

/** `FileReader` comes from where the `Blob` comes from. */
const readPiece = (piece: Blob): Promise<ArrayBuffer> =>
  new Promise((resolve, reject) => {
    const { FileReader } = globalThis as unknown as Readers;
    const reader = new FileReader();
    // oxlint-disable unicorn/prefer-add-event-listener, unicorn/prefer-blob-reading-methods -- the only way to read it
    reader.onload = () => resolve(reader.result);
    reader.onerror = () => reject(reader.error);
    reader.readAsArrayBuffer(piece);
    // oxlint-enable
  });

async function* bytesOf(
  place: string,
  open: () => unknown,
  size: number | undefined,
): AsyncGenerator<Uint8Array, void, undefined> {
  const failed = (message: string, cause?: unknown): never => {
    throw new ClientError(`${place} cannot be read: ${message}; nothing was stored`, { cause });
  };
  let bytes = 0;
  try {
    const stream = await open();
    if (!isStream(stream)) failed("the function returned no stream of bytes");
    for await (const chunk of chunksOf(stream as Bytes)) {
      if (!ArrayBuffer.isView(chunk)) {
        failed(`it contains a ${typeof chunk} where bytes (Uint8Array) were expected`);
      }
      const { buffer, byteOffset, byteLength } = chunk;
      bytes += byteLength;
      if (size !== undefined && bytes > size) failed(`it has more than its size of ${size} bytes`);
      // Of this realm, because `fetch` may not take another one.
      yield new Uint8Array(buffer, byteOffset, byteLength);
    }
  } catch (error) {
    if (error instanceof ClientError) throw error;
    failed(has(error, "message") ? String(error.message) : String(error), error);
  }
  if (size !== undefined && bytes < size) failed(`it has ${bytes} bytes, its size is ${size}`);
}

/** Safari's streams are not iterable. */
async function* chunksOf(stream: Bytes): AsyncGenerator<Uint8Array, void, undefined> {
  if (Symbol.asyncIterator in stream) return yield* stream;
  const reader = (stream as ReadableStream<Uint8Array>).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    reader.cancel().catch(() => undefined);
  }
}
