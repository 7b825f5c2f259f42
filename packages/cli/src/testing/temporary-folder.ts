import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A temporary folder, by default of the running test, which `finish` deletes at its end. */
export function temporaryFolder(finish: (cleanUp: () => void) => void = onTestFinished): string {
  // As processes started in it see it; on macOS the path of temporary folders has a link.
  const folder = mkdtempSync(join(realpathSync(tmpdir()), "secplat-cli-"));
  finish(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
  return folder;
}
