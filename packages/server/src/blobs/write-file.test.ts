import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { BlobTooLargeError } from "./errors.ts";
import { writeFile } from "./write-file.ts";

const folder = (): string => {
  const path = mkdtempSync(join(tmpdir(), "write-file-"));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
};

const hashOf = (content: Uint8Array): string => createHash("sha256").update(content).digest("hex");

const [kilobyte, megabyte] = [1024, 1024 * 1024];

function* chunksOf(content: Buffer, size: number): Generator<Buffer> {
  for (let at = 0; at < content.length; at += size) yield content.subarray(at, at + size);
}

// Sizes around the two buffers.
test.each([
  [0, 1],
  [1, 1],
  [256 * kilobyte, 64 * kilobyte],
  [256 * kilobyte + 1, 64 * kilobyte],
  [512 * kilobyte + 100, 100],
  [9 * megabyte + 7, 65_521],
  [20 * megabyte, 20 * megabyte],
])("a file of %i bytes that arrives in chunks of %i is written and hashed", async (bytes, size) => {
  const path = join(folder(), "file");
  const content = randomBytes(bytes);
  const chunks = (async function* () {
    for (const chunk of chunksOf(content, size)) yield Buffer.from(chunk);
  })();
  const blob = await writeFile(path, chunks, {
    limit: bytes,
    sync: true,
    // The file has its own copy of the bytes.
    copied: (chunk) => void chunk.fill(0),
  });
  expect(blob).toEqual({ sha256: hashOf(content), bytes });
  expect(readFileSync(path).equals(content)).toBe(true);
});

test("interrupted or too large content leaves no file", async () => {
  const path = folder();
  const content = [...chunksOf(randomBytes(3 * megabyte), 100_000)];
  async function* whole() {
    yield* content;
  }
  async function* broken() {
    yield* content;
    throw new Error("the line broke");
  }
  const limit = 2 * megabyte;
  await expect(writeFile(`${path}/a`, whole(), { limit, sync: false })).rejects.toThrow(
    BlobTooLargeError,
  );
  await expect(writeFile(`${path}/b`, broken(), { limit: 4 * limit, sync: false })).rejects.toThrow(
    "the line broke",
  );
  expect(readdirSync(path)).toEqual([]);
});
