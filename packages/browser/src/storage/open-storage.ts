import { readSecretKeys, type Home, type KeptFiles } from "@security-platform/server/portable";
import type { StoredFile } from "../sqlite-wasm/open-wasm.ts";
import {
  contentOf,
  isNoSpace,
  noSpace,
  writeAll,
  type FolderHandle,
  type SyncHandle,
} from "./private-files.ts";

/** What a browser keeps of a platform between visits. */
export interface Storage {
  /** What the stored platform was started with; null: there is none yet. */
  readonly home: Home | null;
  readonly database: StoredFile;
  readonly journal: StoredFile;
  readonly blobs: KeptFiles;
  /** Called with the bytes of the complete database. Without it, nothing is kept, and the next start begins anew. */
  keep(home: Home, content: Uint8Array): Promise<void>;
  /** The error to throw if the database cannot be read. */
  damaged(cause: unknown): Error;
}

const root = "security-platform";
const names = /^(?!\.+$)[\w.-]{1,64}$/;
/** Milliseconds. A worker that is ended in the middle of work keeps its files for 2 s in Chromium. */
const longestEnd = 4_000;
const pause = 100;
const instead = "or leave out the option, and everything is in memory";

/** Opens the files of a platform, which only one worker can at a time. Throws an error that says what to do. */
export async function openStorage(name: string): Promise<Storage> {
  if (typeof name !== "string" || !names.test(name)) {
    throw new RangeError(
      `storage: expected 1 to 64 letters, digits, ".", "-" or "_", got ${String(name)}`,
    );
  }
  const folder = await openFolder(name);
  const database = await openExclusively(folder, "platform.db", name, longestEnd);
  const journal = await openExclusively(folder, "platform.db-journal", name);
  const kept = await openExclusively(folder, "home.json", name);
  const home = homeIn(contentOf(kept), name);
  if (home === null) for (const handle of [database, journal]) handle.truncate(0);
  // Otherwise the platform would start with an empty database, as if nothing had been lost.
  else if (database.getSize() === 0) throw damaged(name, new Error("platform.db is empty"));
  // A browser takes a millisecond to write a page, and a generated world changes thousands of them one by one.
  let isKept = home !== null;
  const onceKept = (work: () => void): void => {
    if (isKept) work();
  };
  const storedFile = (handle: SyncHandle): StoredFile => ({
    content: contentOf(handle),
    backing: {
      write: (bytes, at) => onceKept(() => writeAll(handle, bytes, at)),
      truncate: (size) => onceKept(() => handle.truncate(size)),
      flush: () => onceKept(() => handle.flush()),
    },
  });
  return {
    home,
    database: storedFile(database),
    journal: storedFile(journal),
    blobs: await keptFiles(await folder.getDirectoryHandle("files", { create: true })),
    keep: async (given, content) => {
      writeAll(database, content, 0);
      database.flush();
      isKept = true;
      const text = new TextEncoder().encode(JSON.stringify(given));
      kept.truncate(0);
      writeAll(kept, text, 0);
      kept.flush();
    },
    damaged: (cause) => damaged(name, cause),
  };
}

const damaged = (name: string, cause: unknown): Error =>
  new Error(
    `storage: ${name} is damaged; delete this site's data in the browser, choose another name, ${instead}`,
    { cause },
  );

async function openFolder(name: string): Promise<FolderHandle> {
  const { storage } = navigator as unknown as {
    readonly storage?: { getDirectory?(): Promise<FolderHandle> };
  };
  if (storage?.getDirectory === undefined) {
    throw new Error(
      `storage: this browser keeps no files of pages, or the page is not served over HTTPS; ${instead}`,
    );
  }
  try {
    const top = await (await storage.getDirectory()).getDirectoryHandle(root, { create: true });
    return await top.getDirectoryHandle(name, { create: true });
  } catch (error) {
    if (isNoSpace(error)) throw noSpace(error);
    throw new Error(`storage: the browser refuses files of this page; ${instead}`, {
      cause: error,
    });
  }
}

async function openExclusively(
  folder: FolderHandle,
  file: string,
  name: string,
  patience = 0,
): Promise<SyncHandle> {
  const handle = await folder.getFileHandle(file, { create: true });
  try {
    return await handle.createSyncAccessHandle();
  } catch (error) {
    if (patience > 0) {
      await new Promise((resolve) => setTimeout(resolve, pause));
      return openExclusively(folder, file, name, patience - pause);
    }
    throw new Error(
      `storage: another tab or platform uses ${name}; close it, choose another name, ${instead}`,
      { cause: error },
    );
  }
}

/** Null for an empty file: the first start was not completed. */
function homeIn(content: Uint8Array, name: string): Home | null {
  if (content.length === 0) return null;
  try {
    const home = JSON.parse(new TextDecoder().decode(content)) as Home;
    readSecretKeys(home.keyText);
    return home;
  } catch (error) {
    throw damaged(name, error);
  }
}

/** Files by their hashes. One that a closed tab has not written to its end is removed. */
async function keptFiles(folder: FolderHandle): Promise<KeptFiles> {
  const content = new Map<string, Uint8Array>();
  for await (const [sha256, entry] of folder.entries()) {
    if (entry.kind !== "file") continue;
    const handle = await entry.createSyncAccessHandle();
    const bytes = contentOf(handle);
    handle.close();
    if ((await hashOf(bytes)) === sha256) content.set(sha256, bytes);
    else await folder.removeEntry(sha256);
  }
  return {
    content,
    write: async (sha256, bytes) => {
      const entry = await folder.getFileHandle(sha256, { create: true });
      const handle = await entry.createSyncAccessHandle();
      try {
        writeAll(handle, bytes, 0);
        handle.flush();
      } finally {
        handle.close();
      }
    },
    remove: (sha256) => folder.removeEntry(sha256),
  };
}

async function hashOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return [...hash].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
