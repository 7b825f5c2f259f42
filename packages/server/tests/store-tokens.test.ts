/** @module-tag exhaustive */
import { expect, onTestFinished, test } from "vitest";
import { openPostgres } from "../src/store/dialects/postgres/postgres.ts";
import type { Database } from "../src/store/dialects/dialect.ts";
import { TokenLookUps } from "../src/store/directory/token-look-ups.ts";
import type { AccessToken } from "../src/store/types/types.ts";
import { onPostgres } from "./support/engines.ts";
import { newStore, parent } from "./support/store.ts";

const token = (hash: string): AccessToken => ({
  hash,
  client_id: "a".repeat(32),
  cid: parent,
  scopes: ["read"],
  expires_at: "2026-03-01T13:00:00.000Z",
});

onPostgres((engine) => {
  const start = async () => {
    const { store, url } = await newStore(engine);
    const { directory } = store;
    await directory.createClient(
      { client_id: "a".repeat(32), cid: parent, name: "a", scopes: ["read"], created_at: "" },
      { hash: "", created_at: "", expires_at: null },
    );
    await directory.saveToken(token("one"));
    await directory.saveToken(token("two"));
    const database = openPostgres(url);
    onTestFinished(() => database.close());
    let queries = 0;
    const counting: Database = {
      ...database,
      read: (cids, work) => {
        queries += 1;
        return database.read(cids, work);
      },
    };
    return { directory, tokens: new TokenLookUps(counting), queries: () => queries };
  };

  test("requests that arrive together share the look-up of their token", async () => {
    const { tokens, queries } = await start();
    const hashes = ["one", "two", "one", "none", "one", "two"];
    const rows = await Promise.all(hashes.map((hash) => tokens.find(hash)));
    expect(rows.map((row) => row?.hash)).toEqual(["one", "two", "one", undefined, "one", "two"]);
    expect(queries()).toBe(3);
  });

  test("a look-up never shares a query that began before it, so it sees each revocation", async () => {
    const { directory, tokens, queries } = await start();
    const before = tokens.find("one");
    await new Promise(setImmediate);
    const after = tokens.find("one");
    expect([(await before)?.hash, (await after)?.hash]).toEqual(["one", "one"]);
    expect(queries()).toBe(2);
    await directory.revokeToken("one", "a".repeat(32));
    expect(await tokens.find("one")).toBeUndefined();
  });
});
