import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { Clock } from "../foundation/clock.ts";
import { writeAsCommand, type Writing } from "../records/write.ts";
import { platformCid, type JsonObject, type Store } from "../store/index.ts";
import type { Catalogue, SharedEntry } from "./entries.ts";

const setting = "platform_catalogue";

/**
 * Stored as `<version> <digest of the records>`. Records are updated if the digest differs, unless the
 * stored version is newer.
 */
interface Stamp {
  readonly version: number;
  readonly digest: string;
}

const stamps = new WeakMap<Catalogue, Stamp>();

function stampOf(catalogue: Catalogue): Stamp {
  let stamp = stamps.get(catalogue);
  if (stamp === undefined) {
    const text = JSON.stringify(catalogue.shared.map((entry) => entry.records()));
    const digest = createHash("sha256").update(text).digest("hex").slice(0, 16);
    stamp = { version: catalogue.sharedVersion ?? catalogue.sharedSince, digest };
    stamps.set(catalogue, stamp);
  }
  return stamp;
}

/**
 * Stores the shared records that are missing on the platform or differ from the catalogue. A database with
 * the records of a newer version is not changed.
 */
export async function provisionPlatform({
  store,
  clock,
  catalogue,
}: {
  readonly store: Store;
  readonly clock: Clock;
  readonly catalogue: Catalogue;
}): Promise<void> {
  const { version, digest } = stampOf(catalogue);
  const isBehind = (stored: string): boolean => {
    const [storedVersion, storedDigest] = stored.split(" ");
    return Number(storedVersion) <= version && storedDigest !== digest;
  };
  if (!isBehind(await store.directory.setting(setting, () => "0 none"))) return;
  const command = {
    store,
    cid: platformCid,
    name: `catalogue version ${version}`,
    now: clock.now(),
    actor: "server",
  };
  await writeAsCommand(command, async (writing) => {
    // Another server may have stored its records since.
    const stamp = `${version} ${digest}`;
    if (!(await writing.transaction.changeSetting(setting, stamp, isBehind))) return;
    for (const entry of catalogue.shared) await update(writing, entry);
  });
}

async function update(writing: Writing, entry: SharedEntry): Promise<void> {
  const { resource } = entry;
  const records = entry.records();
  const stored = writing.transaction.records(resource);
  const idOf = (record: object) => String((record as JsonObject)[resource.id]);
  const existing = await stored.getForUpdate(records.map(idOf));
  const changed = records.filter((record) => {
    const before = existing.get(idOf(record));
    if (before === undefined) return true;
    return !isDeepStrictEqual(before, record) && entry.keepsStored?.(before, record) !== true;
  });
  if (changed.length === 0) return;
  await stored.put(changed, writing.now);
  writing.audit(changed.map(idOf));
}
