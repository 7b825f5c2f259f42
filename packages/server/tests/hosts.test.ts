import { expect, test } from "vitest";
import { hosts } from "../src/inventory/hosts.ts";
import { hostGroup, hostGroups, type HostGroup } from "../src/inventory/host-groups.ts";
import { HostGroupError, setHostGroupMembers } from "../src/inventory/set-members.ts";
import { settleMembership } from "../src/inventory/settle-membership.ts";
import { importRecords } from "../src/imports/index.ts";
import { resources } from "../src/platform/resources.ts";
import type { Reaction, Transaction } from "../src/store/types/types.ts";
import { withPostgresAtNight } from "./support/engines.ts";
import {
  byId,
  byName,
  deviceId,
  dynamic,
  fleetOf,
  groupId,
  host,
  fleetSuite,
} from "./support/hosts.ts";
import { minutes } from "./support/manual-clock.ts";

const [a, b, c, d] = [groupId("a"), groupId("b"), groupId("c"), groupId("d")];

/** The transaction; records the ids of the hosts that it rewrites. */
const noting = (transaction: Transaction, ids: string[]): Transaction => ({
  ...transaction,
  records: (resource) => {
    const records = transaction.records(resource);
    const replace = records.replace.bind(records);
    records.replace = (changed, now) => {
      ids.push(...changed.map((record) => String(Reflect.get(record, resource.id))));
      return replace(changed, now);
    };
    return records;
  },
});

