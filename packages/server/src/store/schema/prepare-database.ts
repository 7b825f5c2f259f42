import type { Clock } from "../../foundation/clock.ts";
import type { Connection, Database } from "../dialects/dialect.ts";
import type { Resource } from "../types/types.ts";
import {
  migrate,
  newestOf,
  readState,
  refuseEarlier,
  runStep,
  type Migration,
  type SchemaState,
} from "./migrate.ts";
import { arePrepared, formOfTables, prepareTables, readSchema } from "./schema.ts";
import { compareRevisions, expectEarlier } from "./upgrade-records.ts";

/** What a version of the server knows. */
export interface KnownSchema {
  readonly clock: Clock;
  readonly resources: readonly Resource[];
  readonly steps: readonly Migration[];
}

export interface PreparedDatabase {
  /** Whether a later version has changed the database. */
  readonly isEarlier: boolean;
  /** The resources whose tables no later version has changed. */
  readonly own: readonly Resource[];
}

/**
 * Creates the tables of a database in one transaction, or brings existing ones to this version. Throws `StoreError` if it
 * cannot.
 *
 * Servers of the version before may use existing tables. So each step and each resource has a transaction of its own:
 * together they would keep many tables locked, and could lock each other out with transactions of those servers.
 */
export async function prepareDatabase(
  database: Database,
  known: KnownSchema,
): Promise<PreparedDatabase> {
  const { clock, resources, steps } = known;
  const found = await database.asOwner(async (connection) => {
    const state = await readState(connection, steps);
    if (state.isNew) await create(connection, known);
    return state.isNew ? null : { ...state, ...(await compare(connection, known, state)) };
  });
  if (found === null) {
    await database.distribute?.();
    return { isEarlier: false, own: resources };
  }
  const now = clock.now();
  let changed = false;
  for (const step of found.due) {
    await database.asOwner((connection) => runStep(connection, now, step), { yields: true });
    changed = true;
  }
  if (found.isEarlier || found.isUpgrade) {
    await database.asOwner((connection) => expectEarlier(connection, now));
  }
  for (const resource of found.changed) {
    await database.asOwner(
      async (connection) => {
        const existing = await readSchema(connection, [resource]);
        const version = { now, schema: newestOf(steps) };
        const form = await prepareTables(connection, resource, existing, version);
        if (form === "rebuilt") await refuseEarlier(connection);
      },
      { yields: true },
    );
    changed = true;
  }
  if (changed) await database.asOwner((connection) => connection.run(connection.dialect.admit));
  await database.distribute?.();
  return found;
}

/** Compares a prepared database with this version, inside the owner's transaction: a later one may have followed. */
export async function comparePrepared(
  connection: Connection,
  known: KnownSchema,
): Promise<PreparedDatabase> {
  return compare(connection, known, await readState(connection, known.steps));
}

/** Whether a start of this version creates or changes tables, inside the owner's transaction. */
export async function arePrepareStepsDue(
  connection: Connection,
  known: KnownSchema,
): Promise<boolean> {
  const state = await readState(connection, known.steps);
  if (state.isNew || state.due.length > 0) return true;
  return (await compare(connection, known, state)).changed.length > 0;
}

async function create(
  connection: Connection,
  { clock, resources, steps }: KnownSchema,
): Promise<void> {
  const now = clock.now();
  await migrate(connection, now, steps);
  const existing = await readSchema(connection, resources);
  const version = { now, schema: newestOf(steps) };
  for (const resource of resources) await prepareTables(connection, resource, existing, version);
  await connection.run(connection.dialect.admit);
}

async function compare(
  connection: Connection,
  { resources, steps }: KnownSchema,
  { isLater }: SchemaState,
) {
  const existing = await readSchema(connection, resources);
  const schema = newestOf(steps);
  const forms = new Map(
    resources.map((resource) => [resource, formOfTables(resource, existing, schema)]),
  );
  const own = resources.filter((resource) => forms.get(resource) !== "later");
  const revisions = await compareRevisions(connection, resources);
  return {
    own,
    changed: own.filter((resource) => !arePrepared(resource, existing)),
    isEarlier: isLater || own.length < resources.length || revisions.isLater,
    isUpgrade: [...forms.values()].includes("extended") || revisions.isDue,
  };
}
