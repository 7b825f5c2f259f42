import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHome, openStoreAt } from "@security-platform/server/internal";
import type { Template } from "@security-platform/server/portable";

/** Prepares a database. */
export async function makeTemplate(): Promise<Template> {
  const folder = await mkdtemp(join(tmpdir(), "secplat-template-"));
  try {
    const path = join(folder, "template.db");
    const home = await createHome((parts) =>
      openStoreAt({ url: `sqlite:${path}`, durable: false, ...parts }),
    );
    return { ...home, bytes: await readFile(path) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
