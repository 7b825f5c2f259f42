import type { BlobStore } from "../blobs/blob-store.ts";
import { findAdvisories } from "../domain/container/advisories/find-advisories.ts";
import { scanImage, storeReport } from "../domain/container/scans/make-scan.ts";
import {
  detectionRows,
  packageRows,
  rowsOf,
  vulnerabilityRows,
} from "../domain/container/scans/rows.ts";
import { scans } from "../domain/container/scans/scans.ts";
import { insertAll, type Count, type Filling } from "./filling.ts";
import { inventoryOf, seededImages } from "./images.ts";
import { days, instant } from "./instants.ts";
import { knownImages } from "./known.ts";
import { Random } from "./random.ts";

/** Scans of images with well-known vulnerabilities, and their reports. */
export async function fillImages(filling: Filling, blobs: BlobStore, count: Count): Promise<void> {
  const { store, tenant, plan, purpose, seed, base } = filling;
  const find = findAdvisories(store, tenant.cid, new Date(base));
  for (const [index, image] of seededImages.slice(0, plan.images).entries()) {
    const random = new Random(seed, `${purpose}/images/${index}`);
    const known = knownImages.get(index);
    const hashes = (known?.hashes ?? []).map(filling.known);
    const inventory = inventoryOf(image, instant(base - days(30 + index)), () => {
      const drawn = random.hex(64);
      return hashes.shift() ?? drawn;
    });
    const ids = known === undefined ? [] : [filling.known(known.scan)];
    const now = new Date(base - days(1 + index));
    const { scan, report } = await scanImage(inventory, {
      cid: tenant.cid,
      now,
      find,
      newId: () => {
        const drawn = uuidOf(random.hex(32));
        return ids.shift() ?? drawn;
      },
    });
    const stored = { ...scan, ...(await storeReport(blobs, report)) };
    const rows = rowsOf(stored, report);
    const uncounted = (): void => undefined;
    await insertAll(filling, scans, [stored], count);
    await insertAll(filling, vulnerabilityRows, rows.vulnerabilities, uncounted);
    await insertAll(filling, detectionRows, rows.detections, uncounted);
    await insertAll(filling, packageRows, rows.packages, uncounted);
  }
}

/** A UUID of version 4 from 32 hexadecimal digits. */
function uuidOf(digits: string): string {
  const parts = [digits.slice(0, 8), digits.slice(8, 12), `4${digits.slice(13, 16)}`];
  return [...parts, `8${digits.slice(17, 20)}`, digits.slice(20, 32)].join("-");
}
