import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { archiveName } from "./file-name.ts";
import { displaySize } from "./display-size.ts";
import { mediaTypeOf } from "./media-type.ts";

const typeOf = (content: Uint8Array): Promise<string> =>
  mediaTypeOf(
    {
      open: async (_sha256, range) =>
        Readable.from([content.subarray(range?.start, (range?.end ?? content.length) + 1)]),
    },
    { sha256: "", bytes: content.length },
  );

test.each<[string | Uint8Array, string]>([
  ["a,b\n1,2\n", "text/csv"],
  ['name;note\r\n"a;b";"two\nlines"\r\n', "text/csv"],
  ["a\tb\n1\t2", "text/tab-separated-values"],
  ["Hello, world\nGoodbye, all\n", "text/plain"],
  ["a,b\n1,2,3\n", "text/plain"],
  ["only one line, with a comma", "text/plain"],
  ['{"a": [1]}\n', "application/json"],
  ['{"a": 1}\n{"a": 2}\n', "application/x-ndjson"],
  ["{not json}", "text/plain"],
  ["<!DOCTYPE html><p>x", "text/html"],
  ['<?xml version="1.0"?><a/>', "application/xml"],
  ["\u{1b}[31mred\u{1b}[0m\n", "text/plain"],
  ["Größe", "text/plain"],
  [Buffer.from("\ufeffGröße", "utf16le"), "text/plain"],
  [Buffer.from("Gr\u00f6\u00dfe", "latin1"), "application/octet-stream"],
  ["text with \u0000 in it", "application/octet-stream"],
  ["%PDF-1.7\n%âãÏÓ\n", "application/pdf"],
  [
    Buffer.concat([Buffer.from("MZ"), Buffer.alloc(400)]),
    "application/vnd.microsoft.portable-executable",
  ],
  ["", "application/octet-stream"],
  // The sample ends in the middle of a character and of a row.
  [`${"ö,b\n".repeat(30_000)}`, "text/csv"],
  [`[${'{"a":"ö"},'.repeat(20_000)}{}]`, "application/json"],
])("%j is %s", async (content, type) => {
  expect(await typeOf(typeof content === "string" ? Buffer.from(content) : content)).toBe(type);
});

test.each([
  [0, "0 B"],
  [97, "97 B"],
  [1_023, "1023 B"],
  [1_024, "1.0 KB"],
  [418_304, "408.5 KB"],
  [1_048_575, "1.0 MB"],
  [10 * 1_024 ** 3, "10.0 GB"],
])("%i bytes are %s", (bytes, text) => {
  expect(displaySize(bytes)).toBe(text);
});

test("names in an archive are unique ignoring case, and valid on every system", () => {
  const taken = new Set<string>();
  const names = ["a.txt", "A.txt", "a (2).txt", "nul", "COM1.txt", "trailing. ", "...", "ä/b\\c"];
  expect(names.map((name) => archiveName(name, taken))).toEqual([
    "a.txt",
    "A (2).txt",
    "a (2) (2).txt",
    "_nul",
    "_COM1.txt",
    "trailing",
    "file",
    "ä_b_c",
  ]);
});
