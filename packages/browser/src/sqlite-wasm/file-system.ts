import type { Sqlite3Static, WasmPointer } from "@sqlite.org/sqlite-wasm";
import { MemoryFile } from "./memory-file.ts";
import type { WasmMemory } from "./wasm-memory.ts";

/** The name that SQLite knows the file system by. */
export const fileSystemName = "memory-files";

const longestPath = 512;
const ok = 0;
const busy = 5;
const full = 13;
const cannotOpen = 14;
const shortRead = 522;
/** Levels of locks: from this one on, a connection writes. */
const reserved = 2;

/** The parts of the library that this needs. */
export type SqliteModule = Pick<Sqlite3Static, "capi" | "wasm" | "vfs">;

/** Files in memory, by their paths. */
export type Files = Map<string, MemoryFile>;

/** The declarations of the library lack it. */
interface Sized {
  readonly structInfo: { readonly sizeof: number };
}

type Methods = InstanceType<SqliteModule["capi"]["sqlite3_io_methods"]>;
type ResultCode = ReturnType<Methods["xSync"]>;

interface Opened {
  readonly file: MemoryFile;
  /** The path of a file that is deleted when it is closed; null for others. */
  readonly path: string | null;
}

/**
 * Registers a file system for SQLite whose files are in memory. The one of the library looks for each file by its
 * path several times a statement, which takes longer than most statements. One connection writes at a time.
 */
export function installFileSystem({ capi, wasm, vfs }: SqliteModule, memory: WasmMemory): Files {
  const files: Files = new Map();
  const opened = new Map<WasmPointer, Opened>();
  const fileOf = (pointer: WasmPointer): MemoryFile => {
    const entry = opened.get(pointer);
    if (entry === undefined) throw new Error("this file is closed");
    return entry.file;
  };
  /** The only error is that of a backing. */
  const whileSpace = (work: () => void): ResultCode => {
    try {
      work();
      return ok;
    } catch {
      return full;
    }
  };

  const io = new capi.sqlite3_io_methods();
  Object.assign(io, { $iVersion: 1 });
  const system = new capi.sqlite3_vfs();
  const standard = new capi.sqlite3_vfs(capi.sqlite3_vfs_find(null) as WasmPointer);
  const inherited = ["$xRandomness", "$xSleep", "$xCurrentTime", "$xCurrentTimeInt64"];
  for (const name of inherited) Object.assign(system, { [name]: Reflect.get(standard, name) });
  standard.dispose();
  Object.assign(system, {
    $iVersion: 2,
    $szOsFile: (capi.sqlite3_file as unknown as Sized).structInfo.sizeof,
    $mxPathname: longestPath,
  });

  vfs.installVfs({
    io: {
      struct: io,
      methods: {
        xClose: (pointer) => {
          const entry = opened.get(pointer);
          opened.delete(pointer);
          if (entry?.file.writer === pointer) entry.file.writer = null;
          if (entry !== undefined && entry.path !== null) files.delete(entry.path);
          return ok;
        },
        xRead: (pointer, target, bytes, offset) => {
          const view = memory.view(target, bytes);
          const count = fileOf(pointer).read(view, Number(offset));
          if (count === bytes) return ok;
          view.fill(0, count);
          return shortRead;
        },
        xWrite: (pointer, source, bytes, offset) =>
          whileSpace(() => fileOf(pointer).write(memory.view(source, bytes), Number(offset))),
        xTruncate: (pointer, size) => whileSpace(() => fileOf(pointer).truncate(Number(size))),
        xSync: (pointer) => whileSpace(() => fileOf(pointer).flush()),
        xFileSize: (pointer, result) => {
          const { size } = fileOf(pointer);
          memory.setNumber(result, size % 2 ** 32);
          memory.setNumber(result + 4, Math.floor(size / 2 ** 32));
          return ok;
        },
        xLock: (pointer, level) => {
          const file = fileOf(pointer);
          if (level < reserved) return ok;
          if (file.writer !== null && file.writer !== pointer) return busy;
          file.writer = pointer;
          return ok;
        },
        xUnlock: (pointer, level) => {
          const file = fileOf(pointer);
          if (level < reserved && file.writer === pointer) file.writer = null;
          return ok;
        },
        xCheckReservedLock: (pointer, result) => {
          memory.setNumber(result, fileOf(pointer).writer === null ? 0 : 1);
          return ok;
        },
        xFileControl: () => capi.SQLITE_NOTFOUND,
        xSectorSize: () => 4_096 as ResultCode,
        xDeviceCharacteristics: () => 0,
      },
    },
    vfs: {
      struct: system,
      name: fileSystemName,
      methods: {
        xOpen: (_system, name, pointer, flags, flagsOut) => {
          const path = name === 0 ? null : memory.textToZero(name);
          let file = path === null ? new MemoryFile() : files.get(path);
          if (file === undefined) {
            if ((flags & capi.SQLITE_OPEN_CREATE) === 0) return cannotOpen;
            file = new MemoryFile();
            files.set(path ?? "", file);
          }
          const isTemporary = (flags & capi.SQLITE_OPEN_DELETEONCLOSE) !== 0;
          opened.set(pointer, { file, path: isTemporary ? path : null });
          const struct = new capi.sqlite3_file(pointer);
          Object.assign(struct, { $pMethods: io.pointer });
          struct.dispose();
          memory.setNumber(flagsOut, flags);
          return ok;
        },
        xDelete: (_system, name) => {
          const path = memory.textToZero(name);
          const file = files.get(path);
          if (file?.isKept !== true) {
            files.delete(path);
            return ok;
          }
          return whileSpace(() => {
            file.truncate(0);
            file.flush();
          });
        },
        xAccess: (_system, name, _flags, result) => {
          const file = files.get(memory.textToZero(name));
          // A kept file that is deleted stays open.
          const exists = file !== undefined && !(file.isKept && file.size === 0);
          memory.setNumber(result, exists ? 1 : 0);
          return ok;
        },
        xFullPathname: (_system, name, bytes, result) =>
          wasm.cstrncpy(result, name, bytes) < bytes ? ok : cannotOpen,
      },
    },
  });
  return files;
}
