import { expect, test } from "vitest";
import { readLines } from "./lines.ts";

async function read(...chunks: readonly (string | Uint8Array)[]): Promise<readonly string[]> {
  const stream = async function* () {
    for (const chunk of chunks) yield typeof chunk === "string" ? Buffer.from(chunk) : chunk;
  };
  const lines: string[] = [];
  for await (const line of readLines(stream(), { name: "input" })) lines.push(line);
  return lines;
}

test("reads lines independent of how the input is split", async () => {
  const bytes = Buffer.from("a\r\nß\n\nlast");
  const cut = [...bytes].map((byte) => Uint8Array.of(byte));
  const expected = ["a", "ß", "", "last"];
  expect(await read(bytes)).toEqual(expected);
  expect(await read(...cut)).toEqual(expected);
});

test("ends with the last line break, if there is one", async () => {
  expect(await read("a\nb\n")).toEqual(["a", "b"]);
  expect(await read()).toEqual([]);
  expect(await read("\n")).toEqual([""]);
});

test("ignores a byte order mark", async () => {
  expect(await read("\ufeff{}\n")).toEqual(["{}"]);
});

test("names the line that is not UTF-8", async () => {
  await expect(read("a\n", Uint8Array.of(0xe9, 0x0a))).rejects.toThrow("input:2: not valid UTF-8");
});

test("stops at a line that is too long", async () => {
  const mebibyte = Buffer.alloc(1024 * 1024, "x");
  const chunks = Array.from({ length: 17 }, () => mebibyte);
  await expect(read("{}\n", ...chunks)).rejects.toThrow("input:2: longer than 16 MiB");
});

test.each([
  [[0x1f, 0x8b, 8], "compressed with gzip"],
  [[0x28, 0xb5, 0x2f, 0xfd], "compressed with zstd"],
  [[0x50, 0x4b, 3, 4], "a ZIP archive"],
  [[0xff, 0xfe, 0x7b, 0], "UTF-16 text"],
  [[...Buffer.from("SQLite format 3")], "a SQLite database"],
])("identifies input that starts with %s", async (head, kind) => {
  await expect(read(Uint8Array.from(head))).rejects.toThrow(`input is ${kind}; expected NDJSON`);
});

test("reports the end of each line in bytes", async () => {
  const ends: number[] = [];
  const stream = async function* () {
    yield Buffer.from("a\nb");
    yield Buffer.from("c\nd");
  };
  const lines = readLines(stream(), { name: "input", onBytes: (bytes) => ends.push(bytes) });
  for await (const line of lines) expect(line).not.toBe("");
  expect(ends).toEqual([2, 5, 6]);
});
