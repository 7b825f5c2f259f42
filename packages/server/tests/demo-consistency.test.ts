import { beforeAll, describe, expect, test } from "vitest";
import { users } from "../src/access/users.ts";
import { alerts, events } from "../src/domain/case-management/evidence/evidence-records.ts";
import { everyCase } from "../src/domain/case-management/access-tags/reader.ts";
import { cases } from "../src/domain/case-management/kinds/cases.ts";
import { executions } from "../src/domain/ioc/executions.ts";
import { indicators } from "../src/domain/ioc/indicators.ts";
import { hostGroups } from "../src/inventory/host-groups.ts";
import { hosts, type Host } from "../src/inventory/hosts.ts";
import type { SeededWorld, World } from "../src/seed/index.ts";
import { platformCid, type Records, type Store } from "../src/store/types/types.ts";
import { allOf } from "./support/all-of.ts";
import { onSqlite } from "./support/engines.ts";
import { ManualClock } from "./support/manual-clock.ts";
import { withWorld } from "./support/with-world.ts";

const now = new ManualClock().now();
const today = now.toISOString().slice(0, 10);

const all = <Kind extends object>(records: Records<Kind>) =>
  allOf(records.scanComplete({ kind: "everything" }, now));

/** The records of all tenants of a world. */
const inEach = async <Kind>(
  { tenants }: SeededWorld,
  read: (cid: string) => Promise<readonly Kind[]>,
): Promise<readonly Kind[]> => (await Promise.all(tenants.map(({ cid }) => read(cid)))).flat();

const hostsOf = (store: Store, world: SeededWorld) =>
  inEach(world, (cid) => all(store.records(hosts, { cid })));

const evidenceOf = (store: Store, world: SeededWorld) =>
  inEach(world, async (cid) => [
    ...(await all(store.records(alerts, { cid }))),
    ...(await all(store.records(events, { cid }))),
  ]);

const usersOf = (store: Store) => all(store.records(users, { cid: platformCid }));

const duplicates = (values: readonly string[]) =>
  values.filter((value, index) => values.indexOf(value) !== index);

/** Members of hosts of every platform. */
const onEvery = [
  "agent_local_time",
  "agent_version",
  "config_id_base",
  "config_id_build",
  "config_id_platform",
  "deployment_type",
  "detection_suppression_status",
  "first_login_timestamp",
  "first_login_user",
  "host_utc_offset",
  "internet_exposure",
  "kernel_version",
  "last_login_user",
  "last_reboot",
  "license_activation_state",
  "meta",
  "os_product_name",
  "os_version",
  "ou",
  "product_type_desc",
  "release_group",
  "serial_number",
  "slow_changing_modified_timestamp",
] as const satisfies readonly (keyof Host)[];
/** Members of hosts with Windows only. */
const onWindows = [
  "build_number",
  "last_login_user_sid",
  "safe_mode",
  "service_pack_major",
  "service_pack_minor",
] as const satisfies readonly (keyof Host)[];

