import { Buffer } from "./buffer.ts";
import { callBack } from "./call-back.ts";
import { Transform } from "./stream.ts";

type Format = "gzip" | "deflate-raw";
type Done = (error: Error | null, result?: Buffer) => void;

/** A stream of Node.js through one of the browser. */
function through({ readable, writable }: ReadableWritablePair<Uint8Array, Uint8Array>): Transform {
  const writer = writable.getWriter();
  const reader = readable.getReader();
  const stream = new Transform({
    destroy: (error, done) => void callBack(reader.cancel(error), () => done(error)),
    transform: (chunk: Uint8Array, _, done) => void callBack(asData(writer.write(chunk)), done),
    flush: (done) => void callBack(asData(writer.close().then(() => read)), done),
  });
  const read = pushAll(reader, stream);
  read.catch(() => undefined);
  return stream;
}

async function pushAll(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  stream: Transform,
): Promise<void> {
  for (;;) {
    const { done, value } = await reader.read();
    if (done || stream.destroyed) return;
    stream.push(Buffer.from(value));
  }
}

/** Gives an error the code that zlib has for data that is no compressed data. */
async function asData(work: Promise<void>): Promise<undefined> {
  try {
    await work;
  } catch (error) {
    throw Object.assign(new Error(`invalid compressed data: ${String(error)}`), {
      code: "Z_DATA_ERROR",
    });
  }
}

/** Libraries call it with `new`. */
export function DeflateRaw(): Transform {
  return through(new CompressionStream("deflate-raw"));
}

export const createInflateRaw = (): Transform => through(new DecompressionStream("deflate-raw"));

function compress(content: Uint8Array | string, format: Format, done: Done): void {
  const source = new Blob([typeof content === "string" ? content : new Uint8Array(content)]);
  const stream = source.stream().pipeThrough(new CompressionStream(format));
  const compressed = new Response(stream).arrayBuffer();
  void callBack(
    compressed.then((bytes) => Buffer.from(bytes)),
    done,
  );
}

export const gzip = (content: Uint8Array | string, _options: object, done: Done): void =>
  compress(content, "gzip", done);

export const deflateRaw = (content: Uint8Array | string, _options: object, done: Done): void =>
  compress(content, "deflate-raw", done);

/** Levels, which browsers cannot choose. */
export const constants = { Z_BEST_SPEED: 1 };

const table = Uint32Array.from({ length: 256 }, (_, start) => {
  let value = start;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

export function crc32(content: Uint8Array | string, start = 0): number {
  let value = ~start;
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  for (const byte of bytes) value = (table[(value ^ byte) & 0xff] ?? 0) ^ (value >>> 8);
  return ~value >>> 0;
}
