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

/** All bytes of a file. */
export function contentOf(handle: SyncHandle): Uint8Array<ArrayBuffer> {
  const content = new Uint8Array(handle.getSize());
  handle.read(content, { at: 0 });
  return content;
}

/** Writes all bytes. Throws if there is no space left. */
export function writeAll(handle: SyncHandle, bytes: Uint8Array, at: number): void {
  const written = handle.write(bytes, { at });
  if (written !== bytes.length) throw new Error(`only ${written} of ${bytes.length} bytes fit`);
}
