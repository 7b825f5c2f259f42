/**
 * @module-tag exhaustive
 * @module-tag nightly
 */
import { expect, test } from "vitest";
import { invitations } from "../src/domain/user-management/invitations/invitations.ts";
import { outbox } from "../src/mail/outbox.ts";
import { permissionsOf } from "../src/access/permissions.ts";
import { tenantGroups, userGroups } from "../src/access/groups.ts";
import { users, type StoredUser } from "../src/access/users.ts";
import { seedWorld, type World } from "../src/seed/index.ts";
import { platformCid, type Resource, type Store } from "../src/store/types/types.ts";
import { allOf } from "./support/all-of.ts";
import { withWorld } from "./support/with-world.ts";
import { withPostgresAtNight } from "./support/engines.ts";
import { ManualClock } from "./support/manual-clock.ts";

const clock = new ManualClock();

const all = <Record extends object>(store: Store, resource: Resource<Record>) =>
  allOf(
    store.records(resource, { cid: platformCid }).scanComplete({ kind: "everything" }, clock.now()),
  );

const everything = async (store: Store) =>
  JSON.stringify([
    await all(store, users),
    await all(store, userGroups),
    await all(store, tenantGroups),
    await all(store, invitations),
    await all(store, outbox),
  ]);

/** The results of the engines, for comparison. */
const created = new Map<string, Map<string, string>>();

withPostgresAtNight((engine) => {
  const seed = (store: Store, world: World, number = 1) =>
    seedWorld(store, { world, seed: number, clock });

  test.each(["small", "mssp"] as const)(
    "users, groups and invitations are the same each time, and on both engines: %s",
    async (world) => {
      await withWorld(engine, world, async (store, seeded) => {
        const before = await everything(store);
        await seed(store, world);
        expect(await everything(store)).toBe(before);
        const seededUsers = await all(store, users);
        expect(seededUsers).toHaveLength(seeded.users);
        const others = created.get(world) ?? new Map<string, string>();
        created.set(world, others.set(engine.name, before));
        expect(new Set(others.values()).size).toBe(1);
      });
    },
  );

  test("another seed in the same database creates other users", async () => {
    await withWorld(engine, "small", async (store, seeded) => {
      await seed(store, "small", 2);
      expect(await all(store, users)).toHaveLength(2 * seeded.users);
    });
  });

  test.each(["small", "mssp"] as const)(
    "the users of %s hold roles of every origin",
    async (world) => {
      await withWorld(engine, world, async (store, { cid, tenants }) => {
        const seededUsers = await all(store, users);
        const may = async ({ uuid }: StoredUser, where: string) =>
          (await permissionsOf(store, uuid, where, clock.now())).roles;
        const main = seededUsers.filter((user) => user.cid === cid);
        expect(main.map(({ status }) => status)).toEqual([
          "active",
          "active",
          "active",
          "inactive",
          "active",
        ]);
        const roles = await Promise.all(main.map((user) => may(user, cid)));
        expect(roles.map((each) => each.join(" "))).toEqual([
          expect.stringContaining("falconhost_admin"),
          expect.stringContaining("falconhost_analyst"),
          "falconhost_read_only remote_responder_three",
          "",
          expect.stringContaining("falconhost_analyst"),
        ]);
        expect(main.filter((user) => user.has_temporary_roles)).toHaveLength(1);
        const root = tenants.find(({ parent_cid }) => parent_cid === null);
        const carer = seededUsers.find(
          (user) => user.cid === root?.cid && user.assigned_cids.length > 1,
        );
        const below = tenants.find(({ parent_cid }) => parent_cid === root?.cid);
        expect(carer && (await may(carer, below?.cid ?? ""))).toEqual(["falconhost_analyst"]);
        const external = await all(store, invitations);
        expect(external.map(({ status }) => status).toSorted()).toEqual(["accepted", "pending"]);
        const guests = seededUsers.filter(
          (user) => user.associated_cids.includes(cid) && user.family !== root?.cid,
        );
        expect(guests).toHaveLength(1);
        expect(guests[0] && (await may(guests[0], cid))).toEqual(["falconhost_investigator"]);
        expect(await all(store, outbox)).toMatchObject([{ kind: "invitation" }]);
      });
    },
  );
});
