import { parse as parseTolerantly, printParseErrorCode, type ParseError } from "jsonc-parser";
import { errors } from "../errors.ts";

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Parses a JSON body; 400 with the offset of the first error in a malformed one. */
export function parseJson(bytes: Uint8Array): unknown {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw errors.malformedJson("not UTF-8", firstInvalidByte(bytes));
  }
  if (text.trim() === "") throw errors.malformedJson("the body is empty", 0);
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // Many of V8's messages have no position; this parser is used only to find it.
    const faults: ParseError[] = [];
    parseTolerantly(text, faults, { disallowComments: true });
    const fault = faults[0];
    throw errors.malformedJson(
      fault === undefined ? "invalid value" : faultNames(fault.error),
      fault?.offset ?? 0,
    );
  }
}

/** `CommaExpected` reads `comma expected`. */
const faultNames = (code: number): string =>
  printParseErrorCode(code)
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase();

function firstInvalidByte(bytes: Uint8Array): number {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  for (let index = 0; index < bytes.length; index += 1) {
    try {
      decoder.decode(bytes.subarray(index, index + 1), { stream: true });
    } catch {
      return index;
    }
  }
  return bytes.length;
}

/** Parses `application/x-www-form-urlencoded`; a repeated name is an error (RFC 6749 §3.2). */
export function parseForm(bytes: Uint8Array): Record<string, string> {
  const values: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const [name, value] of new URLSearchParams(Buffer.from(bytes).toString("utf8"))) {
    if (name in values)
      throw errors.invalidRequest([{ at: `body.${name}`, message: "given twice" }]);
    values[name] = value;
  }
  return values;
}
