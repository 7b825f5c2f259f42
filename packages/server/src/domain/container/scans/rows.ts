import { fqlTables } from "@security-platform/spec";
import type { Resource } from "../../../store/index.ts";
import type { ImageVulnerability } from "../advisories/match.ts";
import type { ImageDetection } from "./detection.ts";
import type { ImageReport, Scan } from "./scans.ts";

/** The members of a row that describe its image. */
interface OfImage {
  /** `<scan uuid>/<number>`. */
  readonly id: string;
  /** The scan; hidden. */
  readonly scan: string;
}

export interface VulnerabilityRow extends OfImage {
  readonly cve_id: string;
  readonly severity: string;
  readonly cvss_score: number | null;
  readonly package_name: string;
  readonly package_version: string;
  readonly fixed_version: string | null;
  readonly published_at: string | null;
  readonly image_digest: string;
  readonly registry: string;
  readonly repository: string;
  readonly tag: string;
}

export interface DetectionRow extends OfImage {
  readonly type: string;
  readonly name: string;
  readonly severity: string;
  readonly image_digest: string;
  readonly registry: string;
  readonly repository: string;
  readonly tag: string;
  readonly path: string | null;
  readonly detected_at: string;
}

export interface PackageRow extends OfImage {
  readonly name: string;
  readonly version: string;
  readonly type: string;
  readonly vendor: string | null;
  readonly license: string | null;
  readonly image_digest: string;
  readonly repository: string;
  readonly tag: string;
  readonly vulnerability_count: number;
}

const rows = <Row extends OfImage>(
  name: string,
  table: "images.vulnerabilities" | "images.images-detections" | "images.packages",
  indexes: readonly string[],
): Resource<Row> => ({
  name,
  collection: "container",
  fields: { ...fqlTables[table].fields, scan: { type: "string" } },
  id: "id",
  hidden: ["scan"],
  indexes: ["scan", ...indexes],
});

/** Vulnerabilities in packages of images, of the newest scan of each image. */
export const vulnerabilityRows = rows<VulnerabilityRow>(
  "image_vulnerabilities",
  "images.vulnerabilities",
  ["cve_id"],
);

/** Detections in images, of the newest scan of each image. */
export const detectionRows = rows<DetectionRow>("image_detections", "images.images-detections", []);

/** Packages and libraries of images, of the newest scan of each image. */
export const packageRows = rows<PackageRow>("image_packages", "images.packages", ["name"]);

/** All resources with rows of scans. */
export const rowResources = [vulnerabilityRows, detectionRows, packageRows] as const;

/** The rows of a scan, from its report. They are made one by one, as an image may have hundreds of thousands. */
export function rowsOf(
  scan: Scan,
  report: ImageReport,
): {
  readonly vulnerabilities: Iterable<VulnerabilityRow>;
  readonly detections: Iterable<DetectionRow>;
  readonly packages: Iterable<PackageRow>;
} {
  const { Vulnerabilities, Detections } = report;
  const { scan_uuid, image_digest, registry, repository, tag, scanned_at } = scan;
  const image = { image_digest, registry, repository, tag };
  const numbered = (index: number): OfImage => ({ id: `${scan_uuid}/${index}`, scan: scan_uuid });
  const vulnerabilities = (Vulnerabilities ?? []).map(({ Vulnerability }) => Vulnerability);
  const counts = new Map<string, number>();
  for (const { Product } of vulnerabilities) {
    const key = `${Product.Product}\n${Product.MajorVersion}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return {
    vulnerabilities: mapped(vulnerabilities, (each, index) => ({
      ...numbered(index),
      ...vulnerabilityOf(each),
      ...image,
    })),
    detections: mapped(Detections ?? [], ({ Detection }, index) => ({
      ...numbered(index),
      ...detectionOf(Detection),
      ...image,
      detected_at: scanned_at,
    })),
    packages: mapped(packagesOf(report), (each, index) => ({
      ...numbered(index),
      ...each,
      image_digest,
      repository,
      tag,
      vulnerability_count: counts.get(`${each.name}\n${each.version}`) ?? 0,
    })),
  };
}

function* mapped<From, To>(from: Iterable<From>, map: (each: From, index: number) => To) {
  let index = 0;
  for (const each of from) yield map(each, index++);
}

function* packagesOf({ Packages, ApplicationPackages, OSInfo }: ImageReport) {
  const type = packageManager(OSInfo.Name);
  for (const { Product = "", MajorVersion = "", Vendor } of Packages) {
    yield { name: Product, version: MajorVersion, type, vendor: Vendor ?? null, license: null };
  }
  for (const { type: kind, libraries } of ApplicationPackages) {
    for (const { Name = "", Version = "", License } of libraries) {
      const license = License ?? null;
      yield { name: Name, version: Version, type: String(kind), vendor: null, license };
    }
  }
}

function vulnerabilityOf({ CVEID, Details, Product, FixedVersions }: ImageVulnerability) {
  const { severity, cvss_v3_score, cvss_v2_score, published_date } = Details;
  return {
    cve_id: CVEID,
    severity,
    cvss_score: cvss_v3_score?.base_score ?? cvss_v2_score?.base_score ?? null,
    package_name: Product.Product,
    package_version: Product.MajorVersion,
    fixed_version: FixedVersions?.[0] ?? null,
    published_at: published_date ?? null,
  };
}

function detectionOf({ Type, Name, Severity, Path }: ImageDetection) {
  return { type: Type, name: Name, severity: Severity, path: Path ?? null };
}

/** The package manager of a distribution. */
function packageManager(distribution: string): string {
  const name = distribution.toLowerCase();
  if (/debian|ubuntu/.test(name)) return "dpkg";
  if (/alpine|wolfi|chainguard/.test(name)) return "apk";
  return /windows/.test(name) ? "windows" : "rpm";
}
