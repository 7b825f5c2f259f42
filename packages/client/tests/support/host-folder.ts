import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const content = "session opened\n";

/** A file of every host of a folder. */
export const hostFile = { path: "/var/log/auth.log" } as const;

/** A file that a response session has fetched from every host of a folder. */
export const fetchedFile = {
  session_id: "session-1",
  sha256: createHash("sha256").update(content).digest("hex"),
  name: "auth.log",
} as const;

/** A folder with these files of one host, in the layout that `--rtr-root` expects. `remove` deletes it. */
export function newHostFolder(aid: string): { readonly root: string; remove(): void } {
  const root = mkdtempSync(join(tmpdir(), "secplat-hosts-"));
  const { session_id, sha256, name } = fetchedFile;
  for (const file of [
    join(root, aid, ...hostFile.path.split("/")),
    join(root, "sessions", session_id, aid, sha256, name),
  ]) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
  return { root, remove: () => rmSync(root, { recursive: true, force: true }) };
}
