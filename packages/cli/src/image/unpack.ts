import { Readable, pipeline } from "node:stream";
import { createGunzip, createZstdDecompress } from "node:zlib";
import { describeError } from "../terminal/describe-error.ts";
import { CommandError } from "../terminal/exit-codes.ts";
import { cannotScan, type Limits } from "./limits.ts";

/** The used part of the limits of an image. */
export interface Usage {
  unpackedBytes: number;
  entries: number;
}

const chunkBytes = 1024 * 1024;
const formats: readonly (readonly [name: string, magic: readonly number[]])[] = [
  ["gzip", [0x1f, 0x8b]],
  ["zstd", [0x28, 0xb5, 0x2f, 0xfd]],
  ["bzip2", [0x42, 0x5a, 0x68]],
  ["xz", [0xfd, 0x37, 0x7a, 0x58, 0x5a]],
];

/** The tar archive of a layer, which may be compressed with gzip or zstd. Rejects zip bombs. */
export async function* unpack(
  chunks: AsyncIterable<Buffer>,
  { name, size }: { readonly name: string; readonly size: number },
  limits: Limits,
  usage: Usage,
): AsyncGenerator<Buffer> {
  let unpacked = 0;
  try {
    for await (const chunk of await inflated(chunks, name)) {
      unpacked += chunk.length;
      usage.unpackedBytes += chunk.length;
      if (usage.unpackedBytes > limits.unpackedBytes) {
        throw cannotScan(
          `its layers unpack to more than ${limits.unpackedBytes} bytes; --max-size allows more`,
        );
      }
      if (unpacked > limits.ratioFrom && unpacked > size * limits.ratio) {
        throw cannotScan(
          `${name} unpacks to more than ${limits.ratio} times its size; it looks like a zip bomb`,
        );
      }
      yield chunk;
    }
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw cannotScan(`${name} cannot be decompressed: ${describeError(error)}`);
  }
}

async function inflated(
  chunks: AsyncIterable<Buffer>,
  name: string,
): Promise<AsyncIterable<Buffer>> {
  const iterator = chunks[Symbol.asyncIterator]();
  const { value: first } = await iterator.next();
  const all = (async function* (): AsyncGenerator<Buffer> {
    if (first !== undefined) yield first;
    yield* { [Symbol.asyncIterator]: () => iterator };
  })();
  const format = formats.find(([, magic]) =>
    magic.every((byte, index) => first?.[index] === byte),
  )?.[0];
  if (format === undefined) return all;
  if (format !== "gzip" && format !== "zstd") {
    throw cannotScan(
      `${name} is compressed with ${format}; expected gzip, zstd or a plain tar archive`,
    );
  }
  const inflate =
    format === "gzip"
      ? createGunzip({ chunkSize: chunkBytes })
      : createZstdDecompress({ chunkSize: chunkBytes });
  // Errors arrive at the reader of the last stream.
  pipeline(Readable.from(all), inflate, () => undefined);
  return inflate as AsyncIterable<Buffer>;
}
