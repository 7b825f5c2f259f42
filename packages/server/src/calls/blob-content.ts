import type { FileContent } from "./answer.ts";
import type { BlobStore } from "../blobs/blob-store.ts";
import { errors } from "../foundation/errors.ts";

/** A blob as a file to send, with its hash as the entity tag. Throws 404 if the blob no longer exists. */
export async function blobContent(
  blobs: BlobStore,
  { sha256, name }: { readonly sha256: string; readonly name: string },
): Promise<FileContent> {
  const bytes = await blobs.bytes(sha256);
  if (bytes === null) throw errors.fileGone();
  return {
    name,
    mediaType: "application/octet-stream",
    bytes,
    tag: sha256,
    open: (range) => blobs.open(sha256, range),
  };
}
