import type { BackupSummary, SnapshotSummary } from "@security-platform/server/internal";
import { formatFacts } from "../../terminal/table.ts";

/** A backup or a snapshot in lines for people. */
export const describeBackup = (path: string, summary: BackupSummary | SnapshotSummary): string => {
  const isSnapshot = "kind" in summary;
  return formatFacts([
    [isSnapshot ? "snapshot" : "file", path],
    ...(isSnapshot ? [] : [["created at", summary.created_at] as const]),
    ["version", summary.version],
    ["database", `${isSnapshot ? "sqlite or postgres" : summary.engine}, schema ${summary.schema}`],
    ["files", summary.files ?? "not included"],
    ["keys", summary.keys ? "included; whoever has them can read the secrets" : "not included"],
  ]);
};
