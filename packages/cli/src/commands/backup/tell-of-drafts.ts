import { abandonedDrafts } from "@security-platform/server/internal";
import type { CliContext } from "../../terminal/cli-context.ts";
import { printable } from "../../terminal/printable.ts";

/** Tells of the files that commands which were killed have left in the folder of a file. */
export async function tellOfDrafts({ stderr }: CliContext, path: string): Promise<void> {
  for (const draft of await abandonedDrafts(path, new Date())) {
    const text = "was left by a command that was killed, and takes up space; delete it";
    stderr.write(`secplat: ${printable(draft)} ${text}\n`);
  }
}
