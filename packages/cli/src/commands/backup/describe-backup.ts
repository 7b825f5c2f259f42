import type { BackupSummary } from "@security-platform/server/internal";
import { formatFacts } from "../../terminal/table.ts";

/** A backup in lines for people. */
export const describeBackup = (path: string, summary: BackupSummary): string =>
  formatFacts([
    ["file", path],
    ["created at", summary.created_at],
    ["version", summary.version],
    ["database", `${summary.engine}, schema ${summary.schema}`],
    ["files", summary.files ?? "not included"],
    ["keys", summary.keys ? "included; whoever has them can read the secrets" : "not included"],
  ]);
