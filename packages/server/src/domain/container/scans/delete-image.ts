import { errors } from "../../../foundation/errors.ts";
import { writeLarge, type WritingCall } from "../../../records/write.ts";
import { hasImageId } from "./find-scans.ts";
import { scans } from "./scans.ts";
import { removeRows } from "./store-scan.ts";

/** Deletes all scans of an image with their rows. Returns how many scans; 404 if there are none. */
export function deleteImage(call: WritingCall, imageId: string): Promise<number> {
  return writeLarge(call, async (writing) => {
    const records = writing.records(scans);
    const imageScans = await records.stored.findForUpdate(hasImageId(imageId), writing.now);
    if (imageScans.length === 0) throw errors.recordsNotFound("image", [imageId]);
    const ids = imageScans.map(({ scan_uuid }) => scan_uuid);
    await removeRows(writing, ids);
    await records.remove(ids);
    return ids.length;
  });
}
