import * as fc from "fast-check";
import { expect, test } from "vitest";
import { firstFault } from "./json-fault.ts";

test.each<[string, number, string]>([
  ["", 0, "the text ends too early"],
  ["[oops]", 1, "value expected"],
  ["[1 2]", 3, "comma or ] expected"],
  ['{"a":1 "b"', 7, "comma or } expected"],
  ["[1,]", 3, "value expected"],
  ['{"a" 1}', 5, "colon expected"],
  ['{"a":1,}', 7, "name of a member expected"],
  ["{a:1}", 1, "name of a member expected"],
  ["[1]]", 3, "end of the text expected"],
  ["[1}", 2, "comma or ] expected"],
  ["[01]", 2, "comma or ] expected"],
  ["[-]", 1, "value expected"],
  ['["a', 3, "the text ends too early"],
  ['["a\n"]', 3, "control character in a text; send it escaped"],
  [String.raw`["\x"]`, 2, "invalid escape"],
  [String.raw`["\u12g4"]`, 2, "invalid escape"],
  ["[1, /* two */ 2]", 4, "value expected"],
  ["\u00a0[]", 0, "value expected"],
  [`{"a":${" ".repeat(5_000_000)}x`, 5_000_005, "value expected"],
  [`["${"a".repeat(5_000_000)}",x`, 5_000_004, "value expected"],
  [`[${"1".repeat(5_000_000)},x`, 5_000_002, "value expected"],
])("finds the first fault of %j", (text, offset, reason) => {
  expect(firstFault(text)).toEqual({ offset, reason });
});

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

test("agrees with the parser on which texts are sound", () => {
  const pieces = [..."[]{}:,\"'0 1-.eE+\n\\u", "true", "null", '"a"', "[1]", '{"a":', "1e5"];
  const piece = fc.constantFrom(...pieces, "\\u00e9", "\\n", "0.5", "\0");
  const random = fc.array(piece, { maxLength: 12 }).map((parts) => parts.join(""));
  const broken = fc
    .tuple(fc.json(), fc.nat(), piece)
    .map(
      ([text, at, part]) => text.slice(0, at % text.length) + part + text.slice(at % text.length),
    );
  fc.assert(
    fc.property(fc.oneof(random, fc.json(), broken), (text) => {
      expect(firstFault(text) === null).toBe(isJson(text));
    }),
  );
});
