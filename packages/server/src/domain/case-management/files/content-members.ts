import type { BlobStore, StoredBlob } from "../../../blobs/blob-store.ts";
import { sizeOf, type StoredFile } from "./files.ts";
import { mediaTypeOf } from "./media-type.ts";

type ContentMembers = Required<
  Pick<StoredFile, "file_size" | "file_size_bytes" | "file_type" | "hash_value">
>;

/** The members of a file that describe its content in the blob store. */
export const contentMembers = async (
  blobs: Pick<BlobStore, "open">,
  blob: StoredBlob,
): Promise<ContentMembers> => ({
  file_type: await mediaTypeOf(blobs, blob),
  ...sizeOf(blob.bytes),
  hash_value: blob.sha256,
});
