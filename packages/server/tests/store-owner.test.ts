/** @module-tag exhaustive */
import { expect, test } from "vitest";
import { openPostgres } from "../src/store/dialects/postgres/postgres.ts";
import { openStoreAt } from "../src/host/open-store-at.ts";
import { StoreBusyError, StoreUnavailableError } from "../src/store/index.ts";
import { breakableLink } from "./support/breakable-link.ts";
import { onPostgres } from "./support/engines.ts";
import { ManualClock } from "./support/manual-clock.ts";
import { connectAsOwner } from "./support/raw-sql.ts";
import { newStore } from "./support/store.ts";
import { sightingFields, sightings } from "./support/sightings.ts";

const databaseLimits = { connectMilliseconds: 500, statementMilliseconds: 200 };

onPostgres((engine) => {
  test("a start names the server that changes the tables, or the lock, for which it waits", async () => {
    const { store, url } = await newStore(engine);
    const { kind: _kind, ...fields } = sightingFields;
    const fewer = { ...sightings, fields, indexes: [] };
    const start = (resource = sightings) =>
      openStoreAt({ url, clock: new ManualClock(), resources: [resource], databaseLimits });
    const database = openPostgres(url);
    await database.asOwner(async () => {
      await expect(start()).rejects.toThrow(
        /another server or command has been changing the tables for 0.2 s.*--statement-timeout/,
      );
      await expect(start()).rejects.toThrow(StoreBusyError);
    });
    await database.close();
    const owner = await connectAsOwner(url);
    await owner.run("begin; lock table test_sightings in share mode");
    await expect(start(fewer)).rejects.toThrow(
      /other transactions have kept a table locked for 0.2 s/,
    );
    await owner.close();
    await (await start(fewer)).close();
    await store.close();
  });

  test("a change of tables takes as long as it needs, and ends if PostgreSQL is frozen", async () => {
    const link = await breakableLink(await engine.emptyUrl());
    const database = openPostgres(link.url, databaseLimits);
    const slow = database.asOwner((connection) => connection.run("select pg_sleep(1.5)"));
    await expect(slow).resolves.toBeUndefined();
    const frozen = database.asOwner((connection) => {
      link.freeze();
      return connection.run("select 1");
    });
    await expect(frozen).rejects.toThrow(StoreUnavailableError);
    link.thaw();
    await database.asOwner((connection) => connection.run("select 1"));
    await database.close();
  });
});
