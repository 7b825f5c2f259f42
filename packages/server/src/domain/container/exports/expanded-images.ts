import type { RecordText } from "../../../store/index.ts";
import { workOn } from "../reports/read-report.ts";
import { scans } from "../scans/scans.ts";
import type { Reading } from "./reading.ts";

/** Images per query. Their reports are read one by one. */
const batch = 100;

/**
 * Images with the findings of their newest scans: names of packages, vulnerabilities and
 * detections.
 */
export async function* expandImages({
  store,
  blobs,
  cid,
  predicate,
  now,
}: Reading): AsyncGenerator<readonly RecordText[]> {
  const records = store.records(scans, { cid });
  for await (const storedScans of records.scanComplete(predicate, now, batch)) {
    for (const scan of storedScans) {
      yield [textOf(await workOn({ blobs, cid }, scan, { kind: "expand", scan }))];
    }
  }
}

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
