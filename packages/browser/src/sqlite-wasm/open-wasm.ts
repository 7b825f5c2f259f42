import {
  sqliteDatabase,
  type Database,
  type SqliteParts,
} from "@security-platform/server/portable";
import { wasmDriver } from "./wasm-driver.ts";
import { MemoryFile, type Backing } from "./memory-file.ts";
import type { WasmLibrary } from "./wasm-library.ts";

export interface WasmDatabase extends Database {
  /** The bytes of the SQLite file, with everything that is committed. */
  content(): Uint8Array<ArrayBuffer>;
}

/** A file that is kept, and its content at the start. */
export interface StoredFile {
  readonly content: Uint8Array;
  readonly backing: Backing;
}

export interface WasmOptions extends Pick<SqliteParts, "restorable" | "statementMilliseconds"> {
  readonly library: WasmLibrary;
  /** The bytes of a SQLite file to start with. Default: an empty database. */
  readonly template?: Uint8Array | undefined;
  /** Where the database is kept. Default: nowhere. An empty one starts with the template. */
  readonly stored?: { readonly database: StoredFile; readonly journal: StoredFile } | undefined;
}

/**
 * The file system has no write-ahead log. Readers see only committed rows because changed pages stay in
 * the writer's cache until the commit, which no reader interrupts.
 */
const inMemory = "pragma journal_mode = memory; pragma synchronous = off; pragma cache_spill = off";
/** Brings back the last commit after a worker has ended in the middle of another one. */
const onDisk =
  "pragma journal_mode = delete; pragma synchronous = normal; pragma cache_spill = off";

let opened = 0;

/** Bytes, as in Node.js. The library's default is twice as much, and most tables of a new database fill no page. */
const pageSize = "pragma page_size = 4096";

/** Opens a new database in memory. */
export function openWasm({ library, template, stored, ...options }: WasmOptions): WasmDatabase {
  opened += 1;
  const path = `/platform-${opened}.db`;
  const { files } = library;
  const remove = (): void => {
    files.delete(path);
    files.delete(`${path}-journal`);
  };
  const journal = `${pageSize}; ${stored === undefined ? inMemory : onDisk}`;
  try {
    files.set(path, fileOf(stored?.database, template));
    if (stored !== undefined) files.set(`${path}-journal`, fileOf(stored.journal));
    const database = sqliteDatabase({
      driver: wasmDriver(library),
      path,
      journal,
      quickCommits: stored === undefined,
      ...options,
    });
    return {
      ...database,
      content: () => {
        const file = files.get(path);
        if (file === undefined) throw new Error(`${path} is closed`);
        return file.content();
      },
      close: () => database.close().finally(remove),
    };
  } catch (error) {
    remove();
    throw error;
  }
}

function fileOf(stored: StoredFile | undefined, template?: Uint8Array): MemoryFile {
  if (stored === undefined) return new MemoryFile(template);
  const file = new MemoryFile(stored.content, stored.backing);
  if (file.size === 0 && template !== undefined) file.write(template, 0);
  return file;
}
