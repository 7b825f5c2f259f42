/** @module-tag exhaustive */
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { executions } from "../src/domain/ioc/executions.ts";
import { indicators } from "../src/domain/ioc/indicators.ts";
import { newIndicator } from "../src/domain/ioc/new-indicator.ts";
import { seedWorld } from "../src/seed/index.ts";
import { resources } from "../src/platform/resources.ts";
import type { Resource, Store } from "../src/store/types/types.ts";
import { allOf } from "./support/all-of.ts";
import { withWorld } from "./support/with-world.ts";
import { withPostgresAtNight } from "./support/engines.ts";
import type { Indicator } from "./support/ioc.ts";
import { ManualClock } from "./support/manual-clock.ts";

const clock = new ManualClock();
const now = clock.now();
const everything = { kind: "everything" } as const;
const deleted = { kind: "equal", field: "deleted", value: true, fold: false } as const;

/** A reader who sees all records of a tenant, also those that need an access tag. */
const everyone = (cid: string) => ({ cid, heldAccessTags: "all" as const });

const texts = (store: Store, resource: Resource, cid: string) =>
  allOf(store.records(resource, everyone(cid)).scan(everything, now));

/** The complete content of a world. */
async function digest(store: Store): Promise<string> {
  const sum = createHash("sha256");
  for (const { cid, name, parent_cid } of await store.directory.tenants()) {
    sum.update(JSON.stringify([cid, name, parent_cid]));
    for (const resource of resources) {
      for (const text of (await texts(store, resource, cid)).toSorted()) sum.update(text);
    }
  }
  return sum.digest("hex");
}

const digests: Record<string, string[]> = {};

withPostgresAtNight((engine) => {
  const seed = (store: Store, number: number) =>
    seedWorld(store, { world: "small", seed: number, clock });

  test("the same seed creates the same bytes, on every engine and each time", async () => {
    await withWorld(engine, "small", async (store, seeded) => {
      const first = await digest(store);
      (digests["small"] ??= []).push(first);
      expect(new Set(digests["small"]).size).toBe(1);
      expect(await seed(store, 1)).toEqual(seeded);
      expect(await digest(store)).toBe(first);
      await seed(store, 2);
      expect((await store.directory.tenants()).length).toBe(2 * seeded.tenants.length);
    });
  });

  test("the small world has an example of everything", async () => {
    await withWorld(
      engine,
      "small",
      async (store, { cid, indicators: count, executions: runs }) => {
        expect([count, runs]).toEqual([214, 2_203]);
        const own = (await texts(store, indicators as unknown as Resource, cid)).map(
          (text) => JSON.parse(text) as Indicator,
        );
        expect(new Set(own.map(({ type }) => type)).size).toBe(6);
        expect(new Set(own.map(({ severity }) => severity)).size).toBe(6);
        expect(new Set(own.map(({ action }) => action)).size).toBe(5);
        expect(own.filter(({ expired }) => expired).length).toBeGreaterThan(5);
        expect(
          own.filter(({ expired, expiration }) => !expired && expiration).length,
        ).toBeGreaterThan(5);
        expect(own.filter(({ host_groups }) => host_groups.length > 0).length).toBeGreaterThan(5);
        const both = store.records(indicators, { cid, records: "both" });
        const inherited = store.records(indicators, { cid, records: "inherited" });
        expect(await both.count(deleted, now)).toBe(8);
        expect(await inherited.count(everything, now)).toBe(49);
        const past = store.records(executions, { cid });
        expect(await past.countDistinct("device_id", everything, { now, ceiling: 100 })).toBe(40);
        let met = 0;
        for (const { type, value } of own) {
          if (type !== "sha256" && type !== "md5" && type !== "domain") continue;
          const field = type === "domain" ? "domains" : type;
          met += Number((await past.count({ kind: "equal", field, value, fold: false }, now)) > 0);
        }
        expect(met).toBeGreaterThan(20);
      },
    );
  });

  test("every generated indicator meets the rules", async () => {
    await withWorld(engine, "mssp", async (store, { tenants }) => {
      expect(tenants.map(({ parent_cid }) => parent_cid === null)).toEqual([
        true,
        false,
        false,
        false,
        false,
        false,
        true,
      ]);
      for (const { cid } of tenants) {
        for (const text of await texts(store, indicators as unknown as Resource, cid)) {
          const {
            expiration: _expiration,
            expired,
            action,
            mobile_action,
            ...indicator
          } = JSON.parse(text) as Indicator;
          if (expired) continue;
          const again = newIndicator(
            { ...indicator, action, mobile_action },
            { actor: "", now },
            "",
          );
          expect(again, text).toMatchObject({
            indicator: { value: indicator.value, action, mobile_action },
          });
        }
      }
    });
  });
});
