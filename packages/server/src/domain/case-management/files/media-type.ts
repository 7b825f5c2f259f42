import { buffer } from "node:stream/consumers";
import type { BlobStore, StoredBlob } from "../../../blobs/blob-store.ts";
import { textType } from "./text-type.ts";

/** Size of the sample for type detection, in bytes. */
const sampleBytes = 64 * 1024;

const unknownType = "application/octet-stream";

/** Registered media types for which the library uses older names. */
const registered: Readonly<Record<string, string>> = {
  "application/x-msdownload": "application/vnd.microsoft.portable-executable",
};

/** The media type of a blob, from the beginning of its content. */
export async function mediaTypeOf(
  blobs: Pick<BlobStore, "open">,
  { sha256, bytes }: StoredBlob,
): Promise<string> {
  if (bytes === 0) return unknownType;
  const range = { start: 0, end: Math.min(bytes, sampleBytes) - 1 };
  const sample = await buffer(await blobs.open(sha256, range));
  const { fileTypeFromBuffer } = await import("file-type");
  // The library throws for some content that only starts like a known type.
  const detected = await fileTypeFromBuffer(sample).catch(() => undefined);
  if (detected !== undefined) return registered[detected.mime] ?? detected.mime;
  return textType(sample, bytes <= sampleBytes) ?? unknownType;
}
