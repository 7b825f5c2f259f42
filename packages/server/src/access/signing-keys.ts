import { randomBytes } from "node:crypto";
import { platformCid, type Resource, type Store } from "../store/index.ts";

/** The purpose of a signing key: cursors of pages, or links, tickets and tokens. */
export type SigningKeyName = "cursors" | "links";

interface SigningKey {
  readonly id: SigningKeyName;
  readonly key: string;
}

/** The signing keys that all processes of a database share. */
export const signingKeys: Resource<SigningKey> = {
  name: "signing_keys",
  collection: "platform",
  fields: {},
  id: "id",
  hidden: ["key"],
  sealed: ["key"],
  indexes: [],
};

/** A signing key. Creates it at first use. Throws `SecretKeyError`. */
export async function signingKey(store: Store, id: SigningKeyName, now: Date): Promise<string> {
  const storedKeys = await store.records(signingKeys, { cid: platformCid }).getComplete([id], now);
  const storedKey = storedKeys.get(id);
  if (storedKey !== undefined) return storedKey.key;
  return store.write(platformCid, async (transaction) => {
    const records = transaction.records(signingKeys);
    // Another process may have been faster.
    const existing = (await records.getForUpdate([id])).get(id);
    if (existing !== undefined) return existing.key;
    const key = randomBytes(32).toString("base64url");
    await records.insert([{ id, key }], now);
    return key;
  });
}
