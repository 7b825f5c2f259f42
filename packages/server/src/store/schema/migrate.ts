import { namesByTable, type Connection } from "../dialects/dialect.ts";
import { areOwn } from "../dialects/foreign-tables.ts";
import { sql } from "../dialects/sql.ts";
import { StoreError } from "../types/errors.ts";

/**
 * One step of the fixed schema. Never edit a step that was released. A step that changes nothing marks a version that
 * changes the tables of resources.
 */
export type Migration = {
  readonly number: number;
  readonly name: string;
  readonly up: (connection: Connection) => Promise<void>;
} & (
  | {
      /** Servers of the version before go on with the tables that it leaves: it only adds what they can ignore. */
      readonly phase: "expand";
    }
  | {
      /** Servers that know only steps before `oldest` fail after it. Runs when the upgrade is finished. */
      readonly phase: "contract";
      readonly oldest: number;
    }
);

/** In ascending order of their numbers. Databases with an earlier number than the first one were never released. */
export const migrations: readonly Migration[] = [
  { number: 8, name: "initial", phase: "expand", up: createInitial },
  { number: 9, name: "marks of upgrades", phase: "expand", up: addMarks },
  { number: 10, name: "limits of all servers", phase: "expand", up: addLimitCounts },
];

// A page starts with a database that has these tables, and need not download how they are created.
async function createInitial(connection: Connection): Promise<void> {
  const { createInitialSchema } = await import("./initial-schema.ts");
  await createInitialSchema(connection);
}

async function addLimitCounts(connection: Connection): Promise<void> {
  const { createLimitCounts } = await import("./limit-counts.ts");
  await createLimitCounts(connection);
}

async function addMarks(connection: Connection): Promise<void> {
  const { integer } = connection.dialect.types;
  // For a tenant: servers of an earlier version have written none of the versions up to this write in an old form.
  await connection.run(
    `alter table write_numbers add column upgraded ${integer} not null default 0`,
  );
}

export const newestOf = (steps: readonly Migration[]): number => steps.at(-1)?.number ?? 0;

export const newestMigration = newestOf(migrations);

/** How the fixed schema of a database and that of this version differ. */
export interface SchemaState {
  /** Whether the database is empty. */
  readonly isNew: boolean;
  /** Whether a later version has added steps, with which this one can work. */
  readonly isLater: boolean;
  /**
   * The steps to run now. Those that servers of the version before do not survive wait for `finishMigration`, unless a
   * later step follows them.
   */
  readonly due: readonly Migration[];
}

/**
 * Compares the fixed schema with the steps of this version, inside the owner's transaction. Throws `StoreError` for a
 * database with a schema that this version cannot work with, or with other tables.
 */
export async function readState(
  connection: Connection,
  steps: readonly Migration[],
): Promise<SchemaState> {
  const applied = await appliedSteps(connection);
  const last = lastOf(applied);
  if (checkSteps(applied, steps)) return { isNew: false, isLater: true, due: [] };
  const pending = pendingOf(steps, applied);
  const end = pending.findLastIndex(({ phase }) => last === 0 || phase === "expand");
  return { isNew: last === 0, isLater: false, due: pending.slice(0, end + 1) };
}

/** Whether a later version has added steps. Throws `StoreError` for a schema that this version cannot work with. */
function checkSteps(applied: AppliedSteps, steps: readonly Migration[]): boolean {
  const last = lastOf(applied);
  const newest = newestOf(steps);
  if (last > newest) {
    if (oldestOf(applied) <= newest) return true;
    throw new StoreError(
      `this database has schema ${last}, and this version knows schemas up to ${newest}; ` +
        "run the newer version, or choose another database",
    );
  }
  const [first = 0] = steps.map(({ number }) => number);
  if (last > 0 && last < first) {
    throw new StoreError(
      `this database has schema ${last} of a version before the first release, which cannot be migrated; ` +
        "choose another database",
    );
  }
  return false;
}

/**
 * Whether the platform has created the tables of a database. Throws `StoreError` like `readState`, and changes nothing.
 */
