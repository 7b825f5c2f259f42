import { printParseErrorCode, visit, type ParseErrorCode } from "jsonc-parser";
import { errors, type Problem } from "../errors.ts";
import { unreadableTexts } from "./texts.ts";

/** Maximum nesting depth of lists and objects. */
const deepest = 100;

/** The error of a refused JSON text, with its position. */
export class JsonTextError extends Error {
  override readonly name = "JsonTextError";
  /** Position in characters. */
  readonly offset: number;

  constructor(reason: string, offset: number) {
    super(reason);
    this.offset = offset;
  }
}

/**
 * Counts the values of a JSON text and its nesting while the text arrives, so that nothing is allocated for a
 * text beyond the limits. Malformed text may be counted wrongly; the parser refuses it later.
 */
export class JsonScan {
  readonly #mostValues: number;
  #values = 1;
  #depth = 0;
  /** Whether the innermost list or object has no content yet. */
  #empty = false;
  #inText = false;
  #escaped = false;
  #offset = 0;

  constructor(mostValues: number) {
    this.#mostValues = mostValues;
  }

  /** Reads the next bytes. Throws a 413 for too many values, and `JsonTextError` for too many levels. */
  add(bytes: Uint8Array): void {
    let at = 0;
    while (at < bytes.length) {
      at = this.#inText ? this.#endOfText(bytes, at) : this.#startOfText(bytes, at);
    }
    this.#offset += bytes.length;
  }

  /** The offset after the closing quote of the current text. */
  #endOfText(bytes: Uint8Array, start: number): number {
    let escaped = this.#escaped;
    for (let at = start; at < bytes.length; at += 1) {
      if (escaped) escaped = false;
      else if (bytes[at] === backslash) escaped = true;
      else if (bytes[at] === quote) {
        this.#inText = false;
        this.#escaped = false;
        return at + 1;
      }
    }
    this.#escaped = escaped;
    return bytes.length;
  }

  /** Counts up to the next text. Returns the offset after its opening quote. */
  #startOfText(bytes: Uint8Array, start: number): number {
    for (let at = start; at < bytes.length; at += 1) {
      switch (bytes[at]) {
        case 0x20:
        case 0x0a:
        case 0x0d:
        case 0x09:
          break;
        case quote:
          this.#fill();
          this.#inText = true;
          return at + 1;
        case 0x5b:
        case 0x7b:
          this.#fill();
          this.#empty = true;
          this.#depth += 1;
          if (this.#depth > deepest) {
            throw new JsonTextError(`nested deeper than ${deepest} levels`, this.#offset + at);
          }
          break;
        case 0x5d:
        case 0x7d:
          this.#empty = false;
          this.#depth -= 1;
          break;
        case 0x2c:
          this.#count();
          break;
        default:
          this.#fill();
      }
    }
    return bytes.length;
  }

  /** The first content of a list or object is a value. Each of the others follows a comma. */
  #fill(): void {
    if (!this.#empty) return;
    this.#empty = false;
    this.#count();
  }

  #count(): void {
    this.#values += 1;
    if (this.#values > this.#mostValues) throw errors.tooManyValues(this.#mostValues);
  }
}

/**
 * Parses a JSON text within the limits of `JsonScan`. Returns its unreadable texts as problems. Throws
 * `JsonTextError` for a malformed text.
 */
export function parseJsonText(text: string, place: string, mostValues: number): ParsedJson {
  new JsonScan(mostValues).add(Buffer.from(text));
  return parseScannedText(text, place);
}

interface ParsedJson {
  readonly value: unknown;
  readonly problems: readonly Problem[];
}

/** Like `parseJsonText`, for a text whose bytes a `JsonScan` has read. */
export function parseScannedText(text: string, place: string): ParsedJson {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw firstFault(text);
  }
  // Such a character passes the decoder and the parser only as an escape.
  const problems = /\\u(?:0000|d[89a-f])/i.test(text) ? unreadableTexts(value, place) : [];
  return { value, problems };
}

const quote = 0x22;
const backslash = 0x5c;

/**
 * The first error of a malformed text, because many messages of V8 have no position. Stops there, because the
 * rest may be nested at any depth.
 */
function firstFault(text: string): JsonTextError {
  try {
    visit(
      text,
      {
        onError: (code, offset) => {
          throw new JsonTextError(faultName(code), offset);
        },
      },
      { disallowComments: true },
    );
  } catch (error) {
    if (error instanceof JsonTextError) return error;
    throw error;
  }
  return new JsonTextError("invalid value", 0);
}

/** Converts `CommaExpected` to `comma expected`. */
const faultName = (code: ParseErrorCode): string =>
  printParseErrorCode(code)
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase();
