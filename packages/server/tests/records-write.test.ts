import { expect, test } from "vitest";
import type { Caller } from "../src/calls/call.ts";
import { requireVersions } from "../src/records/expected-version.ts";
import { write, writeAsCommand, type WritingCall } from "../src/records/write.ts";
import {
  platformCid,
  type RecordChange,
  type Reaction,
  type Store,
} from "../src/store/types/types.ts";
import { forEachEngine } from "./support/engines.ts";
import { sighting, sightings, type Sighting } from "./support/sightings.ts";
import { newStore, now, parent, stranger } from "./support/store.ts";

const callOf = (store: Store, caller: Partial<Caller> = {}): WritingCall => ({
  operation: { id: "sightings.write" },
  caller: { clientId: "c".repeat(32), cid: parent, scopes: [], ...caller },
  context: { store },
  now,
  traceId: "00000000-0000-4000-8000-000000000000",
  keyed: null,
});

const trail = async (store: Store) =>
  (await store.directory.auditEntries({ cid: parent, limit: 10 })).map(
    ({ actor, client_id, operation, comment, ids }) => ({
      actor,
      client_id,
      operation,
      comment,
      ids,
    }),
  );

forEachEngine((engine) => {
  test("every change is audited: one entry per comment, with the acting user", async () => {
    const { store } = await newStore(engine);
    const permissions = { roles: [], scopes: new Set<string>(), actions: new Set<never>() };
    const user = { uuid: "u", uid: "ana@example.com", ...permissions };
    const texts = await write(callOf(store, { user }), async (writing) => {
      const records = writing.records(sightings);
      const inserted = await records.insert([sighting("a"), sighting("b")]);
      await records.insert([sighting("c")], { comment: "seen twice" });
      await records.remove(["b"]);
      await records.insert([sighting("d")]);
      await records.stored.replace([sighting("a", { score: 5 })], now);
      return inserted;
    });
    expect(texts).toHaveLength(2);
    const by = {
      actor: "ana@example.com",
      client_id: "c".repeat(32),
      operation: "sightings.write",
    };
    expect(await trail(store)).toEqual([
      { ...by, comment: "seen twice", ids: ["c"] },
      { ...by, comment: null, ids: ["a", "b", "d"] },
    ]);
  });

  test("a client without a user is the actor", async () => {
    const { store } = await newStore(engine);
    await write(callOf(store), (writing) => writing.records(sightings).insert([sighting("a")]));
    expect(await trail(store)).toMatchObject([
      { actor: "c".repeat(32), client_id: "c".repeat(32) },
    ]);
  });

  test("a command has no client, and its name is the operation", async () => {
    const { store } = await newStore(engine);
    const command = { store, cid: parent, name: "sightings add", now };
    await writeAsCommand(command, (writing) => writing.records(sightings).insert([sighting("a")]));
    await writeAsCommand({ ...command, actor: "server" }, (writing) =>
      writing.records(sightings).remove(["a"], { comment: "too old" }),
    );
    const by = { client_id: null, operation: "sightings add", ids: ["a"] };
    expect(await trail(store)).toEqual([
      { ...by, actor: "server", comment: "too old" },
      { ...by, actor: "cli", comment: null },
    ]);
  });

  test("a write to platform records is audited in the author's tenant, or in a named one", async () => {
    const { store } = await newStore(engine);
    const ownTrail = { operation: "sightings.write", ids: ["a"] };
    await write(
      callOf(store),
      async (writing) => {
        const records = writing.records(sightings);
        await records.insert([sighting("a")]);
        await records.insert([sighting("b")], { cid: stranger });
      },
      platformCid,
    );
    expect(await trail(store)).toMatchObject([ownTrail]);
    expect(await store.directory.auditEntries({ cid: stranger, limit: 10 })).toMatchObject([
      { cid: stranger, actor: "c".repeat(32), ids: ["b"] },
    ]);
    expect(await store.directory.auditEntries({ cid: platformCid, limit: 10 })).toEqual([]);
  });

  test("an error leaves neither records nor audit entries", async () => {
    const { store } = await newStore(engine);
    const failed = write(callOf(store), async (writing) => {
      const records = writing.records(sightings);
      await records.insert([sighting("a")]);
      return records.getForUpdate(["a", "x", "y"], "sighting");
    });
    await expect(failed).rejects.toMatchObject({
      status: 404,
      entries: [{ id: "x" }, { id: "y" }],
    });
    expect(await store.records(sightings, { cid: parent }).get(["a"], now)).toEqual(new Map());
    expect(await trail(store)).toEqual([]);
  });

  test("of two changes that expect the same version, one causes a 409 with the current version", async () => {
    const { store } = await newStore(engine);
    const version = (score: number) => sighting("a", { score });
    await write(callOf(store), (writing) => writing.records(sightings).insert([version(3)]));
    const change = (expected: number | undefined) =>
      write(callOf(store), async (writing) => {
        const records = writing.records(sightings);
        const [{ score } = { score: 0 }] = await records.getForUpdate(["a"], "sighting");
        const current = score ?? 0;
        requireVersions("sighting", [{ at: "body.expected_version", id: "a", expected, current }]);
        await records.replace([version(current + 1)]);
      });
    const results = await Promise.allSettled([change(3), change(3)]);
    const refused = results.filter(({ status }) => status === "rejected");
    expect(refused).toHaveLength(1);
    expect(refused[0]).toMatchObject({
      reason: {
        status: 409,
        entries: [
          {
            id: "a",
            message:
              "body.expected_version: the sighting a has version 4, not 3; read it again and repeat the change",
          },
        ],
      },
    });
    await change(undefined);
    await change(5);
    const stored = await store.records(sightings, { cid: parent }).getComplete(["a"], now);
    expect(stored.get("a")?.score).toBe(6);
  });

  test("reactions get records before and after, in every kind of write", async () => {
    const seen: RecordChange<Sighting>[] = [];
    const reaction: Reaction<Sighting> = {
      run: async (_transaction, changes) => void seen.push(...changes),
    };
    const { store } = await newStore(engine, [{ ...sightings, reactions: [reaction] }]);
    const [first, changed, imported] = [1, 2, 3].map((score) => sighting("a", { score }));
    if (!first || !changed || !imported) throw new Error("three sightings");
    const other = sighting("b");
    await store.write(parent, async (transaction) => {
      const records = transaction.records(sightings);
      await records.insert([first], now);
      await records.replace([changed], now);
      await records.put([imported, other], now);
      await records.remove(["a"], now);
    });
    expect(seen).toEqual([
      { before: null, after: first },
      { before: first, after: changed },
      { before: changed, after: imported },
      { before: null, after: other },
      { before: imported, after: null },
    ]);
  });

  test("checks run after all writes, and can reject the whole transaction", async () => {
    const seen: (readonly string[])[] = [];
    const reaction: Reaction<Sighting> = {
      run: async (transaction) =>
        transaction.beforeCommit(async () => {
          const stored = await transaction.records(sightings).get(["a", "b", "c"], now);
          seen.push([...stored.keys()]);
          if (stored.has("c")) throw new Error("no c");
        }),
    };
    const { store } = await newStore(engine, [{ ...sightings, reactions: [reaction] }]);
    const add = (...ids: readonly string[]) =>
      write(callOf(store), async (writing) => {
        for (const id of ids) await writing.records(sightings).insert([sighting(id)]);
      });
    await add("a", "b");
    expect(seen).toEqual([
      ["a", "b"],
      ["a", "b"],
    ]);
    await expect(add("c")).rejects.toThrow("no c");
    expect((await store.records(sightings, { cid: parent }).get(["c"], now)).size).toBe(0);
  });

  test("a reaction that throws rejects the write", async () => {
    const reaction: Reaction<Sighting> = { run: () => Promise.reject(new Error("refused")) };
    const { store } = await newStore(engine, [{ ...sightings, reactions: [reaction] }]);
    const failed = write(callOf(store), (writing) =>
      writing.records(sightings).insert([sighting("a")]),
    );
    await expect(failed).rejects.toThrow("refused");
    expect(await store.records(sightings, { cid: parent }).get(["a"], now)).toEqual(new Map());
  });
});
