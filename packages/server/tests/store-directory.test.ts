import { expect, test } from "vitest";
import { StoreError } from "../src/store/types/errors.ts";
import { platformCid } from "../src/store/types/types.ts";
import { forEachEngine } from "./support/engines.ts";
import { child, newStore, now, parent, stranger } from "./support/store.ts";

const at = now.toISOString();
const client = {
  client_id: "1".repeat(32),
  cid: child,
  name: "reporter",
  scopes: ["ioc-management:read", "ioc-management:write"],
  created_at: at,
};
const secret = (hash: string) => ({ hash, created_at: at, expires_at: null });
const token = (hash: string, expires_at: string) => {
  const { client_id, cid, scopes } = client;
  return { hash, client_id, cid, scopes, expires_at };
};

forEachEngine((engine) => {
  test("returns tenants and their ancestors, nearest first", async () => {
    const { directory } = (await newStore(engine)).store;
    const grandchild = {
      cid: "d".repeat(32),
      name: "grandchild",
      parent_cid: child,
      created_at: at,
    };
    await directory.createTenant(grandchild);
    expect(await directory.tenant(grandchild.cid)).toEqual(grandchild);
    expect(await directory.tenant("e".repeat(32))).toBeNull();
    const names = (tenants: readonly { name: string }[]) => tenants.map(({ name }) => name);
    expect(names(await directory.ancestors(grandchild.cid))).toEqual(["child", "parent"]);
    expect(await directory.ancestors(stranger)).toEqual([]);
    expect(names(await directory.tenants())).toEqual(["parent", "child", "stranger", "grandchild"]);
    await expect(directory.createTenant(grandchild)).rejects.toThrow();
    const short = { ...grandchild, cid: "abc" };
    await expect(directory.createTenant(short)).rejects.toThrow(StoreError);
    const orphan = { ...grandchild, cid: "e".repeat(32), parent_cid: "f".repeat(32) };
    await expect(directory.createTenant(orphan)).rejects.toThrow();
  });

  test("returns all tenants below one, nearest first", async () => {
    const { directory } = (await newStore(engine)).store;
    const below = [
      { cid: "1".repeat(32), name: "grandchild", parent_cid: child, created_at: at },
      { cid: "d".repeat(32), name: "second child", parent_cid: parent, created_at: at },
    ];
    for (const tenant of below) await directory.createTenant(tenant);
    const names = (await directory.descendants(parent)).map(({ name }) => name);
    expect(names).toEqual(["child", "second child", "grandchild"]);
    expect(await directory.descendants(child)).toEqual([below[0]]);
    expect(await directory.descendants(stranger)).toEqual([]);
  });

  test("returns tenants whose catalogue is older than a version", async () => {
    const { store } = await newStore(engine);
    const { directory } = store;
    const behind = async (version: number) =>
      (await directory.tenantsBehind(version)).map(({ cid }) => cid);
    expect(await behind(0)).toEqual([]);
    expect(await behind(1)).toEqual([parent, child, stranger]);
    const raise = (cid: string, version: number) =>
      store.write(cid, (transaction) => transaction.raiseCatalogue(version));
    expect(await raise(child, 2)).toBe(0);
    expect(await raise(parent, 1)).toBe(0);
    expect(await behind(2)).toEqual([parent, stranger]);
    expect(await raise(child, 1)).toBe(2);
    expect(await raise(child, 2)).toBe(2);
    expect(await behind(2)).toEqual([parent, stranger]);
    expect(await directory.tenantsBehind(1)).toEqual([await directory.tenant(stranger)]);
  });

  test("the platform is not a tenant", async () => {
    const { directory } = (await newStore(engine)).store;
    expect(await directory.tenant(platformCid)).toBeNull();
    expect((await directory.tenants()).map(({ cid }) => cid)).not.toContain(platformCid);
    const created = { cid: platformCid, name: "x", parent_cid: null, created_at: at };
    await expect(directory.createTenant(created)).rejects.toThrow(StoreError);
  });

  test("a client may act as a user", async () => {
    const { directory } = (await newStore(engine)).store;
    const bound = { ...client, client_id: "2".repeat(32), user_uuid: "some user" };
    await directory.createClient(client, secret("one"));
    await directory.createClient(bound, secret("two"));
    expect((await directory.client(bound.client_id))?.client).toEqual(bound);
    expect(await directory.clients(child)).toEqual([client, bound]);
    expect((await directory.clients())[0]).not.toHaveProperty("user_uuid");
  });

  test("keeps at most two secrets, the older one for a while", async () => {
    const { directory } = (await newStore(engine)).store;
    await directory.createClient(client, secret("one"));
    await directory.rotateSecret(client.client_id, secret("two"), "2026-03-02");
    await directory.rotateSecret(client.client_id, secret("three"), "2026-03-03");
    expect(await directory.client(client.client_id)).toEqual({
      client,
      secrets: [{ ...secret("two"), expires_at: "2026-03-03" }, secret("three")],
    });
    await directory.rotateSecret(client.client_id, secret("four"), "2026-03-02");
    await Promise.all(
      ["five", "six"].map((hash) =>
        directory.rotateSecret(client.client_id, secret(hash), "2026-03-04"),
      ),
    );
    const last = await directory.client(client.client_id);
    expect(last?.secrets.map(({ expires_at }) => expires_at)).toEqual(["2026-03-04", null]);
    expect(await directory.client("9".repeat(32))).toBeNull();
  });

  test("a token is found until it is revoked or purged, or its client is deleted", async () => {
    const { directory } = (await newStore(engine)).store;
    await directory.createClient(client, secret("one"));
    await directory.createClient(
      { ...client, client_id: "2".repeat(32), cid: parent },
      secret("x"),
    );
    for (const hash of ["a", "b", "c"])
      await directory.saveToken(token(hash, `2026-0${3}-0${hash === "b" ? 1 : 2}`));
    expect(await directory.token("a")).toEqual(token("a", "2026-03-02"));
    await directory.revokeToken("a", "2".repeat(32));
    expect(await directory.token("a")).not.toBeNull();
    await directory.revokeToken("a", client.client_id);
    await directory.revokeToken("a", client.client_id);
    expect(await directory.token("a")).toBeNull();
    await directory.purgeTokens("2026-03-01");
    expect(await directory.token("b")).toBeNull();
    expect(await directory.token("c")).not.toBeNull();
    expect((await directory.clients(child)).map(({ client_id }) => client_id)).toEqual([
      client.client_id,
    ]);
    expect(await directory.clients()).toHaveLength(2);
    expect(await directory.deleteClient(client.client_id)).toBe(true);
    expect(await directory.deleteClient(client.client_id)).toBe(false);
    expect(await directory.token("c")).toBeNull();
    expect(await directory.client(client.client_id)).toBeNull();
  });

  test("a setting is created once, also by concurrent calls", async () => {
    const { directory } = (await newStore(engine)).store;
    let count = 0;
    const values = await Promise.all(
      Array.from({ length: 8 }, () => directory.setting("key", () => `value ${(count += 1)}`)),
    );
    expect(new Set(values).size).toBe(1);
    expect(await directory.setting("key", () => "another")).toBe(values[0]);
  });

  test("the audit trail numbers each tenant's entries, newest first, in pages", async () => {
    const { store } = await newStore(engine);
    const entry = (comment: string | null) => ({
      at: now,
      actor: client.client_id,
      client_id: client.client_id,
      operation: "indicator.create.v1",
      trace_id: "t",
      comment,
      ids: ["x", "y"],
    });
    for (const comment of ["first", null, "third"]) {
      await store.write(child, async (transaction) => {
        await transaction.audit(entry(comment));
        if (comment === "third") await transaction.audit(entry("fourth"));
      });
    }
    await store.write(stranger, (transaction) => transaction.audit(entry("theirs")));
    const undone = store.write(child, async (transaction) => {
      await transaction.audit(entry("never"));
      throw new Error("no");
    });
    await expect(undone).rejects.toThrow("no");
    const page = await store.directory.auditEntries({ cid: child, limit: 3 });
    expect(page).toEqual([
      { ...entry("fourth"), at, cid: child, number: 4 },
      { ...entry("third"), at, cid: child, number: 3 },
      { ...entry(null), at, cid: child, number: 2 },
    ]);
    const rest = await store.directory.auditEntries({ cid: child, limit: 3, before: 2 });
    expect(rest.map(({ comment }) => comment)).toEqual(["first"]);
  });

  test("the platform writes to the trail of any tenant, a tenant only to its own", async () => {
    const { store } = await newStore(engine);
    const entry = {
      at: now,
      actor: "a",
      client_id: null,
      operation: "o",
      trace_id: null,
      comment: null,
    };
    const write = (cid: string, id: string, of?: string) =>
      store.write(cid, (transaction) =>
        transaction.audit({ ...entry, ids: [id], ...(of === undefined ? {} : { cid: of }) }),
      );
    const idsOf = async (cid: string) =>
      (await store.directory.auditEntries({ cid, limit: 99 })).flatMap(({ ids }) => ids);
    // Concurrently: the entries of one trail must get different numbers.
    await Promise.all(
      Array.from({ length: 8 }, (_, id) => [
        write(child, `own ${id}`),
        write(platformCid, `platform ${id}`, child),
      ]).flat(),
    );
    await write(platformCid, "to itself");
    await write(stranger, "named", stranger);
    expect(await idsOf(child)).toHaveLength(16);
    expect(await idsOf(stranger)).toEqual(["named"]);
    expect(await idsOf(platformCid)).toEqual(["to itself"]);
    await expect(write(stranger, "x", child)).rejects.toThrow(StoreError);
    await expect(write(platformCid, "x", "9".repeat(32))).rejects.toThrow(StoreError);
    expect(await idsOf(child)).toHaveLength(16);
  });
});