onSqlite((engine) => {
  const rulesOf = (name: World): void => {
    beforeAll(() => engine.world(name));

    test("evidence and executions lie in the time in which their host reported", async () => {
      await withWorld(engine, name, async (store, world) => {
        const machines = new Map(
          (await hostsOf(store, world)).map((host) => [host.device_id, host]),
        );
        const wrong: string[] = [];
        const check = (id: string, device: string, at: string) => {
          const { first_seen = "", last_seen = "" } = machines.get(device) ?? {};
          if (at < first_seen || at > last_seen) wrong.push(`${id} at ${at}`);
        };
        for (const { id, timestamp, hosts: seen = [] } of await evidenceOf(store, world)) {
          for (const { aid = "" } of seen) check(id, aid, timestamp ?? "");
        }
        const runs = await inEach(world, (cid) => all(store.records(executions, { cid })));
        for (const { id, device_id, started_on } of runs) check(id, device_id, started_on);
        expect(wrong).toEqual([]);
      });
    });

    test("cases are changed after their evidence, and not in the future", async () => {
      await withWorld(engine, name, async (store, world) => {
        const times = new Map(
          (await evidenceOf(store, world)).map(({ id, timestamp }) => [id, timestamp ?? ""]),
        );
        const stored = await inEach(world, (cid) => all(store.records(cases, everyCase(cid))));
        expect(stored.length).toBeGreaterThan(20);
        for (const each of stored) {
          const { alerts: named, events: also } = each.evidence;
          const ids = [...(named.records ?? []), ...(also.records ?? [])];
          const last = ids.map(({ selector }) => times.get(selector.id) ?? "").toSorted();
          expect([last.at(-1) ?? "", each.updated_timestamp].toSorted().at(-1), each.name).toBe(
            each.updated_timestamp,
          );
          expect(each.created_timestamp <= each.updated_timestamp, each.name).toBe(true);
          expect(each.updated_timestamp <= now.toISOString(), each.name).toBe(true);
        }
      });
    });

    test("someone works on each critical case that is not closed", async () => {
      await withWorld(engine, name, async (store, world) => {
        const stored = await inEach(world, (cid) => all(store.records(cases, everyCase(cid))));
        const critical = stored.filter(
          ({ severity, status }) => severity >= 80 && status !== "closed",
        );
        expect(critical.length).toBeGreaterThan(2);
        expect(critical.filter(({ assigned_to }) => assigned_to === undefined)).toEqual([]);
      });
    });

    test("an indicator names one family and its kind, and a user as its author", async () => {
      await withWorld(engine, name, async (store, world) => {
        const uuids = new Set((await usersOf(store)).map(({ uuid }) => uuid));
        const kinds = new Map<string, string>();
        const generated = (
          await inEach(world, (cid) => all(store.records(indicators, { cid })))
        ).filter(({ source }) => source !== "Group security");
        let byUsers = 0;
        for (const { description, tags, created_by, modified_by } of generated) {
          const described = /^([A-Z][a-z]+) ([a-z]+)$/.exec(description ?? "")?.slice(1) ?? [];
          const pairs = [described, tags].filter(({ length }) => length === 2);
          for (const [family = "", kind = ""] of pairs) {
            if (kind === "c2") continue;
            const key = family.toLowerCase();
            expect(kinds.get(key) ?? kind, `${description} ${tags.join(" ")}`).toBe(kind);
            kinds.set(key, kind);
          }
          if (described.length === 2 && tags.length > 0) {
            expect(tags[0]).toBe(described[0]?.toLowerCase());
          }
          if (uuids.has(created_by) && uuids.has(modified_by)) byUsers += 1;
        }
        expect(kinds.size).toBeGreaterThan(5);
        // The client of a story creates three in its tenant.
        const stories = name === "small" ? 1 : 6;
        expect(generated.length - byUsers).toBe(3 * stories);
      });
    });

    test("no two users have the same name, and a surname is rare", async () => {
      await withWorld(engine, name, async (store) => {
        const people = await usersOf(store);
        const fullNames = people.map(({ first_name, last_name }) => `${first_name} ${last_name}`);
        expect(duplicates(fullNames)).toEqual([]);
        const counts = Map.groupBy(people, ({ last_name }) => last_name);
        expect(Math.max(...[...counts.values()].map(({ length }) => length))).toBeLessThan(4);
      });
    });

    test("tenants have machines of their own", async () => {
      await withWorld(engine, name, async (store, world) => {
        const machines = await hostsOf(store, world);
        expect(duplicates(machines.map(({ hostname }) => hostname ?? ""))).toEqual([]);
        const sizes = Map.groupBy(machines, ({ cid }) => cid);
        const counts = [...sizes.values()].map(({ length }) => length);
        expect(new Set(counts).size).toBeGreaterThan(name === "mssp" ? 5 : 1);
      });
    });

    test("things happened today", async () => {
      await withWorld(engine, name, async (store, world) => {
        const machines = await hostsOf(store, world);
        const isToday = (text = "") => text.startsWith(today);
        const seen = machines.filter(({ last_seen }) => isToday(last_seen));
        expect(seen.length).toBeGreaterThan(machines.length / 2);
        const logins = (await usersOf(store)).filter(({ last_login_at }) => isToday(last_login_at));
        expect(logins.length).toBeGreaterThan(1);
        const cid = world.cid;
        const recent = (await all(store.records(cases, everyCase(cid)))).filter(
          ({ created_timestamp }) => isToday(created_timestamp),
        );
        expect(recent.map(({ name: title }) => title)).toEqual([
          expect.stringContaining("Emberfall blocked on"),
        ]);
        const alertsOfToday = await all(store.records(alerts, { cid }));
        expect(alertsOfToday.filter(({ timestamp }) => isToday(timestamp))).toHaveLength(1);
      });
    });

    test("hosts have the members that sensors of their platform report", async () => {
      await withWorld(engine, name, async (store, world) => {
        const machines = await hostsOf(store, world);
        const have = (host: Host, ...names: readonly (keyof Host)[]) =>
          names.filter((member) => host[member] !== undefined);
        const platforms = new Set<string>();
        for (const host of machines) {
          const { platform_name: platform } = host;
          platforms.add(platform ?? "");
          expect(have(host, ...onEvery), host.hostname).toEqual(onEvery);
          expect(have(host, ...onWindows)).toEqual(platform === "Windows" ? onWindows : []);
          expect(host.last_login_uid !== undefined).toBe(platform !== "Windows");
          expect(host.linux_sensor_mode !== undefined).toBe(platform === "Linux");
          expect(host.cpu_signature !== undefined).toBe(platform !== "Mac");
          const times = [host.first_login_timestamp, host.last_login_timestamp, host.last_seen];
          expect(times.map(String).toSorted(), host.hostname).toEqual(times);
          expect((host.slow_changing_modified_timestamp ?? "") <= (host.last_seen ?? "")).toBe(
            true,
          );
        }
        expect(platforms).toEqual(new Set(["Windows", "Linux", "Mac"]));
      });
    });

    test("users of the tenant have created its host groups", async () => {
      await withWorld(engine, name, async (store, world) => {
        const uids = new Set((await usersOf(store)).map(({ uid }) => uid));
        const groups = await inEach(world, (cid) => all(store.records(hostGroups, { cid })));
        expect(groups.filter(({ created_by = "" }) => !uids.has(created_by))).toEqual([]);
      });
    });
  };

  describe("the small world", () => rulesOf("small"));

  describe("the world of a service provider", { tags: ["exhaustive"] }, () => rulesOf("mssp"));

  test("no identifier contains the second of an event", async () => {
    await withWorld(engine, "small", async (store, world) => {
      const year = 365 * 86_400;
      const second = now.getTime() / 1_000;
      const isSecond = (part: string) =>
        /^\d{10}$/.test(part) && Math.abs(Number(part) - second) < year;
      const ids = (await evidenceOf(store, world)).map(({ id }) => id);
      expect(ids.filter((id) => id.split(/[:-]/).some(isSecond))).toEqual([]);
    });
  });
});
