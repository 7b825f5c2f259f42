import { createHash } from "node:crypto";
import { fqlTables, type components } from "@security-platform/spec";
import type { Resource } from "../../../store/index.ts";
import type { Severity } from "../advisories/severity.ts";

export type ScanInventory = components["schemas"]["ScanInventory"];
export type ImageReport = components["schemas"]["ImageReport"];

/** One scan of an image. Its report is a file. */
export interface Scan {
  readonly scan_uuid: string;
  readonly image_id: string;
  readonly image_digest: string;
  readonly index_digest: string;
  readonly registry: string;
  readonly repository: string;
  readonly tag: string;
  readonly architecture: string;
  readonly os_name: string;
  readonly os_version: string;
  /** Size in bytes. */
  readonly size: number;
  readonly package_count: number;
  readonly vulnerability_count: number;
  readonly detection_count: number;
  readonly highest_severity: Severity;
  readonly scanned_at: string;
  readonly created_at: string | null;
  /** Hidden: identifies the image, see `imageKey`. */
  readonly image: string;
  /** Hidden: whether it is the newest scan of the image. */
  readonly newest: boolean;
  /** Hidden: SHA-256 of the report. */
  readonly report: string;
  /** Hidden: size of the report. Scans of earlier versions of the server do not have it. */
  readonly report_bytes?: number;
}

/**
 * The scans of images. Reports of all of them can be read; exports show the newest of each image.
 */
export const scans: Resource<Scan> = {
  name: "image_scans",
  collection: "container",
  fields: {
    ...fqlTables["images.images-assessment"].fields,
    index_digest: { type: "string" },
    image: { type: "string", filterable: false },
    newest: { type: "boolean" },
    report: { type: "string" },
    report_bytes: { type: "number" },
  },
  id: "scan_uuid",
  hidden: ["image", "newest", "report", "report_bytes"],
  blobBytes: "report_bytes",
  blobs: ["report"],
  indexes: ["scanned_at", "image_digest", "image_id", "repository", "image", "report"],
};

/** Maximum length of a plain key; longer keys do not fit in the index. */
const longestKey = 1_024;

/**
 * Identifies an image: all scans with the same registry, name, configuration and architecture have
 * the same key.
 */
export function imageKey(scan: Omit<Scan, "image" | "newest" | "report" | "report_bytes">): string {
  const { registry, repository, tag, image_digest, image_id, architecture } = scan;
  const key = [registry, repository, tag, image_digest, image_id, architecture].join("\n");
  return Buffer.byteLength(key) <= longestKey
    ? key
    : createHash("sha256").update(key).digest("hex");
}

export const scanNoun = "image scan";
