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
  /** In bytes. Without it the request has no `Content-Length`, and its progress no total. */
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
  /** Its bytes from the start. Rejects with a `ClientError` if they cannot be read. */
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
  if (value instanceof Blob) {
    const name = value instanceof File ? value.name : usual.name;
    return from(() => value.stream(), { name, type: value.type || octets, size: value.size });
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

const isStream = (value: unknown): value is Bytes =>
  value instanceof ReadableStream ||
  (typeof value === "object" && value !== null && Symbol.asyncIterator in value);

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
      if (!(chunk instanceof Uint8Array)) {
        failed(`it contains a ${typeof chunk} where bytes (Uint8Array) were expected`);
      }
      bytes += chunk.byteLength;
      if (size !== undefined && bytes > size) failed(`it has more than its size of ${size} bytes`);
      yield chunk;
    }
  } catch (error) {
    if (error instanceof ClientError) throw error;
    failed(error instanceof Error ? error.message : String(error), error);
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
