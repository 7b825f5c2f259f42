import type { ImageReport, Scan } from "./scans.ts";

/** The members of an expanded image beyond those of the image. */
export const expandedColumns = ["packages", "vulnerabilities", "detections"] as const;

/** An image with the findings of its newest scan. */
export function expandImage(scan: Scan, report: ImageReport): object {
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
