import initialize from "@sqlite.org/sqlite-wasm";
import { installFileSystem, type Files, type SqliteModule } from "./file-system.ts";
import { WasmMemory, type Pointer } from "./wasm-memory.ts";

/**
 * The functions of the module itself. The library's wrappers convert each value with a generic converter, which takes
 * several times as long.
 */
export interface WasmExports {
  sqlite3_bind_parameter_count(statement: Pointer): number;
  sqlite3_bind_null(statement: Pointer, index: number): number;
  sqlite3_bind_double(statement: Pointer, index: number, value: number): number;
  sqlite3_bind_int64(statement: Pointer, index: number, value: bigint): number;
  sqlite3_bind_text(
    statement: Pointer,
    index: number,
    text: Pointer,
    bytes: number,
    destructor: Pointer,
  ): number;
  sqlite3_bind_blob(
    statement: Pointer,
    index: number,
    data: Pointer,
    bytes: number,
    destructor: Pointer,
  ): number;
  sqlite3_clear_bindings(statement: Pointer): number;
  sqlite3_step(statement: Pointer): number;
  sqlite3_reset(statement: Pointer): number;
  sqlite3_column_count(statement: Pointer): number;
  sqlite3_column_name(statement: Pointer, column: number): Pointer;
  sqlite3_column_type(statement: Pointer, column: number): number;
  sqlite3_column_double(statement: Pointer, column: number): number;
  sqlite3_column_text(statement: Pointer, column: number): Pointer;
  sqlite3_column_blob(statement: Pointer, column: number): Pointer;
  sqlite3_column_bytes(statement: Pointer, column: number): number;
  sqlite3_get_autocommit(database: Pointer): number;
  sqlite3_stmt_status(statement: Pointer, counter: number, reset: number): number;
}

export interface WasmLibrary extends SqliteModule {
  readonly exports: WasmExports;
  readonly memory: WasmMemory;
  readonly files: Files;
}

const otherFileSystems = {
  kvvfs: true,
  opfs: true,
  "opfs-vfs": true,
  "opfs-sahpool": true,
  "opfs-wl": true,
};

let loading: Promise<WasmLibrary> | undefined;

/** Loads SQLite compiled to WebAssembly, once. Throws if the runtime has no WebAssembly or refuses it. */
export function loadWasmLibrary(): Promise<WasmLibrary> {
  // The library reads this when it starts. Its other file systems need workers and files of their own.
  Object.assign(globalThis, { sqlite3ApiConfig: { disable: { vfs: otherFileSystems } } });
  loading ??= initialize().then(
    ({ capi, wasm, vfs }) => {
      const memory = new WasmMemory(wasm);
      return {
        capi,
        wasm,
        vfs,
        memory,
        exports: wasm.exports as WasmExports,
        files: installFileSystem({ capi, wasm, vfs }, memory),
      };
    },
    (error: unknown) => {
      throw new Error(`sqlite3.wasm could not be loaded: ${String(error)}`, { cause: error });
    },
  );
  return loading;
}
