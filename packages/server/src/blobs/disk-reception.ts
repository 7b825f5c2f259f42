import { createReadStream } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { StoredBlob } from "./blob-store.ts";
import { FileWriter } from "./file-writer.ts";
import { incomingName } from "./incoming.ts";
import type { ReceivedFile, Reception } from "./received.ts";

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
    const file = await FileWriter.create(path);
    let complete = false;
    try {
      await pipeline(content, collecting(file, stored));
      complete = true;
      return fileOnDisk(path, await file.finish({ sync: false }), this.#adopt);
    } finally {
      if (!complete) await file.abandon();
    }
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

function collecting(file: FileWriter, stored: (bytes: number) => void): Writable {
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      const { length } = chunk;
      const added = (): void => {
        release(chunk);
        try {
          stored(length);
          done();
        } catch (error) {
          done(error as Error);
        }
      };
      const full = file.add(chunk);
      if (full === undefined) added();
      else full.then(added, done);
    },
  });
}

/**
 * Frees a copied chunk if nothing else is in its memory. Chunks use memory outside the heap. Each 64 MB of it
 * that waits for the garbage collector makes V8 collect the whole heap.
 */
function release({ buffer, length }: Buffer): void {
  if (length === buffer.byteLength && buffer instanceof ArrayBuffer) buffer.transfer(0);
}
