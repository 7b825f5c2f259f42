import { unreferencedBlobs, type BlobStore } from "../blobs/blob-store.ts";
import type { Clock } from "../clock.ts";
import type { Store } from "../store/types.ts";
import type { JobKind } from "./job-kind.ts";

const day = 24 * 60 * 60_000;
/** Nothing takes longer from the first byte of a file to the record that refers to it. */
const youngest = day;

/**
 * Deletes files that no record refers to, and what writes that were cut off have left. `fileClock` is the
 * clock that dates files: the system's, whatever clock the records follow.
 */
export const purgeBlobs = (store: Store, blobs: BlobStore, fileClock: Clock): JobKind => ({
  name: "blobs.purge",
  everyMilliseconds: day,
  run: async ({ signal, report }) => {
    const before = new Date(fileClock.now().getTime() - youngest);
    await blobs.clear(before);
    const referenced = (hashes: readonly string[]) => store.referencedBlobs(hashes);
    let deleted = 0;
    let bytes = 0;
    for await (const blob of unreferencedBlobs(blobs, before, referenced)) {
      signal.throwIfAborted();
      // Asked again for each: a record may have come in since its batch was looked up.
      if ((await referenced([blob.sha256])).size > 0) continue;
      // The same file may have been uploaded again for a record that is not written yet.
      if (!(await blobs.delete(blob.sha256, before))) continue;
      deleted += 1;
      bytes += blob.bytes;
      if (deleted % 100 === 0) await report({ deleted, bytes });
    }
    return { commit: async () => ({ deleted, bytes }) };
  },
});
