import type { Sqlite3Static } from "@sqlite.org/sqlite-wasm";

/** An address in the memory of the WebAssembly module. */
export type Pointer = number;

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Most texts are short ones of ASCII, for which the call of an encoder or a decoder takes longer than a loop. */
const shortest = 24;
const longestAscii = 64;
const firstNonAscii = 0x80;

/** The memory of the WebAssembly module. The library's own functions for this take several times as long. */
export class WasmMemory {
  readonly #wasm: Sqlite3Static["wasm"];
  #bytes = new Uint8Array();
  #numbers = new Uint32Array();

  constructor(wasm: Sqlite3Static["wasm"]) {
    this.#wasm = wasm;
  }

  /** The whole memory. When it grows, the views of before become empty. */
  get #all(): Uint8Array {
    if (this.#bytes.length === 0) {
      this.#bytes = this.#wasm.heap8u() as Uint8Array<ArrayBuffer>;
      this.#numbers = this.#wasm.heap32u() as Uint32Array<ArrayBuffer>;
    }
    return this.#bytes;
  }

  /** Valid until the memory grows. */
  view(pointer: Pointer, bytes: number): Uint8Array {
    return this.#all.subarray(pointer, pointer + bytes);
  }

  /** An unsigned integer of 32 bits. */
  setNumber(pointer: Pointer, value: number): void {
    if (this.#all.length > 0) this.#numbers[pointer >> 2] = value;
  }

  /** The text in UTF-8. */
  text(pointer: Pointer, bytes: number): string {
    if (bytes > shortest) return decoder.decode(this.view(pointer, bytes));
    const all = this.#all;
    let text = "";
    for (let at = pointer; at < pointer + bytes; at += 1) {
      const byte = all[at] ?? 0;
      if (byte >= firstNonAscii) return decoder.decode(this.view(pointer, bytes));
      text += String.fromCharCode(byte);
    }
    return text;
  }

  /** The text in UTF-8 that ends with a zero. */
  textToZero(pointer: Pointer): string {
    return this.text(pointer, this.#all.indexOf(0, pointer) - pointer);
  }

  /** Copies a text in UTF-8. The caller frees it. */
  addText(text: string): { readonly pointer: Pointer; readonly bytes: number } {
    // At most three bytes a UTF-16 code unit. One byte is allocated at least.
    const room = text.length * 3 + 1;
    const pointer = this.#wasm.alloc(room);
    if (this.#putAscii(text, pointer)) return { pointer, bytes: text.length };
    const { written } = encoder.encodeInto(text, this.view(pointer, room));
    return { pointer, bytes: written };
  }

  /** Copies bytes. The caller frees them. */
  addBytes(bytes: Uint8Array): Pointer {
    const pointer = this.#wasm.alloc(bytes.length + 1);
    this.view(pointer, bytes.length).set(bytes);
    return pointer;
  }

  /** Returns false for a text that is long or not ASCII. */
  #putAscii(text: string, pointer: Pointer): boolean {
    if (text.length > longestAscii) return false;
    const all = this.#all;
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code >= firstNonAscii) return false;
      all[pointer + at] = code;
    }
    return true;
  }
}
