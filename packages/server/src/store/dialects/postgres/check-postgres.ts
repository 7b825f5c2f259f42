import { randomBytes } from "node:crypto";
import { StoreError } from "../../types/errors.ts";
import { sql } from "../sql.ts";
import type { Pool } from "pg";
import type { PostgresConnection } from "./postgres-connection.ts";
import { serverRole } from "./postgres-dialect.ts";
import { areStatementsMixed } from "./postgres-errors.ts";
import { checkOut, type PoolSettings } from "./postgres-pool.ts";

interface Fenced {
  readonly label: string;
  readonly role: string;
  readonly cids: string;
  readonly fenced: boolean;
  readonly process: number;
}

/** What a statement sees. Different labels make different statements. */
const look = async (connection: Connected, label: string): Promise<Fenced | undefined> => {
  const [row] = await connection.all(
    sql<Fenced>`select ${sql.literal(label)} as label, current_user::text as role,
      current_setting('app.cids', true) as cids, row_security_active('audit_entries') as fenced,
      pg_backend_pid() as process`,
  );
  return row;
};

type Connected = Pick<PostgresConnection, "all">;

interface Checked {
  readonly reader: PostgresConnection;
  readonly writer: PostgresConnection;
  readonly isPrepared: boolean;
}

/** A pooler may use any of its connections for a transaction. */
const checks = 8;

/**
 * Throws `StoreError` if transactions do not run under the server's role and for their tenant. This depends on
 * what is between this process and PostgreSQL: a pooler must give each transaction one connection of its own,
 * and keep the prepared statements of its clients apart.
 */
async function checkPostgres({ reader, writer, isPrepared }: Checked): Promise<void> {
  const [readCid, writeCid] = [randomBytes(16).toString("hex"), randomBytes(16).toString("hex")];
  const readLook = async () => {
    reader.showTenants([readCid]);
    requireFence(await look(reader, "read"), "read", readCid);
  };
  const writeLook = () =>
    writer.transaction(writeCid, async (connection) => {
      requireFence(await look(connection, "write"), "write", writeCid);
    });
  await Promise.all([readLook(), writeLook()]);
  reader.showTenants([readCid]);
  const pooled = (await look(reader, "read"))?.process !== reader.announcedProcess;
  if (!pooled || !isPrepared) return;
  for (let round = 0; round < checks; round += 1) {
    await readLook();
    await writeLook();
  }
}

/**
 * Checks the connections of two pools. Returns true if a pooler between mixes up prepared statements, so that none are
 * used from now on. `mayChange`: whether the user has left that open.
 */
export async function checkPools(
  readers: Pool,
  writers: Pool,
  settings: PoolSettings,
  mayChange = true,
): Promise<boolean> {
  const check = (): Promise<void> =>
    checkOut(readers, (reader) =>
      checkOut(writers, (writer) => {
        const { isPrepared } = settings;
        return checkPostgres({ reader, writer, isPrepared });
      }),
    );
  try {
    await check();
    return false;
  } catch (error) {
    if (!mayChange || !settings.isPrepared) throw error;
    if (!(error instanceof StoreError) || !areStatementsMixed(error)) throw error;
    settings.isPrepared = false;
    settings.generation.number += 1;
    await check();
    return true;
  }
}

function requireFence(seen: Fenced | undefined, label: string, cid: string): void {
  const { role = "no role", cids = "", fenced = false } = seen ?? {};
  if (seen?.label === label && role === serverRole && cids === cid && fenced) return;
  throw new StoreError(
    `PostgreSQL: a ${label} that should run as ${serverRole} for one tenant ran as ${role}` +
      `${cids === cid ? "" : " for another tenant"}${fenced ? "" : " without row-level security"}; ` +
      "connect directly, or through a pooler in session or transaction mode",
  );
}