withPostgresAtNight((engine) => {
  const openFleet = fleetSuite(engine);
  test("a host is in the groups that list it or whose rule it matches, whichever is stored first", async () => {
    const fleet = await openFleet();
    const groups = [byId("a", 1, 3), byName("b", "hOST-2"), dynamic("c", "tags:'ring-1'")];
    const lines = [
      host(1, { tags: ["ring-1", "x"] }),
      host(2, { hostname: "Host-2" }),
      host(3, { hostname: "HOST-3", tags: ["ring-2"] }),
    ];
    await fleet.have("hosts", lines.slice(0, 2));
    expect((await fleet.host(deviceId(1)))?.groups).toEqual([]);
    await fleet.have("host-groups", groups);
    await fleet.have("hosts", lines.slice(2));
    expect((await fleet.host(deviceId(1)))?.groups).toEqual([a, c]);
    expect((await fleet.host(deviceId(2)))?.groups).toEqual([b]);
    expect((await fleet.host(deviceId(3)))?.groups).toEqual([a]);
    expect((await fleet.host(deviceId(3)))?.group_hash).toMatch(/^[0-9a-f]{64}$/);
    await fleet.consistent();
  });

  test("a host that is imported again changes groups; without --update it does not change", async () => {
    const fleet = await openFleet();
    await fleet.have("host-groups", [
      dynamic("a", "platform_name:'Windows'+os_version:'Windows 11'"),
      dynamic("b", "hostname:*'lab-*',local_ip:'10.1.0.0/16'"),
    ]);
    await fleet.have("hosts", [host(1, { os_version: "Windows 11" }), host(2)]);
    expect(await fleet.members(a)).toEqual(["HOST-1"]);
    const newer = [host(1, { hostname: "LAB-1", local_ip: "10.1.2.3" }), host(2)];
    expect(await fleet.import("hosts", newer)).toMatchObject({ imported: 0, unchanged: 2 });
    expect(await fleet.members(a)).toEqual(["HOST-1"]);
    const before = await fleet.store
      .records(hosts, { cid: fleet.cid })
      .get([deviceId(2)], fleet.clock.now());
    expect(await fleet.import("hosts", newer, { update: true })).toEqual({
      imported: 0,
      updated: 1,
      unchanged: 1,
      rejected: 0,
      problems: [],
    });
    expect([await fleet.members(a), await fleet.members(b)]).toEqual([[], ["LAB-1"]]);
    expect((await fleet.host(deviceId(1)))?.os_version).toBeUndefined();
    const after = await fleet.store
      .records(hosts, { cid: fleet.cid })
      .get([deviceId(2)], fleet.clock.now());
    expect(after).toEqual(before);
    await fleet.consistent();
  });

  test("a group that changes during an import applies to the following lines", async () => {
    const fleet = await openFleet();
    const { store, clock, cid } = fleet;
    async function* lines() {
      yield JSON.stringify(host(1, { tags: ["x"] }));
      await fleet.have("host-groups", [dynamic("a", "tags:'x'"), byId("b", 1, 2)]);
      yield JSON.stringify(host(2, { tags: ["x"] }));
      await fleet.have("host-groups", [dynamic("a", "tags:'y'"), byId("b", 3)], { update: true });
      yield JSON.stringify(host(3, { tags: ["y"] }));
    }
    await importRecords(store, { cid, kind: "hosts", clock, lines: lines(), batch: 1 });
    expect([await fleet.members(a), await fleet.members(b)]).toEqual([["HOST-3"], ["HOST-3"]]);
    await fleet.consistent();
  });

  test("changed groups update their hosts, many at once or one", async () => {
    const fleet = await openFleet();
    const lines = Array.from({ length: 60 }, (_, index) =>
      host(index, { tags: [`t${index % 7}`], platform_name: index % 2 === 0 ? "Linux" : "Mac" }),
    );
    await fleet.have("hosts", lines, { batch: 25 });
    const letters = ["0", "1", "2", "3", "4", "5", "6"];
    await fleet.have("host-groups", [
      ...letters.map((letter) => dynamic(letter, `tags:'t${letter}'`)),
      byId("a", ...lines.keys()),
      byName("b", "host-1", "nowhere"),
    ]);
    await fleet.consistent();
    expect(await fleet.members(groupId("3"))).toHaveLength(9);
    expect(await fleet.members(a)).toHaveLength(60);
    const update = { update: true };
    await fleet.have("host-groups", [dynamic("3", "platform_name:'Mac'"), byId("a", 5)], update);
    await fleet.consistent();
    expect(await fleet.members(groupId("3"))).toHaveLength(30);
    expect(await fleet.members(a)).toEqual(["HOST-5"]);
    // A group whose type changes.
    await fleet.have(
      "host-groups",
      [byName("3", "host-7"), dynamic("a", "hostname:'host-9'")],
      update,
    );
    expect([await fleet.members(groupId("3")), await fleet.members(a)]).toEqual([
      ["HOST-7"],
      ["HOST-9"],
    ]);
    await fleet.have(
      "host-groups",
      letters.map((letter) => dynamic(letter, `platform_name:'Linux'+tags:'t${letter}'`)),
      update,
    );
    await fleet.consistent();
    expect(await fleet.members(groupId("1"))).toHaveLength(4);
  });

  test("only hosts whose groups change are rewritten", async () => {
    let ids: string[] = [];
    const noted: Reaction<HostGroup> = {
      run: (transaction, changes, now) =>
        settleMembership.run(noting(transaction, ids), changes, now),
    };
    const kinds = resources.map((resource) =>
      resource.name === hostGroups.name ? { ...hostGroups, reactions: [noted] } : resource,
    );
    const fleet = await fleetOf(engine, kinds);
    const { cid, clock, store } = fleet;
    await fleet.have("hosts", [host(1, { tags: ["x"] }), host(2, { tags: ["y"] }), host(3)]);
    await fleet.have("host-groups", [dynamic("a", "tags:'x'"), byId("b", 1, 3)]);
    const rewritten = async (letters: string, change: Partial<HostGroup>) => {
      ids = [];
      await store.write(cid, async (transaction) => {
        const groups = transaction.records(hostGroups);
        const before = [...(await groups.getForUpdate([...letters].map(groupId))).values()];
        const after = before.map((group) => hostGroup({ ...group, ...change }));
        await groups.replace(after, clock.now());
      });
      return ids;
    };
    expect(await rewritten("a", { assignment_rule: "tags:['x','y']" })).toEqual([deviceId(2)]);
    expect(await rewritten("b", { device_ids: [deviceId(1), deviceId(2)] })).toEqual([
      deviceId(2),
      deviceId(3),
    ]);
    expect(await rewritten("b", { description: "other" })).toEqual([]);
    await fleet.have(
      "host-groups",
      [..."01234"].map((letter) => dynamic(letter, "tags:'x'")),
    );
    expect(await rewritten("01234", { assignment_rule: "tags:['x','z']" })).toEqual([]);
    expect(await rewritten("01234", { assignment_rule: "tags:'y'" })).toEqual([
      deviceId(1),
      deviceId(2),
    ]);
    await fleet.consistent();
  });

  test("a host can be moved between static groups, but not into a dynamic one", async () => {
    const fleet = await openFleet();
    const { store, cid, clock } = fleet;
    await fleet.have("hosts", [host(1), host(2), host(3)]);
    await fleet.have("host-groups", [byId("a", 1, 2), byName("b"), dynamic("c", "tags:'x'")]);
    clock.advance(minutes(5));
    await setHostGroupMembers(
      store,
      cid,
      a,
      [deviceId(2), deviceId(3), deviceId(3), deviceId(9)],
      clock.now(),
    );
    await setHostGroupMembers(store, cid, b, ["HOST-1", "host-1"], clock.now());
    const trail = await store.directory.auditEntries({ cid, limit: 2 });
    expect(trail).toMatchObject([
      { actor: "cli", operation: "host-groups set", ids: [b] },
      { actor: "cli", operation: "host-groups set", ids: [a] },
    ]);
    expect([await fleet.members(a), await fleet.members(b)]).toEqual([
      ["HOST-2", "HOST-3"],
      ["HOST-1"],
    ]);
    expect(await fleet.group(a)).toMatchObject({
      device_ids: [deviceId(2), deviceId(3), deviceId(9)],
      modified_by: "cli",
      modified_timestamp: clock.now().toISOString(),
    });
    await fleet.have("hosts", [host(9)]);
    expect(await fleet.members(a)).toContain("HOST-9");
    for (const id of [c, d]) {
      await expect(setHostGroupMembers(store, cid, id, [], clock.now())).rejects.toThrow(
        HostGroupError,
      );
    }
    await fleet.consistent();
  });

  test("a group belongs to its tenant, and so do hosts with the same id", async () => {
    const fleet = await openFleet();
    const { store, clock, cid } = fleet;
    const other = await fleet.newTenant();
    await fleet.have("host-groups", [dynamic("a", "platform_name:'Windows'")]);
    await fleet.have("host-groups", [dynamic("b", "platform_name:'Windows'")], { cid: other.cid });
    const groupsOf = async (tenant: string) => [
      ...(await store.records(hostGroups, { cid: tenant }).get([a, b], clock.now())).keys(),
    ];
    expect(await groupsOf(cid)).toEqual([a]);
    expect(await groupsOf(other.cid)).toEqual([b]);
    await fleet.have("hosts", [host(1, { cid: other.cid, groups: [d] })]);
    await fleet.have("hosts", [host(1)], { cid: other.cid });
    expect(await fleet.host(deviceId(1))).toMatchObject({ cid, groups: [a] });
    expect(await fleet.host(deviceId(1), other.cid)).toMatchObject({ cid: other.cid, groups: [b] });
  });

  test("the text of a group contains its rule, but not its list of members", async () => {
    const fleet = await openFleet();
    await fleet.have("host-groups", [byId("a", 1), byName("b", "x")]);
    const texts = await fleet.store
      .records(hostGroups, { cid: fleet.cid })
      .get([a, b], fleet.clock.now());
    const at = fleet.clock.now().toISOString();
    expect(JSON.parse(texts.get(a) ?? "")).toEqual({
      id: a,
      name: "group a",
      description: "",
      group_type: "staticByID",
      assignment_rule: `device_id:['${deviceId(1)}'],hostname:['']`,
      created_by: "import",
      created_timestamp: at,
      modified_by: "import",
      modified_timestamp: at,
    });
    expect(JSON.parse(texts.get(b) ?? "")).toMatchObject({
      assignment_rule: "device_id:[''],hostname:['x']",
    });
  });
});
