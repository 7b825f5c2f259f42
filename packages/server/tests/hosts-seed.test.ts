/**
 * @module-tag exhaustive
 * @module-tag nightly
 */
import { expect, test } from "vitest";
import { hostGroups, type HostGroup } from "../src/inventory/host-groups.ts";
import { GroupRules } from "../src/inventory/group-rules.ts";
import { hosts, type Host } from "../src/inventory/hosts.ts";
import { executions } from "../src/domain/ioc/executions.ts";
import { indicators } from "../src/domain/ioc/indicators.ts";
import { importRecords } from "../src/imports/index.ts";
import type { Resource, Store } from "../src/store/types/types.ts";
import { allOf } from "./support/all-of.ts";
import { withPostgresAtNight } from "./support/engines.ts";
import { ManualClock } from "./support/manual-clock.ts";
import { withWorld } from "./support/with-world.ts";

const clock = new ManualClock();
const now = clock.now();
const everything = { kind: "everything" } as const;

const all = <Record extends object>(store: Store, resource: Resource<Record>, cid: string) =>
  allOf(store.records(resource, { cid }).scanComplete(everything, now));

withPostgresAtNight((engine) => {
  test("the progress of a seed rises to 1", async () => {
    const { progress } = await engine.world("small");
    expect(progress).toEqual(progress.toSorted((left, right) => left - right));
    expect(progress.at(-1)).toBe(1);
  });

  test("hosts are in groups of every type, and are all different", async () => {
    await withWorld(engine, "mssp", async (store, { tenants, hosts: count }) => {
      let seen = 0;
      const types = new Set<string>();
      for (const { cid } of tenants) {
        const groups = await all<HostGroup>(store, hostGroups, cid);
        const rules = await GroupRules.of(groups);
        const machines = await all<Host>(store, hosts, cid);
        expect(await rules.changed(machines)).toEqual([]);
        for (const name of ["hostname", "local_ip", "mac_address", "serial_number"] as const) {
          expect(new Set(machines.map((host) => host[name])).size, name).toBe(machines.length);
        }
        for (const host of machines) {
          expect(host.cid).toBe(cid);
          expect(Date.parse(host.first_seen ?? "")).toBeLessThanOrEqual(
            Date.parse(host.last_seen ?? ""),
          );
          expect(Date.parse(host.last_seen ?? "")).toBeLessThanOrEqual(now.getTime());
        }
        const members = new Set(machines.flatMap((host) => host.groups ?? []));
        for (const { id, group_type } of groups) if (members.has(id)) types.add(group_type);
        seen += machines.length;
      }
      expect(seen).toBe(count);
      expect(types).toEqual(new Set(["static", "staticByID", "dynamic"]));
    });
  });

  test("processes ran on hosts of their platform; host groups of indicators exist", async () => {
    await withWorld(
      engine,
      "small",
      async (store, { tenants, hosts: count, host_groups: groupCount }) => {
        let [machines, groups] = [0, 0];
        for (const { cid } of tenants) {
          const platforms = new Map(
            (await all<Host>(store, hosts, cid)).map((host) => [
              host.device_id,
              host.platform_name,
            ]),
          );
          for (const { device_id, file_name = "" } of await all(store, executions, cid)) {
            expect(platforms.has(device_id)).toBe(true);
            if (file_name.endsWith(".exe")) expect(platforms.get(device_id)).toBe("Windows");
          }
          const groupIds = new Set(
            (await all<HostGroup>(store, hostGroups, cid)).map(({ id }) => id),
          );
          for (const { host_groups } of await all(store, indicators, cid)) {
            for (const id of host_groups) expect(groupIds.has(id)).toBe(true);
          }
          machines += platforms.size;
          groups += groupIds.size;
        }
        expect([machines, groups]).toEqual([count, groupCount]);
      },
    );
  });

  test("a seeded world can be imported elsewhere, line by line", async () => {
    await withWorld(engine, "small", async (store, { cid }) => {
      const { cid: other } = (await store.directory.tenants()).find(
        (tenant) => tenant.cid !== cid,
      ) ?? { cid };
      const texts = await allOf(store.records(hosts, { cid }).scan(everything, now));
      const outcome = await importRecords(store, {
        cid: other,
        kind: "hosts",
        clock,
        lines: texts,
      });
      expect(outcome).toMatchObject({ imported: texts.length, problems: [] });
      const groups = (await all<HostGroup>(store, hostGroups, cid)).map(
        ({ fingerprint: _fingerprint, ...group }) =>
          JSON.stringify({ ...group, name: `${group.name} 2` }),
      );
      const again = await importRecords(store, {
        cid: other,
        kind: "host-groups",
        clock,
        lines: groups,
      });
      expect(again).toMatchObject({ imported: groups.length, problems: [] });
    });
  });
});
