import type { Store } from "../../store/index.ts";

/** What a backup says of itself. */
export interface BackupSummary {
  /** The version of the program that wrote it. */
  readonly version: string;
  readonly created_at: string;
  readonly engine: Store["engine"];
  /** The number of the fixed schema. */
  readonly schema: number;
  /** The number of files; null: it has none, whatever the database refers to. */
  readonly files: number | null;
  /** Whether it has the keys of the secrets. */
  readonly keys: boolean;
}

/** What a snapshot says of itself: nothing that differs between two of the same content. */
export interface SnapshotSummary extends Omit<BackupSummary, "created_at" | "engine"> {
  readonly kind: "snapshot";
}

export const databaseFolder = "database/";
export const tablesFolder = "tables/";
/** The end of the name of a part with rows that are not packed. */
export const rowsSuffix = ".ndjson";
export const keysPart = "secrets.key";

/** The path of `sqlite:<path>`. */
export const fileUrlPath = (url: string): string => url.slice("sqlite:".length);
