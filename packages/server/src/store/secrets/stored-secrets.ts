import { sql } from "../dialects/sql.ts";
import { layoutOf } from "../rows/columns.ts";
import type { Connection, Database } from "../dialects/dialect.ts";
import { StoreError } from "../types/errors.ts";
import type { SecretKey } from "../../secrets/secret-key.ts";
import { keyOf, replaceState, storedState, type KeyState, type Sealer } from "./sealer.ts";
import { platformCid, type Directory, type JsonObject, type Resource } from "../types/types.ts";
import type { RotateOptions, Secrets, UsedKey } from "../types/secrets.ts";

interface StoredSecretsParts {
  readonly database: Database;
  readonly directory: Directory;
  readonly sealer: Sealer;
  readonly resources: readonly Resource[];
  /** Runs `work` in a transaction of the tenant, after all earlier transactions of the tenant. */
  readonly transact: (
    cid: string,
    work: (connection: Connection) => Promise<void>,
  ) => Promise<void>;
}

/** A version of a record, and its hidden members as they are stored. */
interface Row {
  readonly row: number;
  readonly valid_from: number;
  readonly id: string;
  readonly hidden: string;
}

interface SealAgain {
  readonly batch?: number | undefined;
  /** Selects secrets by the id of their key (null: not encrypted). */
  readonly matches: (id: string | null) => boolean;
  /** The key that must be the current one. Default: any key. */
  readonly key?: string;
  readonly onProgress?: (changed: number) => void;
}

const defaultBatch = 200;
/** The setting with the names of the members that have no plain text left in the database. */
const sealedMembers = "sealed-members";

/** The encrypted members of all records of a database. */
export class StoredSecrets implements Secrets {
  readonly #parts: StoredSecretsParts;
  readonly #sealed: readonly Resource[];

  constructor(parts: StoredSecretsParts) {
    this.#parts = parts;
    this.#sealed = parts.resources.filter(({ sealed }) => sealed !== undefined);
  }

