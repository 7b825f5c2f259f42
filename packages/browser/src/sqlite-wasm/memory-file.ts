/** A multiple of the database's page size, so that a page is in one chunk. */
const chunkBytes = 65_536;

/** Keeps what is written to a file. Throws if there is no space left. */
export interface Backing {
  write(bytes: Uint8Array, at: number): void;
  truncate(size: number): void;
  flush(): void;
}

/** The content of a file, in chunks, so that a large one grows without being copied. */
export class MemoryFile {
  readonly #chunks: Uint8Array[] = [];
  readonly #backing: Backing | undefined;
  #size = 0;
  /** The connection that writes. */
  writer: number | null = null;

  /** `content` is what the backing has. */
  constructor(content: Uint8Array = new Uint8Array(), backing?: Backing) {
    this.#put(content, 0);
    this.#backing = backing;
  }

  /** Whether a backing keeps it. */
  get isKept(): boolean {
    return this.#backing !== undefined;
  }

  /** Bytes. */
  get size(): number {
    return this.#size;
  }

  /** Returns the number of bytes, which is smaller than the target at the end of the file. */
  read(target: Uint8Array, at: number): number {
    const count = Math.max(0, Math.min(target.length, this.#size - at));
    this.#eachPart(at, count, (chunk, from, done, bytes) => {
      target.set(chunk.subarray(from, from + bytes), done);
    });
    return count;
  }

  write(source: Uint8Array, at: number): void {
    this.#backing?.write(source, at);
    this.#put(source, at);
  }

  truncate(size: number): void {
    if (size >= this.#size) return;
    this.#backing?.truncate(size);
    this.#size = size;
    this.#chunks.length = Math.ceil(size / chunkBytes);
    // What is written behind the end later reads as zeros up to there.
    this.#chunks.at(-1)?.fill(0, size - (this.#chunks.length - 1) * chunkBytes);
  }

  flush(): void {
    this.#backing?.flush();
  }

  content(): Uint8Array<ArrayBuffer> {
    const content = new Uint8Array(this.#size);
    this.read(content, 0);
    return content;
  }

  #put(source: Uint8Array, at: number): void {
    const end = at + source.length;
    while (this.#chunks.length * chunkBytes < end) this.#chunks.push(new Uint8Array(chunkBytes));
    this.#eachPart(at, source.length, (chunk, from, done, bytes) => {
      chunk.set(source.subarray(done, done + bytes), from);
    });
    this.#size = Math.max(this.#size, end);
  }

  #eachPart(
    at: number,
    count: number,
    work: (chunk: Uint8Array, from: number, done: number, bytes: number) => void,
  ): void {
    for (let done = 0; done < count;) {
      const from = (at + done) % chunkBytes;
      const bytes = Math.min(count - done, chunkBytes - from);
      const chunk = this.#chunks[Math.floor((at + done) / chunkBytes)];
      if (chunk === undefined) throw new RangeError(`no byte ${at + done} in ${this.#size}`);
      work(chunk, from, done, bytes);
      done += bytes;
    }
  }
}
