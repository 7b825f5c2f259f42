import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A folder of hosts with a file of one host, and one that a session has fetched from it. */
export function filesOfHosts(aid: string) {
  const rtrRoot = mkdtempSync(join(tmpdir(), "secplat-hosts-"));
  onTestFinished(() => rmSync(rtrRoot, { recursive: true, force: true }));
  const content = "contract";
  const sha256 = createHash("sha256").update(content).digest("hex");
  const fetched = join(rtrRoot, "sessions", "contract", aid, sha256);
  mkdirSync(fetched, { recursive: true });
  mkdirSync(join(rtrRoot, aid, "var"), { recursive: true });
  writeFileSync(join(fetched, "fetched.txt"), content);
  writeFileSync(join(rtrRoot, aid, "var", "contract.txt"), content);
  return {
    rtrRoot,
    "host-files": [{ aid, file_path: "/var/contract.txt" }],
    "fetched-files": [{ session_id: "contract", sha256 }],
  };
}
