import { closeSync, constants, fstatSync, openSync, readSync, statSync } from "node:fs";

/** A file's text, or why it cannot be read. */
export type FileText = { readonly text: string } | { readonly problem: string };

/** The bytes that a document with all its files may still have. */
export interface Room {
  readonly megabytes: number;
  left: number;
}

/** The default for the size of a document with all its files. */
export const mostMegabytes = 32;

export const roomFor = (megabytes: number = mostMegabytes): Room => ({
  megabytes,
  left: megabytes * 1024 * 1024,
});

/** Takes bytes from the room; false if they do not fit. */
export function take(room: Room, bytes: number): boolean {
  room.left -= bytes;
  return room.left >= 0;
}

export const tooLarge = ({ megabytes }: Room): { readonly problem: string } => ({
  problem: `is larger than ${megabytes} MB, the limit for a document with all its files; raise it with --max-size`,
});

/** Reads a regular file: a pipe or a device could block for ever, or never end. */
export function readRegularFile(path: string, room: Room): FileText {
  let descriptor: number | undefined;
  try {
    // Opening a pipe may block, so the kind of the file is checked before and after.
    if (!statSync(path).isFile()) return notRegular(path);
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const { size } = fstatSync(descriptor);
    if (!fstatSync(descriptor).isFile()) return notRegular(path);
    if (size > room.left) return tooLarge(room);
    // A file may grow, and files of /proc claim to be empty.
    const parts: Buffer[] = [];
    for (;;) {
      const part = Buffer.allocUnsafe(parts.length === 0 ? size + 1 : 64 * 1024);
      const length = readSync(descriptor, part);
      if (length === 0) break;
      if (!take(room, length)) return tooLarge(room);
      parts.push(part.subarray(0, length));
    }
    return { text: Buffer.concat(parts).toString("utf8") };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return {
      problem: code === "ENOENT" ? "does not exist" : `cannot be read: ${message}`,
    };
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** Reads the standard input to its end. */
export function readStandardInput(room: Room): FileText {
  const parts: Buffer[] = [];
  for (;;) {
    const part = Buffer.allocUnsafe(64 * 1024);
    let length: number;
    try {
      length = readSync(0, part);
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      // Windows reports the end of a pipe as an error.
      if (code === "EOF") break;
      return { problem: `cannot be read: ${message}` };
    }
    if (length === 0) break;
    if (!take(room, length)) return tooLarge(room);
    parts.push(part.subarray(0, length));
  }
  return { text: Buffer.concat(parts).toString("utf8") };
}

const notRegular = (path: string): { readonly problem: string } => ({
  problem: statSync(path).isDirectory() ? "is a folder, not a file" : "is not a regular file",
});
