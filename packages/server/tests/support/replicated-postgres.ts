import { chmodSync, chownSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { vi } from "vitest";
import { administer } from "./raw-sql.ts";
import { folderInMemory, initialisePostgres } from "./start-postgres.ts";

export interface ReplicatedPostgres {
  /** The URL of a new database of the primary. */
  newDatabase(name: string): Promise<string>;
  /** The URL of the replica of a database. */
  replicaOf(url: string): string;
  /** From now on, the replica has no further changes. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  stopReplica(): Promise<void>;
  startReplica(): Promise<void>;
}

/** A busy machine needs longer than the default of a second. */
export const patience = { timeout: 60_000, interval: 50 };

/** A PostgreSQL and a streaming replica of it. */
export async function replicatedPostgres(
  finish: (cleanUp: () => Promise<void>) => void,
): Promise<ReplicatedPostgres> {
  const settings = ["fsync=off", "wal_level=replica", "hot_standby=on"];
  const primary = await initialisePostgres(folderInMemory(), settings, true);
  const source = `host=127.0.0.1 port=${primary.port} user=postgres password=password`;
  const replica = await primary.copy([...settings, `primary_conninfo=${source}`]);
  const signal = join(replica.folder, "standby.signal");
  writeFileSync(signal, "");
  const { uid, gid } = statSync(replica.folder);
  chownSync(signal, uid, gid);
  chmodSync(signal, 0o600);
  await primary.server.start();
  const urlOf = (port: number, name: string): string =>
    `postgres://postgres:password@127.0.0.1:${port}/${name}`;
  const onReplica = (script: string) => administer(urlOf(replica.port, "postgres"), script);
  // The package waits for ever for the end of a server that has ended.
  let runs = false;
  const stopReplica = async (): Promise<void> => {
    if (runs) await replica.server.stop();
    runs = false;
  };
  const startReplica = async (): Promise<void> => {
    // The package waits for a line that only a primary writes.
    const ended = replica.server.start().catch(() => undefined);
    await Promise.race([
      vi.waitFor(() => onReplica("select 1"), patience),
      ended.then(() => {
        throw new Error("the replica has ended before it accepted a connection");
      }),
    ]);
    runs = true;
  };
  finish(async () => {
    await stopReplica();
    await primary.server.stop().catch(() => undefined);
    primary.remove();
  });
  await startReplica();
  return {
    newDatabase: async (name) => {
      await primary.server.createDatabase(name);
      const url = urlOf(primary.port, name);
      const replicaUrl = urlOf(replica.port, name);
      await vi.waitFor(() => administer(replicaUrl, "select 1"), patience);
      return url;
    },
    replicaOf: (url) => urlOf(replica.port, new URL(url).pathname.slice(1)),
    pause: async () => void (await onReplica("select pg_wal_replay_pause()")),
    resume: async () => void (await onReplica("select pg_wal_replay_resume()")),
    stopReplica,
    startReplica,
  };
}
