import { printParseErrorCode, visit, type ParseErrorCode } from "jsonc-parser";
import type { Problem } from "../errors.ts";
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
 * Parses a JSON text. Returns its unreadable texts as problems. Throws `JsonTextError` for a text that is
 * malformed or nested too deeply, before any recursive function reads it.
 */
export function parseJsonText(
  text: string,
  place: string,
): { readonly value: unknown; readonly problems: readonly Problem[] } {
  const deep = tooDeepAt(text);
  if (deep !== null) {
    throw new JsonTextError(`nested deeper than ${deepest} levels`, deep);
  }
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

/** Counts brackets outside of strings. In malformed JSON, counts only brackets before the first error. */
function tooDeepAt(text: string): number | null {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case quote:
        at = endOfText(text, at);
        break;
      case 0x5b:
      case 0x7b:
        depth += 1;
        if (depth > deepest) return at;
        break;
      case 0x5d:
      case 0x7d:
        depth -= 1;
        break;
    }
  }
  return null;
}

/** The offset of the closing quote of the text that opens at `open`. */
function endOfText(text: string, open: number): number {
  for (let at = open + 1; ; at += 1) {
    const code = text.charCodeAt(at);
    if (code === backslash) at += 1;
    // NaN marks the end.
    else if (code === quote || Number.isNaN(code)) return at;
  }
}

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
