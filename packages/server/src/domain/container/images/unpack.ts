import { Readable, pipeline } from "node:stream";
import { createGunzip, createZstdDecompress } from "node:zlib";
import { cannotScan, ImageError, reasonOf, type Limits } from "./limits.ts";

/** The used part of the limits of an image. */
export interface Usage {
  unpackedBytes: number;
  /** Unpacked bytes of archives inside the layers. */
  innerBytes: number;
  entries: number;
}

export const noUsage = (): Usage => ({ unpackedBytes: 0, innerBytes: 0, entries: 0 });

/** Counts unpacked bytes. Throws when there are more than the limits allow. */
export class Meter {
  readonly #name: string;
  readonly #size: number;
  readonly #limits: Limits;
  readonly #usage: Usage;
  readonly #counter: "unpackedBytes" | "innerBytes";
  #bytes = 0;

  /** `size`: of the packed content. `counter`: where the bytes are added. */
  constructor(
    { name, size }: { readonly name: string; readonly size: number },
    limits: Limits,
    usage: Usage,
    counter: "unpackedBytes" | "innerBytes",
  ) {
    this.#name = name;
    this.#size = size;
    this.#limits = limits;
    this.#usage = usage;
    this.#counter = counter;
  }

  take(bytes: number): void {
    const { unpackedBytes, layerBytes, archiveBytes, ratio, ratioFrom } = this.#limits;
    const usage = this.#usage;
    this.#bytes += bytes;
    usage[this.#counter] += bytes;
    const isLayer = this.#counter === "unpackedBytes";
    const most = isLayer ? layerBytes : archiveBytes;
    if (usage.unpackedBytes + usage.innerBytes > unpackedBytes) {
      throw cannotScan(`its layers unpack to more than ${unpackedBytes} bytes`, "unpackedBytes");
    }
    if (this.#bytes > most) {
      const limit = isLayer ? "layerBytes" : "archiveBytes";
      throw cannotScan(`${this.#name} unpacks to more than ${most} bytes`, limit);
    }
    if (this.#bytes > ratioFrom && this.#bytes > this.#size * ratio) {
      throw cannotScan(
        `${this.#name} unpacks to more than ${ratio} times its size; it looks like a zip bomb`,
        "ratio",
      );
    }
  }
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
  packed: { readonly name: string; readonly size: number },
  limits: Limits,
  usage: Usage,
): AsyncGenerator<Buffer> {
  const { name } = packed;
  const meter = new Meter(packed, limits, usage, "unpackedBytes");
  const source = chunks[Symbol.asyncIterator]();
  try {
    for await (const chunk of await inflated(source, name)) {
      meter.take(chunk.length);
      yield chunk;
    }
  } catch (error) {
    if (error instanceof ImageError) throw error;
    throw cannotScan(`${name} cannot be decompressed: ${reasonOf(error)}`);
  } finally {
    // Closes the file, however far it was read.
    await source.return?.();
  }
}

async function inflated(
  iterator: AsyncIterator<Buffer>,
  name: string,
): Promise<AsyncIterable<Buffer>> {
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
