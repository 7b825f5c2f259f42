import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A temporary folder of the running test, deleted at its end. */
export function temporaryFolder(): string {
  // As processes started in it see it; on macOS the path of temporary folders has a link.
  const folder = mkdtempSync(join(realpathSync(tmpdir()), "secplat-cli-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
