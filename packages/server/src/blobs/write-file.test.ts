import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { BlobTooLargeError } from "./errors.ts";
import { FileWriter } from "./file-writer.ts";
import { writeFile } from "./write-file.ts";

const folder = (): string => {
  const path = mkdtempSync(join(tmpdir(), "file-writer-"));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
};

const hashOf = (content: Uint8Array): string => createHash("sha256").update(content).digest("hex");

const [kilobyte, megabyte] = [1024, 1024 * 1024];

function* chunksOf(content: Buffer, size: number): Generator<Buffer> {
  for (let at = 0; at < content.length; at += size) yield content.subarray(at, at + size);
}

// Sizes around three limits: the buffer that is hashed at once, the first buffer of the thread, and all
// buffers together.
test.each([
  [0, 1],
  [1, 1],
  [64 * kilobyte, 64 * kilobyte],
  [64 * kilobyte + 1, 64 * kilobyte],
  [megabyte + 64 * kilobyte, 100],
  [9 * megabyte + 7, 65_521],
  [20 * megabyte, 20 * megabyte],
])("a file of %i bytes that arrives in chunks of %i is written and hashed", async (bytes, size) => {
  const path = join(folder(), "file");
  const content = randomBytes(bytes);
  const file = await FileWriter.create(path);
  for (const chunk of chunksOf(content, size)) {
    const own = Buffer.from(chunk);
    await file.add(own);
    // The writer has its own copy of added bytes.
    own.fill(0);
  }
  expect(await file.finish({ sync: true })).toEqual({ sha256: hashOf(content), bytes });
  expect(readFileSync(path).equals(content)).toBe(true);
});

test("files that arrive at the same time are separate, even if one is interrupted", async () => {
  const path = folder();
  const contents = [1, 2, 3].map(() => randomBytes(3 * megabyte));
  const files = await Promise.all(
    contents.map((_, index) => FileWriter.create(`${path}/${index}`)),
  );
  for (let at = 0; at < 3 * megabyte; at += 50_000) {
    const chunks = contents.map((content) => content.subarray(at, at + 50_000));
    await Promise.all(files.map((file, index) => file.add(chunks[index] ?? Buffer.of())));
  }
  const [broken, ...whole] = files;
  await broken?.abandon();
  const blobs = await Promise.all(whole.map((file) => file.finish({ sync: false })));
  expect(blobs.map(({ sha256 }) => sha256)).toEqual(contents.slice(1).map(hashOf));
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
  await expect(writeFile(`${path}/a`, whole(), limit)).rejects.toThrow(BlobTooLargeError);
  await expect(writeFile(`${path}/b`, broken(), 4 * limit)).rejects.toThrow("the line broke");
  expect(readdirSync(path)).toEqual([]);
});
