import type { BlobStore } from "../../../blobs/blob-store.ts";
import { newUuid } from "../../../foundation/identifiers.ts";
import { jsonChunks } from "../json-chunks.ts";
import { distributionOf } from "../advisories/packages.ts";
import type { FindAdvisories } from "../advisories/match.ts";
import { severities, type Severity } from "../advisories/severity.ts";
import { detectionsOf } from "./detections.ts";
import { imageKey, type ImageReport, type Scan, type ScanInventory } from "./scans.ts";

export interface ScanResult {
  readonly report: ImageReport;
  readonly scan: Omit<Scan, "report">;
}

interface ScanOptions {
  readonly cid: string;
  readonly now: Date;
  readonly find: FindAdvisories;
  /** Creates the UUIDs of the scan and its detections. */
  readonly newId?: () => string;
}

/**
 * Scans an image: matches its packages with advisories, and collects other findings from its
 * inventory.
 */
export async function scanImage(
  body: ScanInventory,
  { cid, now, find, newId = newUuid }: ScanOptions,
): Promise<ScanResult> {
  const { inventory } = body;
  const { ImageInfo, OSInfo, Packages, ApplicationPackages = [] } = inventory;
  const { matchContents } = await import("../advisories/match.ts");
  const { vulnerabilities, unmatched } = await matchContents(
    {
      packages: Packages,
      applications: ApplicationPackages,
      distribution: distributionOf(OSInfo.Name, OSInfo.Version),
    },
    find,
  );
  const scan_uuid = newId();
  const detections = await detectionsOf(body, newId);
  const scanned_at = now.toISOString();
  const report: ImageReport = {
    ScanInfo: { ...body.scan_request.ScanInfo, ScanUUID: scan_uuid, RequestedAt: scanned_at, cid },
    ImageInfo,
    OSInfo,
    Packages,
    ApplicationPackages,
    Vulnerabilities:
      vulnerabilities.length === 0
        ? null
        : vulnerabilities.map((Vulnerability) => ({ Vulnerability })),
    ...(unmatched.length === 0 ? {} : { Unmatched: [...unmatched] }),
    Detections: detections.length === 0 ? null : detections.map((Detection) => ({ Detection })),
  };
  const named = readReference(body.original_image_name);
  const described = {
    scan_uuid,
    image_id: ImageInfo.ID,
    image_digest: ImageInfo.Digest,
    index_digest: ImageInfo.IndexDigest,
    registry: ImageInfo.Registry ?? named.registry,
    repository: ImageInfo.Repository ?? named.repository,
    tag: ImageInfo.Tag ?? named.tag,
    architecture: ImageInfo.Architecture,
    os_name: OSInfo.Name,
    os_version: OSInfo.Version,
    size: ImageInfo.Size,
    package_count: packagesIn(body),
    vulnerability_count: vulnerabilities.length,
    detection_count: detections.length,
    highest_severity: worst([
      ...vulnerabilities.map(({ Details }) => Details.severity),
      ...detections.map(({ Severity }) => Severity),
    ]),
    scanned_at,
    created_at: inventory.Config.created ?? null,
  };
  return { report, scan: { ...described, image: imageKey(described), newest: true } };
}

/** Maximum number of packages and libraries of an inventory; its report lists each of them. */
export const mostPackages = 200_000;

/** Number of packages of the operating system and libraries of applications. */
export const packagesIn = ({ inventory }: ScanInventory): number =>
  (inventory.ApplicationPackages ?? []).reduce(
    (sum, { libraries }) => sum + libraries.length,
    inventory.Packages.length,
  );

/** Stores the text of a report. Returns the members of its scan that refer to it. */
export async function storeReport(
  blobs: BlobStore,
  report: ImageReport,
): Promise<Pick<Scan, "report" | "report_bytes">> {
  const { sha256, bytes } = await blobs.put(jsonChunks(report));
  return { report: sha256, report_bytes: bytes };
}

function worst(all: readonly Severity[]): Severity {
  const highest = all.reduce((most, severity) => Math.max(most, severities.indexOf(severity)), -1);
  return severities[highest] ?? "none";
}

/** The parts of `registry.example.com/shop/checkout:4.2.0@sha256:…`; absent ones are empty. */
function readReference(name: string): Pick<Scan, "registry" | "repository" | "tag"> {
  const [path = ""] = name.split("@");
  const slash = path.indexOf("/");
  const first = slash < 0 ? "" : path.slice(0, slash);
  const registry = /[.:]|^localhost$/.test(first) ? first : "";
  const rest = registry === "" ? path : path.slice(slash + 1);
  const colon = rest.lastIndexOf(":");
  return colon < 0
    ? { registry, repository: rest, tag: "" }
    : { registry, repository: rest.slice(0, colon), tag: rest.slice(colon + 1) };
}
