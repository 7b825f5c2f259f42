import { compareCodePoints, foldCase, nearest, where } from "@security-platform/fql";
import { users } from "../../../access/users.ts";
import { viewerOf } from "../../../access/viewer.ts";
import type { Clock } from "../../../foundation/clock.ts";
import { writeAsCommand } from "../../../records/write.ts";
import type { Store, Transaction } from "../../../store/index.ts";
import { accessTags, type StoredAccessTag } from "./access-tags.ts";

/** An unknown access tag or holder; the message is for the user of a command. */
export class AccessTagError extends Error {
  override readonly name = "AccessTagError";
}

/** An access tag and who holds it. */
export interface HeldAccessTag {
  readonly id: string;
  readonly key: string;
  /** UUIDs of users, ids of API clients and ids of roles. */
  readonly holders: readonly string[];
}

export interface HoldersEdit {
  readonly cid: string;
  /** Id or key, in any case. */
  readonly tag: string;
  readonly action: "grant" | "revoke";
  /** UUIDs or e-mail addresses of users, ids of API clients, or ids of roles. */
  readonly holders: readonly string[];
}

/** The tenant's access tags by key. */
export async function listAccessTags(
  store: Store,
  clock: Clock,
  cid: string,
): Promise<readonly HeldAccessTag[]> {
  const tags: HeldAccessTag[] = [];
  const batches = store.records(accessTags, { cid }).scanComplete(where.everything, clock.now());
  for await (const batch of batches) tags.push(...batch.map(shown));
  return tags.toSorted((left, right) => compareCodePoints(foldCase(left.key), foldCase(right.key)));
}

/**
 * Grants an access tag to users, API clients or roles, or revokes it. Writes an entry to the audit
 * trail. Throws `AccessTagError` for an unknown access tag or holder.
 */
export async function editAccessTagHolders(
  store: Store,
  clock: Clock,
  { cid, tag: named, action, holders }: HoldersEdit,
): Promise<HeldAccessTag> {
  const now = clock.now();
  const keys = new Set(await Promise.all(holders.map((each) => holderKey(store, cid, each, now))));
  return writeAsCommand({ store, cid, name: `access-tags ${action}`, now }, async (writing) => {
    const tag = await tagNamed(writing.transaction, named, now);
    const others = tag.holders.filter((holder) => !keys.has(holder));
    const changed = { ...tag, holders: action === "grant" ? [...others, ...keys] : others };
    await writing.records(accessTags).replace([changed]);
    return shown(changed);
  });
}

const shown = ({ id, key, holders }: StoredAccessTag): HeldAccessTag => ({ id, key, holders });

async function tagNamed(
  transaction: Transaction,
  named: string,
  now: Date,
): Promise<StoredAccessTag> {
  const records = transaction.records(accessTags);
  const key = foldCase(named);
  const id = (await records.findDuplicates([key])).get(key) ?? named;
  const tag = (await records.getForUpdate([id])).get(id);
  if (tag !== undefined) return tag;
  const keys = (await records.findForUpdate(where.everything, now)).map((each) => each.key);
  const near = nearest(named, keys);
  const hint = near === null || near === undefined ? "" : `; the nearest is "${near}"`;
  throw new AccessTagError(`there is no access tag "${named}"${hint}`);
}

const isClientId = (text: string): boolean => /^[0-9a-f]{32}$/.test(text);
const isRoleId = (text: string): boolean => /^[a-z0-9_]+$/.test(text);

/** The holder in the form that the tag stores. */
async function holderKey(store: Store, cid: string, name: string, now: Date): Promise<string> {
  const viewer = await viewerOf(store.directory, cid);
  const reader = store.records(users, viewer);
  if (name.includes("@") || name.includes("-")) {
    const predicate = name.includes("@")
      ? where.equalFolded("uid", name)
      : where.equal("uuid", name);
    const { items } = await reader.page({ predicate, sort: [], limit: 1, shape: "ids", now });
    const [uuid] = items;
    if (uuid === undefined) throw new AccessTagError(`there is no user "${name}"`);
    return uuid;
  }
  if (isClientId(name)) {
    const storedClient = await store.directory.client(name);
    if (storedClient?.client.cid === cid) return name;
    throw new AccessTagError(`the tenant has no API client ${name}`);
  }
  if (isRoleId(name)) return name;
  throw new AccessTagError(`"${name}" is not a user, API client or role`);
}
