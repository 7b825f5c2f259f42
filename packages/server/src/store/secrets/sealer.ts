import { findKey, type Keyring } from "../../secrets/keyring.ts";
import { seal, sealingKey, unseal, type SecretPlace } from "../../secrets/seal.ts";
import { SecretKeyError, type SecretKey } from "../../secrets/secret-key.ts";
import type { Connection } from "../dialects/dialect.ts";
import { sql } from "../dialects/sql.ts";
import type { JsonObject, Resource } from "../types/types.ts";

/** The keys that a database needs, as stored in it. */
export interface KeyState {
  /** The id of the key that new secrets are encrypted with. */
  readonly current: string;
  /** A known text encrypted with each key, by key id. It shows whether a key is wrong. */
  readonly canaries: Readonly<Record<string, string>>;
}

/** The name of the setting with the `KeyState`. */
export const keysSetting = "secrets-keys";
const canary = "a text that is no secret";
const canaryPlace: SecretPlace = { cid: "", resource: "settings", record: "", field: keysSetting };

/** Encrypts and decrypts the sealed members of records. */
export class Sealer {
  readonly #keys: Keyring;

  constructor(keys: Keyring) {
    this.#keys = keys;
  }

  /**
   * The key for new secrets. Each transaction that writes secrets reads it, because a rotation may change it
   * at any time.
   */
  async currentKey(connection: Connection): Promise<SecretKey> {
    const { current } = await this.state(connection);
    return findKey(this.#keys, current);
  }

  /** The record with encrypted members. A null or missing member stays as it is. */
  seal<Record extends object>(
    resource: Resource<Record>,
    cid: string,
    record: Record,
    key: SecretKey,
  ): Record {
    return this.#changed(resource, cid, record, (value, place) =>
      seal(JSON.stringify(value), place, key),
    );
  }

  /** The record with decrypted members. Throws `SecretKeyError`. */
  open<Record extends object>(resource: Resource<Record>, cid: string, record: Record): Record {
    return this.#changed(resource, cid, record, (value, place) =>
      keyOf(value) === null ? value : JSON.parse(unseal(String(value), place, this.#keys)),
    );
  }

  /** Throws `SecretKeyError` if a key that the database needs is missing or wrong. */
  verify({ canaries }: KeyState): void {
    for (const [id, text] of Object.entries(canaries)) {
      findKey(this.#keys, id);
      if (unseal(text, canaryPlace, this.#keys) === canary) continue;
      throw new SecretKeyError(`${this.#keys.source} has another key ${id} than the database`);
    }
  }

  /** The state after a key becomes the current one. */
  withKey(state: KeyState | null, { id, key }: SecretKey): KeyState {
    const text = seal(canary, canaryPlace, { id, key });
    return { current: id, canaries: { ...state?.canaries, [id]: text } };
  }

  find(id: string): SecretKey {
    return findKey(this.#keys, id);
  }

  /** The stored state. A database without one gets the initial key. */
  async state(connection: Connection): Promise<KeyState> {
    const stored = await storedState(connection);
    if (stored !== null) return stored;
    const state = this.withKey(null, this.#keys.initial());
    await connection.send(sql`insert into settings (name, value)
      values (${keysSetting}, ${JSON.stringify(state)}) on conflict do nothing`);
    // If another process was faster, its key is used.
    return (await storedState(connection)) ?? state;
  }

  #changed<Record extends object>(
    resource: Resource<Record>,
    cid: string,
    record: Record,
    change: (value: unknown, place: SecretPlace) => unknown,
  ): Record {
    if (resource.sealed === undefined) return record;
    const members = record as JsonObject;
    const place = {
      cid,
      resource: `${resource.collection}_${resource.name}`,
      record: String(members[resource.id]),
    };
    const changed = resource.sealed.flatMap((field) => {
      const value = members[field];
      return value === undefined || value === null
        ? []
        : [[field, change(value, { ...place, field })] as const];
    });
    return changed.length === 0 ? record : { ...record, ...Object.fromEntries(changed) };
  }
}

/** The id of the key that encrypts a stored member. Null if it is not encrypted. */
export const keyOf = (value: unknown): string | null =>
  typeof value === "string" ? sealingKey(value) : null;

export async function storedState(connection: Connection): Promise<KeyState | null> {
  const [row] = await connection.all(
    sql<{ value: string }>`select value from settings where name = ${keysSetting}`,
  );
  return row === undefined ? null : (JSON.parse(row.value) as KeyState);
}

/** Replaces a state, unless another process has changed it. Returns whether it did. */
export async function replaceState(
  connection: Connection,
  before: KeyState,
  after: KeyState,
): Promise<boolean> {
  const changed = await connection.all(sql`
    update settings set value = ${JSON.stringify(after)}
    where name = ${keysSetting} and value = ${JSON.stringify(before)} returning name`);
  return changed.length > 0;
}