  async prepare(): Promise<void> {
    const { database, directory, sealer } = this.#parts;
    const stored = await database.read([], storedState);
    const state = stored ?? (await database.write(null, (connection) => sealer.state(connection)));
    sealer.verify(state);
    const names = this.#sealed.flatMap(({ collection, name, sealed = [] }) =>
      sealed.map((member) => `${collection}_${name}.${member}`),
    );
    const currentNames = JSON.stringify(names);
    if ((await directory.setting(sealedMembers, () => "[]")) === currentNames) return;
    await this.#sealAgain({ matches: (id) => id === null });
    await directory.changeSetting(sealedMembers, currentNames);
  }

  async keys(): Promise<readonly UsedKey[]> {
    const { database } = this.#parts;
    const state = await database.read([], storedState);
    if (state === null) return [];
    const counts = new Map(Object.keys(state.canaries).map((id) => [id, 0]));
    await this.#eachBatch(undefined, async (_cid, resource, rows) => {
      for (const id of rows.flatMap((row) => keysIn(resource, row))) {
        if (id !== null) counts.set(id, (counts.get(id) ?? 0) + 1);
      }
    });
    return [...counts].map(([id, secrets]) => ({ id, current: id === state.current, secrets }));
  }

  async rotateTo(id: string, { onProgress, batch }: RotateOptions = {}): Promise<number> {
    const { database, sealer } = this.#parts;
    const key = sealer.find(id);
    sealer.verify(await database.write(null, (connection) => sealer.state(connection)));
    await this.#changeState((state) => (state.current === id ? state : sealer.withKey(state, key)));
    // Waits for earlier transactions, which may still write secrets with another key.
    for (const cid of await this.#tenants()) {
      await this.#parts.transact(cid, async () => undefined);
    }
    let changed = 0;
    for (let more = 1; more > 0; changed += more) {
      more = await this.#sealAgain({
        batch,
        matches: (other) => other !== id,
        key: id,
        onProgress: (count) => onProgress?.(changed + count),
      });
    }
    await this.#changeState(({ current, canaries }) => {
      requireCurrent(current, id);
      const { [id]: own } = canaries;
      return { current, canaries: own === undefined ? {} : { [id]: own } };
    });
    return changed;
  }

  async #changeState(change: (state: KeyState) => KeyState): Promise<void> {
    const changed = await this.#parts.database.write(null, async (connection) => {
      const before = await this.#parts.sealer.state(connection);
      return replaceState(connection, before, change(before));
    });
    if (!changed) throw new StoreError("another process has changed the keys; repeat the command");
  }

  /** Encrypts secrets with the current key. Returns how many. */
  async #sealAgain({ batch, matches, key, onProgress }: SealAgain): Promise<number> {
    const { sealer, transact } = this.#parts;
    let changed = 0;
    await this.#eachBatch(batch, async (cid, resource, rows) => {
      const affected = rows.filter((row) => keysIn(resource, row).some(matches));
      if (affected.length === 0) return;
      await transact(cid, async (connection) => {
        const current = await sealer.currentKey(connection);
        if (key !== undefined) requireCurrent(current.id, key);
        for (const row of affected) {
          const members = keysIn(resource, row).length;
          const sealed = this.#sealedText(cid, resource, row, current);
          if (await replaceHidden(connection, cid, resource, row, sealed)) changed += members;
        }
      });
      onProgress?.(changed);
    });
    return changed;
  }

  #sealedText(cid: string, resource: Resource, { id, hidden }: Row, key: SecretKey): string {
    const { sealer } = this.#parts;
    const record = { ...(JSON.parse(hidden) as JsonObject), [resource.id]: id };
    const sealed = sealer.seal(resource, cid, sealer.open(resource, cid, record), key);
    const { [resource.id]: _id, ...members } = sealed as JsonObject;
    return JSON.stringify(members);
  }

  /** Every version with hidden members, tenant by tenant. */
  async #eachBatch(
    size: number | undefined,
    work: (cid: string, resource: Resource, rows: readonly Row[]) => Promise<void>,
  ): Promise<void> {
    const { database } = this.#parts;
    const limit = size ?? defaultBatch;
    for (const cid of await this.#tenants()) {
      for (const resource of this.#sealed) {
        const { table } = layoutOf(resource);
        let last = { row: 0, valid_from: 0 };
        for (;;) {
          const { row, valid_from } = last;
          const rows = await database.read([cid], (connection) =>
            connection.all(
              sql<Row>`select row, valid_from, id, hidden from ${sql.id(table)}
                where cid = ${cid} and (row, valid_from) > (${row}, ${valid_from})
                  and hidden is not null
                order by row, valid_from limit ${limit}`,
            ),
          );
          await work(cid, resource, rows);
          const end = rows.at(-1);
          if (end === undefined || rows.length < limit) break;
          last = end;
        }
      }
    }
  }

  async #tenants(): Promise<readonly string[]> {
    const tenants = await this.#parts.directory.tenants();
    return [platformCid, ...tenants.map(({ cid }) => cid)];
  }
}

function requireCurrent(current: string, id: string): void {
  if (current !== id) throw new StoreError(`another process rotates the keys, to ${current}`);
}

/**
 * Replaces the hidden members of a version. Returns false if the sweep has removed it; nothing else changes a version.
 */
async function replaceHidden(
  connection: Connection,
  cid: string,
  resource: Resource,
  { row, valid_from, hidden }: Row,
  text: string,
): Promise<boolean> {
  const { table } = layoutOf(resource);
  const updated = await connection.all(sql`
    update ${sql.id(table)} set hidden = ${text}
    where cid = ${cid} and row = ${row} and valid_from = ${valid_from} and hidden = ${hidden}
    returning row`);
  return updated.length > 0;
}

/** The key of each secret of a version. Null: the secret is not encrypted. */
function keysIn({ sealed = [] }: Resource, { hidden }: Pick<Row, "hidden">) {
  const members = JSON.parse(hidden) as JsonObject;
  return sealed.flatMap((name) => {
    const value = members[name];
    return value === undefined || value === null ? [] : [keyOf(value)];
  });
}
