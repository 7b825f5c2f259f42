import type { RecordText } from "../../../store/index.ts";
import { readReport } from "../scans/find-scans.ts";
import { scans, type ImageReport, type Scan } from "../scans/scans.ts";
import type { Reading } from "./reading.ts";

/** Images per query. Their reports are read one by one. */
const batch = 100;

/** The members of an expanded image beyond those of the image. */
export const expandedColumns = ["packages", "vulnerabilities", "detections"] as const;

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
  for await (const found of records.scanComplete(predicate, now, batch)) {
    for (const scan of found) {
      const report = await readReport({ context: { store, blobs } }, scan);
      yield [JSON.stringify(expand(scan, report))];
    }
  }
}

function expand(scan: Scan, report: ImageReport): object {
  const { image: _image, newest: _newest, report: _report, ...served } = scan;
  const { Packages, ApplicationPackages, Vulnerabilities, Detections } = report;
  const expanded: { readonly [Column in (typeof expandedColumns)[number]]: readonly string[] } = {
    packages: distinct([
      ...Packages.map(({ Product = "", MajorVersion = "" }) => `${Product} ${MajorVersion}`),
      ...ApplicationPackages.flatMap(({ libraries }) =>
        libraries.map(({ Name = "", Version = "" }) => `${Name} ${Version}`),
      ),
    ]),
    vulnerabilities: distinct((Vulnerabilities ?? []).map(({ Vulnerability: { CVEID } }) => CVEID)),
    detections: distinct((Detections ?? []).map(({ Detection: { Name } }) => Name)),
  };
  return { ...served, ...expanded };
}

const distinct = (names: readonly string[]): readonly string[] => [
  ...new Set(names.map((name) => name.trim())),
];
