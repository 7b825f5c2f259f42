import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { version, writeChecksums } from "../pack.ts";
import { makeProgram } from "./make.ts";
import { targets } from "./targets.ts";

/** Adds the programs for all systems to the files of a release, and renews the checksums. */
export async function makePrograms(folder: string): Promise<void> {
  const workspace = mkdtempSync(join(tmpdir(), "secplat-programs-"));
  try {
    for (const target of targets) {
      const output = join(folder, `secplat-${version}-${target.name}`);
      await makeProgram(target, join(folder, `secplat-${version}.tgz`), output, workspace);
    }
  } finally {
    rmSync(workspace, { recursive: true, force: true });
  }
  writeChecksums(folder);
}
