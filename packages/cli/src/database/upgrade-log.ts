import type { UpgradeProgress } from "@security-platform/server/internal";

/** Number of versions that are read between two lines of the log. */
const step = 50_000;

interface Log {
  info(details: object, message: string): void;
}

/**
 * Logs an upgrade of stored records, which delays the start: when the first record changes, and then at regular
 * intervals. Nothing is logged about a small table without changes.
 */
export function upgradeLog(log: Log): (progress: UpgradeProgress) => void {
  let logged = { resource: "", step: 0 };
  return (progress) => {
    const { resource, read, changed } = progress;
    const current = Math.floor(read / step);
    const before = logged.resource === resource ? logged.step : 0;
    const isFirst = changed > 0 && logged.resource !== resource;
    if (current === before && !isFirst) return;
    logged = { resource, step: current };
    log.info(progress, "upgrading stored records to the form of this version");
  };
}
