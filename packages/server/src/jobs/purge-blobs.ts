import { unreferencedBlobs, type BlobStore } from "../blobs/blob-store.ts";
import type { Clock } from "../foundation/clock.ts";
import type { Store } from "../store/index.ts";
import type { JobKind } from "./job-kind.ts";

const day = 24 * 60 * 60_000;
/** Minimum age of a purged blob: longer than the time from a file's first byte to the record that refers to it. */
const youngest = day;

/**
 * Deletes files that no record refers to, and remains of interrupted writes. `fileClock` is the clock of file
 * timestamps: the system clock, even if the records use another clock.
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
      // Checked again for each file, because a record may have been added since the batch was checked.
      if ((await referenced([blob.sha256])).size > 0) continue;
      // The same file may have been uploaded again for a record that is not stored yet.
      if (!(await blobs.delete(blob.sha256, before))) continue;
      deleted += 1;
      bytes += blob.bytes;
      if (deleted % 100 === 0) await report({ deleted, bytes });
    }
    return { commit: async () => ({ deleted, bytes }) };
  },
});
