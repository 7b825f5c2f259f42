import type { BlobStore } from "../blobs/blob-store.ts";
import { downloads } from "../domain/downloads/downloads.ts";
import { seededDownloads } from "./downloads.ts";
import { insertAll, type Count, type Filling } from "./filling.ts";

/** Files to download, with their content. */
export async function fillDownloads(
  filling: Filling,
  blobs: BlobStore,
  count: Count,
): Promise<void> {
  await insertAll(filling, downloads, await seededDownloads(blobs, filling.seed), count);
}
