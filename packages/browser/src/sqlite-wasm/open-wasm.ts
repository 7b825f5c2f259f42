import {
  sqliteDatabase,
  type Database,
  type SqliteParts,
} from "@security-platform/server/portable";
import { wasmDriver } from "./wasm-driver.ts";
import { MemoryFile } from "./memory-file.ts";
import type { WasmLibrary } from "./wasm-library.ts";

export interface WasmDatabase extends Database {
  /** The bytes of the SQLite file, with everything that is committed. */
  content(): Uint8Array<ArrayBuffer>;
}

export interface WasmOptions extends Pick<SqliteParts, "restorable" | "statementMilliseconds"> {
  readonly library: WasmLibrary;
  /** The bytes of a SQLite file to start with. Default: an empty database. */
  readonly template?: Uint8Array | undefined;
}

/**
 * The file system has no write-ahead log. Readers see only committed rows because changed pages stay in
 * the writer's cache until the commit, which no reader interrupts.
 */
const journal = "pragma journal_mode = memory; pragma synchronous = off; pragma cache_spill = off";

let opened = 0;

/** Opens a new database in memory. */
export function openWasm({ library, template, ...options }: WasmOptions): WasmDatabase {
  opened += 1;
  const path = `/platform-${opened}.db`;
  const { files } = library;
  files.set(path, new MemoryFile(template));
  try {
    const database = sqliteDatabase({ driver: wasmDriver(library), path, journal, ...options });
    return {
      ...database,
      content: () => {
        const file = files.get(path);
        if (file === undefined) throw new Error(`${path} is closed`);
        return file.content();
      },
      close: () => database.close().finally(() => files.delete(path)),
    };
  } catch (error) {
    files.delete(path);
    throw error;
  }
}
