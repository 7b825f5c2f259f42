import { isUtf8 } from "node:buffer";
import { closeSync, constants, fstatSync, openSync, readSync, statSync } from "node:fs";

/** A file's text, or why it cannot be read. */
export type FileText =
  | {
      readonly text: string;
      /** Line, column and value of the first byte that is not UTF-8. */
      readonly notUtf8?: string;
    }
  | { readonly problem: string };

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

/** The text of bytes. Those that are not UTF-8 are read as U+FFFD. */
export function textFrom(parts: readonly Uint8Array[]): FileText {
  const bytes = Buffer.concat(parts);
  if (isUtf8(bytes)) return { text: bytes.toString("utf8") };
  if (/^(?:fffe|feff)/.test(bytes.toString("hex", 0, 2))) {
    return { problem: "is UTF-16; save it as UTF-8" };
  }
  const text = bytes.toString("utf8");
  return { text, notUtf8: firstInvalid(bytes, text) };
}

/** Where the text has a replacement character that the bytes do not have. */
function firstInvalid(bytes: Buffer, text: string): string {
  let before = "";
  let offset = 0;
  for (const piece of text.split("\uFFFD")) {
    before += piece;
    offset += Buffer.byteLength(piece);
    if (bytes.toString("hex", offset, offset + 3) !== "efbfbd") break;
    before += "\uFFFD";
    offset += 3;
  }
  const lines = before.split("\n");
  const column = (lines.at(-1)?.length ?? 0) + 1;
  const byte = (bytes[offset] ?? 0).toString(16).toUpperCase().padStart(2, "0");
  return `${lines.length}:${column}: the byte 0x${byte} is not UTF-8`;
}

/** The reason of an error of the system, with its cure. */
export function systemProblem(error: unknown): string {
  const { code = "", message } = error as NodeJS.ErrnoException;
  return systemProblems[code] ?? message;
}

const systemProblems: Readonly<Record<string, string>> = {
  ENOENT: "it does not exist",
  ENOTDIR: "a part of its path is a file, not a folder",
  EACCES: "this user has no permission for it; change the permissions, or name another path",
  EPERM: "the system does not permit it; name another path",
  EROFS: "the file system is read-only; name another path",
  ELOOP: "its symbolic links lead in a circle; name another path",
  ENAMETOOLONG: "its name is too long; name a shorter path",
  ENOSPC: "the disk is full; free some space",
  EMFILE: "too many files are open",
};

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
    return textFrom(parts);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return {
      problem: code === "ENOENT" ? "does not exist" : `cannot be read: ${systemProblem(error)}`,
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
      // Windows reports the end of a pipe as an error.
      if ((error as NodeJS.ErrnoException).code === "EOF") break;
      return { problem: `cannot be read: ${systemProblem(error)}` };
    }
    if (length === 0) break;
    if (!take(room, length)) return tooLarge(room);
    parts.push(part.subarray(0, length));
  }
  return textFrom(parts);
}

const notRegular = (path: string): { readonly problem: string } => ({
  problem: statSync(path).isDirectory() ? "is a folder, not a file" : "is not a regular file",
});
