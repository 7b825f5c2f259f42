/** @module-tag exhaustive */
import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { hosts } from "../src/inventory/hosts.ts";
import { entities, type Entity } from "../src/domain/identity-protection/entities.ts";
import { incidents } from "../src/domain/identity-protection/incidents.ts";
import { sensors } from "../src/domain/identity-protection/sensors.ts";
import { timelineEvents } from "../src/domain/identity-protection/timeline.ts";
import { users } from "../src/access/users.ts";
import { seedWorld, type World } from "../src/seed/index.ts";
import type { Resource, Store } from "../src/store/types/types.ts";
import { allOf } from "./support/all-of.ts";
import { withWorld } from "./support/with-world.ts";
import { withPostgresAtNight } from "./support/engines.ts";
import { ManualClock } from "./support/manual-clock.ts";

const clock = new ManualClock();

const all = <Kind extends object>(store: Store, resource: Resource<Kind>, cid: string) =>
  allOf(store.records(resource, { cid }).scanComplete({ kind: "everything" }, clock.now()));

const kinds: readonly Resource[] = [sensors, entities, incidents, timelineEvents];

/** The results of the engines, for comparison. */
const created = new Map<World, string>();

withPostgresAtNight((engine) => {
  describe("identities of a world", () => {
    test.each(["small", "mssp"] as const)(
      "are the same each time and on both engines, in the planned number: %s",
      async (world) => {
        await withWorld(engine, world, async (store, seeded) => {
          const everything = async () => {
            const kindsOfTenants: (readonly object[])[] = [];
            for (const { cid } of seeded.tenants) {
              for (const kind of kinds) kindsOfTenants.push(await all(store, kind, cid));
            }
            return kindsOfTenants;
          };
          const before = await everything();
          const again = await seedWorld(store, { world, seed: 1, clock });
          expect(again).toEqual(seeded);
          const text = JSON.stringify(await everything());
          expect(text).toBe(JSON.stringify(before));
          const digest = createHash("sha256").update(text).digest("hex");
          expect(created.get(world) ?? digest).toBe(digest);
          created.set(world, digest);
          const records = before.flat();
          const { identities, identity_events, sensors: watching } = seeded;
          expect(records).toHaveLength(identities + identity_events + watching);
        });
      },
    );

    test("match the hosts and the users of their tenant", async () => {
      await withWorld(engine, "small", async (store, { tenants }) => {
        for (const { cid } of tenants) {
          const [machines, people, graph] = await Promise.all([
            all(store, hosts, cid),
            all(store, users, cid),
            all(store, entities, cid),
          ]);
          const byId = new Map(graph.map((entity) => [entity.entityId, entity]));
          const agents = graph.flatMap(({ agentId }) => agentId ?? []);
          expect(agents).toEqual(machines.map(({ device_id }) => device_id));
          for (const { associations } of graph) {
            for (const { entityId } of associations) {
              expect(entityId === undefined || byId.has(entityId)).toBe(true);
            }
          }
          if (machines.length === 0) continue;
          const mails = graph.flatMap(({ emailAddresses = [] }) => emailAddresses);
          const own = people.filter((user) => user.cid === cid);
          expect(mails).toEqual(expect.arrayContaining(own.map(({ uid }) => uid)));
          for (const { compromisedEntities } of await all(store, incidents, cid)) {
            for (const id of compromisedEntities) expect(byId.has(id)).toBe(true);
          }
          const controllers = machines.filter(
            ({ product_type_desc }) => product_type_desc === "Domain Controller",
          );
          const watching = await all(store, sensors, cid);
          expect(watching.map(({ device_id, hostname }) => [device_id, hostname])).toEqual(
            controllers.map(({ device_id, hostname }) => [device_id, hostname]),
          );
          expect(riskyUsers(graph)).not.toHaveLength(0);
        }
      });
    });
  });
});

const riskyUsers = (graph: readonly Entity[]) =>
  graph.filter(
    ({ type, riskScoreSeverity }) =>
      type === "USER" && ["MEDIUM", "HIGH"].includes(riskScoreSeverity),
  );
