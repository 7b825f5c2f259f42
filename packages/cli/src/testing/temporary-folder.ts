import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A temporary folder of the running test, deleted at its end. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "secplat-cli-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
