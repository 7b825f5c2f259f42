import type { Pointer, WasmLibrary } from "./wasm-library.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** The memory of the WebAssembly module. */
export class WasmMemory {
  readonly #wasm: WasmLibrary["wasm"];

  constructor({ wasm }: WasmLibrary) {
    this.#wasm = wasm;
  }

  /** Valid until the memory grows. */
  view(pointer: Pointer, bytes: number): Uint8Array {
    return this.#wasm.heap8u().subarray(pointer, pointer + bytes);
  }

  /** Copies a text in UTF-8. The caller frees it. */
  addText(text: string): { readonly pointer: Pointer; readonly bytes: number } {
    // At most three bytes a UTF-16 code unit. One byte is allocated at least.
    const room = text.length * 3 + 1;
    const pointer = this.#wasm.alloc(room);
    const { written } = encoder.encodeInto(text, this.view(pointer, room));
    return { pointer, bytes: written };
  }

  /** Copies bytes. The caller frees them. */
  addBytes(bytes: Uint8Array): Pointer {
    const pointer = this.#wasm.alloc(bytes.length + 1);
    this.view(pointer, bytes.length).set(bytes);
    return pointer;
  }
}

/** Most texts are short ones of ASCII, for which the call of a decoder takes longer than the loop. */
const shortest = 24;

export function decodeText(bytes: Uint8Array): string {
  if (bytes.length > shortest) return decoder.decode(bytes);
  let decoded = "";
  for (const byte of bytes) {
    if (byte > 0x7f) return decoder.decode(bytes);
    decoded += String.fromCharCode(byte);
  }
  return decoded;
}
