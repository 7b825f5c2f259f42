import { createHash } from "node:crypto";
import { foldCase, type SortKey } from "@security-platform/fql";
import { fqlTables, type components } from "@security-platform/spec";
import type { RecordText, Resource } from "../../store/types.ts";
import { versionOrder } from "./version-order.ts";

type Schemas = components["schemas"];

/** A file as it is served, but for its address. */
export type CatalogueEntry = Schemas["DownloadCatalogueEntry"];

/** As stored: an entry, and members that are not served. */
export interface StoredDownload extends CatalogueEntry {
  readonly id: string;
  /** Sorts as versions do. */
  readonly version_order: string;
}

/** What callers filter and sort by. */
export const downloadFields = fqlTables.downloads.fields;

/** How one is called in messages. */
export const downloadNoun = "file";

/** Lists reach this far. */
export const downloadWindow = 1_000;

/** The files that a tenant may download. They come by import only. */
export const downloads: Resource<StoredDownload> = {
  name: "files",
  collection: "downloads",
  fields: {
    ...downloadFields,
    version_order: { type: "string", sortable: true },
    file_hash: { type: "string" },
  },
  id: "id",
  hidden: ["version_order"],
  indexes: ["file_name", "version_order", "file_hash"],
};

/** An entry as it is stored. The same name, version and system is the same file. */
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

/** The entry in a record's text. */
export function servedDownload(text: RecordText): CatalogueEntry {
  const { id: _id, ...entry } = JSON.parse(text) as CatalogueEntry & { readonly id: string };
  return entry;
}

const ownOrder = ["file_name", "file_version", "os", "arch"] as const;

/** The order in the store: versions by their numbers, and files that are alike by name, version and system. */
export function downloadOrder(asked: readonly SortKey[]): readonly SortKey[] {
  const named = new Set(asked.map(({ field }) => field));
  const rest = ownOrder.filter((field) => !named.has(field));
  const keys = [...asked, ...rest.map((field): SortKey => ({ field, direction: "asc" }))];
  return keys.map((key) =>
    key.field === "file_version" ? { ...key, field: "version_order" } : key,
  );
}
