import { createReadStream } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { largestBlob, type ReceivedFile, type Reception, type StoredBlob } from "./blob-store.ts";
import { incomingName } from "./incoming.ts";
import { writeFile } from "./write-file.ts";

/** Moves a file with a known hash into a blob store. */
export type Adopt = (path: string, blob: StoredBlob) => Promise<void>;

/** Receives files in a folder of their own. */
export class DiskReception implements Reception {
  readonly #folder: string;
  readonly #adopt: Adopt;
  #files = 0;

  private constructor(folder: string, adopt: Adopt) {
    this.#folder = folder;
    this.#adopt = adopt;
  }

  /** `incoming`: the folder for files before they enter the store. */
  static async begin(incoming: string, adopt: Adopt): Promise<DiskReception> {
    const folder = join(incoming, incomingName());
    await mkdir(folder, { mode: 0o700 });
    return new DiskReception(folder, adopt);
  }

  async receive(
    content: AsyncIterable<Uint8Array | string>,
    stored: (bytes: number) => void = () => undefined,
  ): Promise<ReceivedFile> {
    const path = join(this.#folder, String(this.#files));
    this.#files += 1;
    const copied = (chunk: Uint8Array): void => {
      // A detached buffer has no length.
      const { length } = chunk;
      release(chunk);
      stored(length);
    };
    const options = { limit: largestBlob, sync: false, copied };
    return fileOnDisk(path, await writeFile(path, bytesOf(content), options), this.#adopt);
  }

  end(): Promise<void> {
    return rm(this.#folder, { recursive: true, force: true });
  }
}

const fileOnDisk = (path: string, blob: StoredBlob, adopt: Adopt): ReceivedFile => ({
  ...blob,
  open: (range) => createReadStream(path, range ?? {}),
  keep: () => adopt(path, blob),
  discard: () => rm(path, { force: true }),
});

async function* bytesOf(content: AsyncIterable<Uint8Array | string>): AsyncGenerator<Uint8Array> {
  for await (const chunk of content) yield typeof chunk === "string" ? Buffer.from(chunk) : chunk;
}

/**
 * Frees a copied chunk if nothing else is in its memory. Chunks use memory outside the heap. Each 64 MB of it
 * that waits for the garbage collector makes V8 collect the whole heap.
 */
function release({ buffer, length }: Uint8Array): void {
  if (length === buffer.byteLength && buffer instanceof ArrayBuffer) buffer.transfer(0);
}