export async function inspectSchema(
  connection: Pick<Connection, "all" | "dialect">,
): Promise<boolean> {
  const tables = namesByTable(await connection.all(connection.dialect.everyTable));
  if (!areOwn(tables)) return false;
  const isOlder = tables.get("schema_migrations")?.has("oldest") !== true;
  if (!isOlder) checkSteps(await readSteps(connection), migrations);
  return true;
}

/** Runs a step inside the owner's transaction, unless another server has done so. */
export async function runStep(connection: Connection, now: Date, step: Migration): Promise<void> {
  const applied = await readSteps(connection);
  if (applied.has(step.number)) return;
  await step.up(connection);
  // In an empty database there is no server of an earlier version.
  const oldest = step.phase === "contract" && applied.size > 0 ? step.oldest : 0;
  await connection.send(sql`
    insert into schema_migrations (number, name, applied_at, oldest)
    values (${step.number}, ${step.name}, ${now.toISOString()}, ${oldest})`);
}

/** Runs all steps in an empty database, inside the owner's transaction. */
export async function migrate(
  connection: Connection,
  now: Date,
  steps: readonly Migration[] = migrations,
): Promise<void> {
  const { due } = await readState(connection, steps);
  for (const step of due) await runStep(connection, now, step);
}

/** Runs the steps that wait until no server of an earlier version is left. Returns true if there were any. */
export async function finishMigration(
  connection: Connection,
  now: Date,
  steps: readonly Migration[] = migrations,
): Promise<boolean> {
  const pending = pendingOf(steps, await readSteps(connection));
  for (const step of pending) await runStep(connection, now, step);
  return pending.length > 0;
}

/** From now on, servers of earlier versions are refused, because a change of the tables breaks them. */
export async function refuseEarlier(connection: Connection): Promise<void> {
  await connection.send(sql`update schema_migrations set oldest = number
    where number = (select max(number) from schema_migrations)`);
}

/** Whether the database has what a version needs, and nothing that breaks it. */
export async function isMigrated(
  connection: Connection,
  steps: readonly Migration[] = migrations,
): Promise<boolean> {
  const tables = await connection.dialect.columnsOf(connection, ["schema_migrations"]);
  if (tables.get("schema_migrations")?.has("oldest") !== true) return false;
  const applied = await readSteps(connection);
  const isMissing = pendingOf(steps, applied).some(({ phase }) => phase === "expand");
  return !isMissing && oldestOf(applied) <= newestOf(steps);
}

/** By number, the lowest number that a server must know to work after the step. */
type AppliedSteps = ReadonlyMap<number, number>;

const pendingOf = (steps: readonly Migration[], applied: AppliedSteps): readonly Migration[] =>
  steps.filter(({ number }) => !applied.has(number));

const lastOf = (applied: AppliedSteps): number => Math.max(0, ...applied.keys());

/** A step of a version that did not say so needs its own version. */
const oldestOf = (applied: AppliedSteps): number => Math.max(0, ...applied.values());

/** Creates the table of the steps in an empty database. */
async function appliedSteps(connection: Connection): Promise<AppliedSteps> {
  const { dialect } = connection;
  const { text, integer } = dialect.types;
  const tables = namesByTable(await connection.all(dialect.everyTable));
  if (!areOwn(tables)) {
    await connection.run(
      `create table schema_migrations (number ${integer} primary key, name ${text} not null, applied_at ${text} not null, oldest ${integer}) ${dialect.tableOptions.plain}`,
    );
    return new Map();
  }
  if (tables.get("schema_migrations")?.has("oldest") !== true) {
    await connection.run(`alter table schema_migrations add column oldest ${integer}`);
    // No server could run beside one of another version.
    await connection.run("update schema_migrations set oldest = number");
  }
  return readSteps(connection);
}

async function readSteps(connection: Pick<Connection, "all">): Promise<AppliedSteps> {
  const rows = await connection.all(
    sql<{ number: number; oldest: number | null }>`select number, oldest from schema_migrations`,
  );
  return new Map(rows.map(({ number, oldest }) => [number, oldest ?? number]));
}
