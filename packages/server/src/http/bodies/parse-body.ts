import { isUtf8 } from "node:buffer";
import { setImmediate } from "node:timers/promises";
import { errors, type Problem } from "../../foundation/errors.ts";
import { pause } from "../../foundation/work-turns.ts";
import { JsonPieces, JsonTextError, type Cut } from "../../validation/json-pieces.ts";
import { mayBeUnreadable } from "../../validation/json-text.ts";
import { findUnreadableTexts, textProblem } from "../../validation/texts.ts";

/** Size in bytes above which other requests run between the parsing and the validation of a body. */
const largeBody = 2 ** 20;

const fatal = { fatal: true };
const firstPiece = new TextDecoder("utf-8", fatal);
/** Decodes the pieces after the first one: only the start of a body may be a byte order mark. */
const laterPieces = new TextDecoder("utf-8", { ...fatal, ignoreBOM: true });

/**
 * Parses a JSON body that a `JsonScan` has read and divided. Lets other requests run between the pieces. Throws a
 * 400 with the offset of the first error.
 */
export async function parseJson(
  parts: readonly Uint8Array[],
  cuts: readonly Cut[],
): Promise<unknown> {
  const pieces = new JsonPieces();
  let malformed: unknown = null;
  let isSuspect = false;
  for (const { bytes, offset, open } of divided(parts, cuts)) {
    const text = decodedPiece(bytes, offset);
    await pause();
    if (offset === 0 && open.length === 0 && text.trim() === "") {
      throw errors.malformedJson("the body is empty", 0);
    }
    // Bytes that are not UTF-8 come first among the errors, wherever they are.
    if (malformed === null) {
      try {
        withOffset(() => pieces.add(text, open));
      } catch (error) {
        malformed = error;
      }
    }
    await pause();
    isSuspect ||= mayBeUnreadable(text);
  }
  if (malformed !== null) throw malformed;
  const problems: Problem[] = [];
  for (const problem of isSuspect ? findUnreadableTexts(pieces.value, "body") : []) {
    if (problem !== null) problems.push(problem);
    await pause();
  }
  if (problems.length > 0) throw errors.invalidRequest(problems);
  if (sizeOf(parts) > largeBody) await setImmediate();
  return pieces.value;
}

interface Piece {
  readonly bytes: Uint8Array;
  /** The offset of its first byte. */
  readonly offset: number;
  /** See `Cut`; empty for the last piece. */
  readonly open: Cut["open"];
}

/** The pieces of a body that arrived in parts. */
function* divided(parts: readonly Uint8Array[], cuts: readonly Cut[]): Iterable<Piece> {
  let index = 0;
  let inPart = 0;
  let offset = 0;
  for (const { offset: end, open } of [...cuts, { offset: sizeOf(parts), open: [] }]) {
    const slices: Uint8Array[] = [];
    for (let missing = end - offset; missing > 0;) {
      const part = parts[index] ?? new Uint8Array(missing);
      const slice = part.subarray(inPart, inPart + missing);
      slices.push(slice);
      missing -= slice.length;
      inPart += slice.length;
      if (inPart === part.length) {
        index += 1;
        inPart = 0;
      }
    }
    yield { bytes: Buffer.concat(slices), offset, open };
    offset = end;
  }
}

const sizeOf = (parts: readonly Uint8Array[]): number =>
  parts.reduce((sum, { length }) => sum + length, 0);

function decodedPiece(bytes: Uint8Array, offset: number): string {
  try {
    return (offset === 0 ? firstPiece : laterPieces).decode(bytes);
  } catch {
    throw errors.malformedJson("not UTF-8", offset + firstInvalidByte(bytes));
  }
}

/** Converts the error of a JSON text to that of a JSON body. */
export function withOffset<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (error instanceof JsonTextError) throw errors.malformedJson(error.message, error.offset);
    throw error;
  }
}

const windowBytes = 65_536;
/** Length of the longest character in UTF-8. */
const characterBytes = 4;

/** The offset of the first byte that cannot be part of UTF-8. */
function firstInvalidByte(bytes: Uint8Array): number {
  let start = 0;
  while (start < bytes.length) {
    const end = endOfCharacter(bytes, start + windowBytes);
    if (!isUtf8(bytes.subarray(start, end))) break;
    start = end;
  }
  const last = Math.min(bytes.length, start + windowBytes + characterBytes);
  const decoder = new TextDecoder("utf-8", { fatal: true });
  for (let index = start; index < last; index += 1) {
    try {
      decoder.decode(bytes.subarray(index, index + 1), { stream: true });
    } catch {
      return index;
    }
  }
  return bytes.length;
}

/** `offset`, or the start of the character that it would split. */
function endOfCharacter(bytes: Uint8Array, offset: number): number {
  if (offset >= bytes.length) return bytes.length;
  let end = offset;
  while (end > offset - characterBytes && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return end;
}

/** Maximum number of fields of a form. The token operations document fewer. */
const mostFields = 20;

/** Parses `application/x-www-form-urlencoded`. A repeated name is an error (RFC 6749 §3.2). */
export function parseForm(bytes: Uint8Array): Record<string, string> {
  if (countOf(ampersand, bytes) >= mostFields) throw errors.tooManyFields(mostFields);
  const values: Record<string, string> = Object.create(null) as Record<string, string>;
  if (!isUtf8(bytes)) {
    throw errors.invalidRequest([{ at: "body", message: "is not UTF-8" }]);
  }
  for (const pair of Buffer.from(bytes).toString("utf8").split("&")) {
    if (pair === "") continue;
    const equals = pair.indexOf("=");
    const name = decoded(equals === -1 ? pair : pair.slice(0, equals), "body");
    const at = `body.${name}`;
    if (name in values) throw errors.invalidRequest([{ at, message: "given twice" }]);
    values[name] = equals === -1 ? "" : decoded(pair.slice(equals + 1), at);
  }
  return values;
}

const ampersand = 0x26;

function countOf(byte: number, bytes: Uint8Array): number {
  let count = 0;
  for (const each of bytes) if (each === byte) count += 1;
  return count;
}

function decoded(encoded: string, at: string): string {
  const refuse = (message: string) => errors.invalidRequest([{ at, message }]);
  let text: string;
  try {
    text = decodeURIComponent(encoded.replaceAll("+", " "));
  } catch {
    throw refuse("is not percent-encoded UTF-8");
  }
  const problem = textProblem(text);
  if (problem !== undefined) throw refuse(problem);
  return text;
}
