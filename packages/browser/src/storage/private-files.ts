/** What a browser has for files of an origin: the part of the File System standard that workers use. */
export interface SyncHandle {
  read(target: Uint8Array, options: { readonly at: number }): number;
  write(bytes: Uint8Array, options: { readonly at: number }): number;
  truncate(size: number): void;
  getSize(): number;
  flush(): void;
  close(): void;
}

export interface FileHandle {
  readonly kind: "file";
  createSyncAccessHandle(): Promise<SyncHandle>;
}

export interface FolderHandle {
  readonly kind: "directory";
  getDirectoryHandle(name: string, options: { readonly create: boolean }): Promise<FolderHandle>;
  getFileHandle(name: string, options: { readonly create: boolean }): Promise<FileHandle>;
  removeEntry(name: string): Promise<void>;
  entries(): AsyncIterable<readonly [string, FileHandle | FolderHandle]>;
}

/** The content of a file. */
export function contentOf(handle: SyncHandle): Uint8Array<ArrayBuffer> {
  const content = new Uint8Array(handle.getSize());
  handle.read(content, { at: 0 });
  return content;
}

/** Writes all bytes. Throws the error below if there is no space left. */
export function writeAll(handle: SyncHandle, bytes: Uint8Array, at: number): void {
  let written: number;
  try {
    written = handle.write(bytes, { at });
  } catch (error) {
    throw isNoSpace(error) ? noSpace(error) : error;
  }
  // Chromium returns a code that is no count.
  if (written !== bytes.length) throw noSpace(undefined);
}

export const isNoSpace = (error: unknown): boolean =>
  error instanceof Error && error.name === "QuotaExceededError";

/** The error for a site whose space is full, with the code that Node.js has for it. */
export function noSpace(cause: unknown): Error {
  const message =
    "storage: the browser's space for this site is full; free some, or leave out the option, and everything is in memory";
  return Object.assign(new Error(message, { cause }), { code: "ENOSPC" });
}
