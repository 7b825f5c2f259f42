export interface JsonFault {
  /** Position in characters. */
  readonly offset: number;
  readonly reason: string;
}

/** What may follow. `more`: another member or item, or the end of the list or object. */
type Expected = "value" | "value or end" | "name" | "name or end" | "colon" | "more";

const space = /[ \t\n\r]*/y;
const scalar = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const unicodeEscape = /[\da-fA-F]{4}/y;

/**
 * The first error of a malformed JSON text (RFC 8259), because many messages of V8 have no position. Null for
 * a sound text. Reads each character once.
 */
export function firstFault(text: string): JsonFault | null {
  const closers: string[] = [];
  let expected: Expected = "value";
  let at = 0;
  for (;;) {
    at = endOf(space, text, at) ?? at;
    if (expected === "more" && closers.length === 0) {
      return at === text.length ? null : { offset: at, reason: "end of the text expected" };
    }
    const character = text[at];
    if (character === undefined) return { offset: at, reason: "the text ends too early" };
    const closer = closers.at(-1);
    if (character === closer && /end|more/.test(expected)) {
      closers.pop();
      expected = "more";
      at += 1;
    } else if (expected === "more" || expected === "colon") {
      const [sign, reason] =
        expected === "colon" ? [":", "colon expected"] : [",", separator(closer)];
      if (character !== sign) return { offset: at, reason };
      expected = expected === "colon" ? "value" : closer === "}" ? "name" : "value";
      at += 1;
    } else if (character === '"') {
      const end = endOfText(text, at);
      if (typeof end !== "number") return end;
      expected = expected.startsWith("name") ? "colon" : "more";
      at = end;
    } else if (expected.startsWith("name")) {
      return { offset: at, reason: "name of a member expected" };
    } else if (character === "[" || character === "{") {
      closers.push(character === "[" ? "]" : "}");
      expected = character === "[" ? "value or end" : "name or end";
      at += 1;
    } else {
      const end = endOf(scalar, text, at);
      if (end === null) return { offset: at, reason: "value expected" };
      expected = "more";
      at = end;
    }
  }
}

const separator = (closer = ""): string => `comma or ${closer} expected`;

function endOf(pattern: RegExp, text: string, at: number): number | null {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : null;
}

/** The offset after the closing quote of the text that opens at `open`, or the fault inside it. */
function endOfText(text: string, open: number): number | JsonFault {
  for (let at = open + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return at + 1;
    if (code < 0x20) return { offset: at, reason: "control character in a text; send it escaped" };
    if (code !== 0x5c) continue;
    at += 1;
    const escape = text[at] ?? "";
    if (escape === "u" && endOf(unicodeEscape, text, at + 1) !== null) at += 4;
    else if (!'"\\/bfnrt'.includes(escape)) return { offset: at - 1, reason: "invalid escape" };
  }
  return { offset: text.length, reason: "the text ends too early" };
}
