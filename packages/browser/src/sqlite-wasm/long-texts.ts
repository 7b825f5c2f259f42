import type { Pointer, WasmMemory } from "./wasm-memory.ts";

/** Bytes of texts that are decoded together, because a call of the decoder would take longer than the decoding. */
const shortest = 200;
const longest = 8_192;
/** Bytes that are decoded at once. A text that is cut from more keeps all of it in memory, and decoding slows down. */
const room = 16 * 1024;

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const copied = new Uint8Array(room);

interface Place {
  readonly values: unknown[];
  readonly at: number;
  readonly end: number;
}

/**
 * Long texts of rows, such as those of records. They are copied one after the other, and decoded by one call: the calls
 * for a page of 100 records take a tenth of the time of its request.
 */
export class LongTexts {
  readonly #memory: WasmMemory;
  #places: Place[] = [];
  #used = 0;

  constructor(memory: WasmMemory) {
    this.#memory = memory;
  }

  static has(bytes: number): boolean {
    return bytes >= shortest && bytes <= longest;
  }

  /** Appends the text to the values, where it is when `decode` returns. */
  add(values: unknown[], pointer: Pointer, bytes: number): void {
    if (this.#used + bytes > room) this.decode();
    copied.set(this.#memory.view(pointer, bytes), this.#used);
    this.#used += bytes;
    this.#places.push({ values, at: values.length, end: this.#used });
    values.push(null);
  }

  decode(): void {
    if (this.#used === 0) return;
    const text = decoder.decode(copied.subarray(0, this.#used));
    // Then each byte is one character.
    const isAscii = text.length === this.#used;
    let start = 0;
    for (const { values, at, end } of this.#places) {
      values[at] = isAscii ? text.slice(start, end) : decoder.decode(copied.subarray(start, end));
      start = end;
    }
    this.#places = [];
    this.#used = 0;
  }
}
