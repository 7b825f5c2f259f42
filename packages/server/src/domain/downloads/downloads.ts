import { createHash } from "node:crypto";
import { foldCase, type SortKey } from "@security-platform/fql";
import { fqlTables, type components } from "@security-platform/spec";
import type { RecordText, Resource } from "../../store/index.ts";
import { versionOrder } from "./version-order.ts";

type Schemas = components["schemas"];

/** A file as served, without its URL. */
export type CatalogueEntry = Schemas["DownloadCatalogueEntry"];

/** The stored record: the entry and hidden members. */
export interface StoredDownload extends CatalogueEntry {
  readonly id: string;
  /** A text that sorts in version order. */
  readonly version_order: string;
}

/** The fields that callers may filter and sort by. */
export const downloadFields = fqlTables.downloads.fields;

/** The name of a record in messages. */
export const downloadNoun = "file";

/** Maximum of offset + limit in lists. */
export const downloadWindow = 1_000;

/** Files that a tenant may download. Only imports create them. */
export const downloads: Resource<StoredDownload> = {
  name: "files",
  collection: "downloads",
  fields: {
    ...downloadFields,
    version_order: { type: "string", sortable: true },
    file_hash: { type: "string" },
    size: { type: "number" },
  },
  id: "id",
  hidden: ["version_order"],
  indexes: ["file_name", "version_order", "file_hash"],
  blobs: ["file_hash"],
  blobBytes: "size",
};

/** The stored record of an entry. The id is derived from name, version and system. */
export function storedDownload(entry: CatalogueEntry): StoredDownload {
  const { file_name, file_version, category, os, arch, file_type, file_hash, size } = entry;
  const identity = [foldCase(file_name), file_version, os ?? null, arch ?? null];
  return {
    id: createHash("sha256").update(JSON.stringify(identity)).digest("hex").slice(0, 32),
    file_name,
    file_version,
    category,
    ...(os === undefined ? {} : { os }),
    ...(arch === undefined ? {} : { arch }),
    ...(file_type === undefined ? {} : { file_type }),
    file_hash,
    size,
    version_order: versionOrder(file_version),
  };
}

/** Parses the entry from the text of a record. */
export function servedDownload(text: RecordText): CatalogueEntry {
  const { id: _id, ...entry } = JSON.parse(text) as CatalogueEntry & { readonly id: string };
  return entry;
}

const ownOrder = ["file_name", "file_version", "os", "arch"] as const;

/** The sort keys in the store: versions sort by number, ties by name, version and system. */
export function downloadOrder(requested: readonly SortKey[]): readonly SortKey[] {
  const named = new Set(requested.map(({ field }) => field));
  const rest = ownOrder.filter((field) => !named.has(field));
  const keys = [...requested, ...rest.map((field): SortKey => ({ field, direction: "asc" }))];
  return keys.map((key) =>
    key.field === "file_version" ? { ...key, field: "version_order" } : key,
  );
}
