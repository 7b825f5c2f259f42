import { errors, type Problem } from "../foundation/errors.ts";
import { JsonPieces, JsonTextError, type Cut } from "./json-pieces.ts";
import { unreadableTexts } from "./texts.ts";

/** Bytes after which a text is divided. Parsing them takes about a millisecond. */
const usualPiece = 256 * 1024;
/** Maximum size of a text, a number or white space in bytes. They cannot be divided. */
const longestText = 10 * 1024 * 1024;

/** Maximum nesting depth of lists and objects. */
const deepest = 100;
/** Maximum number of different member names in a text. Each one stays in a table of the engine, at some cost. */
const mostNames = 10_000;

/**
 * Counts the values of a JSON text, its names and its nesting while the text arrives, so that nothing is
 * allocated for a text beyond the limits. Divides a large text. Malformed text may be counted and divided wrongly;
 * the parser refuses it later.
 */
export class JsonScan {
  /** Where the text can be divided into pieces of similar size. */
  readonly cuts: Cut[] = [];
  readonly #mostValues: number;
  readonly #pieceBytes: number;
  #values = 1;
  /** Hashes of the names. Names with the same hash count as one. */
  readonly #names = new Set<number>();
  /** Whether each open list or object is an object, the outermost first. */
  readonly #open: boolean[] = [];
  /** Whether the innermost list or object has no content yet. */
  #empty = false;
  #nameFollows = false;
  #inText = false;
  #escaped = false;
  /** The hash of the name that is being read, or null. */
  #hash: number | null = null;
  #offset = 0;
  #nextCut: number;

  constructor(mostValues: number, pieceBytes = usualPiece) {
    this.#mostValues = mostValues;
    this.#pieceBytes = pieceBytes;
    this.#nextCut = pieceBytes;
  }

  /** Reads the next bytes. Throws a 413 beyond a limit, and `JsonTextError` for too many levels. */
  add(bytes: Uint8Array): void {
    let at = 0;
    while (at < bytes.length) {
      at = this.#inText ? this.#readText(bytes, at) : this.#readToText(bytes, at);
    }
    this.#offset += bytes.length;
    // Nothing else is without a comma.
    if (this.#offset - this.#nextCut > longestText) throw errors.textTooLong(longestText);
  }

  /** Returns the offset after the closing quote of the current text. */
  #readText(bytes: Uint8Array, start: number): number {
    const end = this.#endOfText(bytes, start);
    if (this.#hash !== null) this.#hash = hashed(this.#hash, bytes, start, end);
    if (this.#inText || this.#hash === null) return end;
    this.#names.add(this.#hash);
    this.#hash = null;
    if (this.#names.size > mostNames) throw errors.tooManyNames(mostNames);
    return end;
  }

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
  #readToText(bytes: Uint8Array, start: number): number {
    for (let at = start; at < bytes.length; at += 1) {
      switch (bytes[at]) {
        case 0x20:
        case 0x0a:
        case 0x0d:
        case 0x09:
          break;
        case quote:
          this.#fill();
          this.#hash = this.#nameFollows ? firstHash : null;
          this.#nameFollows = false;
          this.#inText = true;
          return at + 1;
        case 0x5b:
          this.#enter(false, at);
          break;
        case 0x7b:
          this.#enter(true, at);
          break;
        case 0x5d:
        case 0x7d:
          this.#open.pop();
          this.#empty = false;
          this.#nameFollows = false;
          break;
        case 0x2c:
          this.#count();
          this.#nameFollows = this.#open.at(-1) === true;
          if (this.#offset + at >= this.#nextCut) this.#cut(this.#offset + at + 1);
          break;
        default:
          this.#fill();
      }
    }
    return bytes.length;
  }

  #enter(isObject: boolean, at: number): void {
    this.#fill();
    this.#open.push(isObject);
    this.#empty = true;
    this.#nameFollows = isObject;
    if (this.#open.length > deepest) {
      throw new JsonTextError(`nested deeper than ${deepest} levels`, this.#offset + at);
    }
  }

  #cut(offset: number): void {
    if (this.#open.length === 0) return;
    this.cuts.push({ offset, open: [...this.#open] });
    this.#nextCut = offset + this.#pieceBytes;
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

/** Differs in each process, so that nobody can choose names with the same hash. */
const firstHash = Math.floor(Math.random() * 2 ** 32);

function hashed(first: number, bytes: Uint8Array, start: number, end: number): number {
  let hash = first;
  for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193);
  return hash;
}

/**
 * Parses a JSON text within the limits of `JsonScan`. Returns its unreadable texts as problems. Throws
 * `JsonTextError` for a malformed text.
 */
export function parseJsonText(text: string, place: string, mostValues: number): ParsedJson {
  new JsonScan(mostValues).add(Buffer.from(text));
  const pieces = new JsonPieces();
  pieces.add(text, []);
  const { value } = pieces;
  return { value, problems: mayBeUnreadable(text) ? [...unreadableTexts(value, place)] : [] };
}

interface ParsedJson {
  readonly value: unknown;
  readonly problems: readonly Problem[];
}

/** Whether the text has an unreadable character, which passes the decoder and the parser only as an escape. */
export const mayBeUnreadable = (text: string): boolean => /\\u(?:0000|d[89a-f])/i.test(text);

const quote = 0x22;
const backslash = 0x5c;
