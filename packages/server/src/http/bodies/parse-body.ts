import { isUtf8 } from "node:buffer";
import { errors } from "../../errors.ts";
import { JsonTextError, parseScannedText } from "../../validation/json-text.ts";
import { textProblem } from "../../validation/texts.ts";

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Parses a JSON body that a `JsonScan` has read. Throws a 400 with the offset of the first error. */
export function parseJson(bytes: Uint8Array): unknown {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw errors.malformedJson("not UTF-8", firstInvalidByte(bytes));
  }
  if (text.trim() === "") throw errors.malformedJson("the body is empty", 0);
  const { value, problems } = withOffset(() => parseScannedText(text, "body"));
  if (problems.length > 0) throw errors.invalidRequest(problems);
  return value;
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
