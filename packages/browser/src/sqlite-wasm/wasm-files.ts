import type { WasmLibrary } from "./wasm-library.ts";

/** Creates a file in the memory of the library. */
export function createFile({ capi }: WasmLibrary, path: string, content: Uint8Array): void {
  capi.sqlite3_js_posix_create_file(path, content);
}

/** The bytes of a database without its open transactions. Throws if there is no such file. */
export function readFile({ capi, wasm }: WasmLibrary, path: string): Uint8Array<ArrayBuffer> {
  const out = wasm.alloc(4);
  const code = capi.sqlite3_open_v2(path, out, capi.SQLITE_OPEN_READONLY, 0);
  const database = wasm.peekPtr(out);
  wasm.dealloc(out);
  try {
    if (code !== 0) throw new Error(`${path}: ${capi.sqlite3_errmsg(database)}`);
    return capi.sqlite3_js_db_export(database);
  } finally {
    capi.sqlite3_close_v2(database);
  }
}

/** Frees the memory of a file. */
export function removeFile({ wasm, exports }: WasmLibrary, path: string): void {
  const name = wasm.allocCString(path, false);
  exports.sqlite3__wasm_vfs_unlink(0, name);
  wasm.dealloc(name);
}
