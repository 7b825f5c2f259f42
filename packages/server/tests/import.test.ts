import { expect, test } from "vitest";
import { tenantGroups, userGroups } from "../src/access/groups.ts";
import { importRecords, type ImportKind, type ImportOptions } from "../src/imports/index.ts";
import { platformCid, type Store } from "../src/store/types/types.ts";
import { forEachEngine } from "./support/engines.ts";
import { byId, deviceId, dynamic, groupId, host, fleetSuite } from "./support/hosts.ts";
import { domain, iocSuite } from "./support/ioc.ts";
import { days } from "./support/manual-clock.ts";
import { usersSuite } from "./support/users.ts";

const update = { update: true };

const messagesOf = ({ problems }: Awaited<ReturnType<typeof importRecords>>): readonly string[] =>
  problems.map(({ line, message }) => `${line} ${message}`);

forEachEngine((engine) => {
  const openFleet = fleetSuite(engine);
  const iocs = iocSuite(engine);
  const accounts = usersSuite(engine);

  const loadInto = (
    {
      store,
      clock,
      tenant,
    }: Pick<ImportOptions, "clock"> & {
      readonly store: Store;
      readonly tenant: { readonly cid: string };
    },
    kind: ImportKind,
    lines: readonly object[],
    more: Partial<ImportOptions> = {},
  ) => {
    const texts = lines.map((line) => JSON.stringify(line));
    return importRecords(store, { cid: tenant.cid, kind, clock, lines: texts, ...more });
  };

  test("invalid rules of dynamic groups are rejected with the place of the error", async () => {
    const fleet = await openFleet();
    const outcome = await fleet.import("host-groups", [
      dynamic("a", "last_seen:>'now-7d'"),
      dynamic("b", "platform_name:'Windows'+(tags:'x',first_seen:<'last 7 days')"),
      dynamic("c", "hostnam:'x'"),
      dynamic("d", "platform_name:'Windows"),
      dynamic("e", "tags:'x'+groups:'x'"),
      dynamic("f", "tags:'now-7d'+last_seen:>'2026-01-01T00:00:00Z'"),
    ]);
    expect(outcome).toMatchObject({ imported: 1, rejected: 5 });
    expect(messagesOf(outcome)).toEqual([
      "1 assignment_rule: Invalid filter expression supplied: relative times are not allowed here at offset 11. The rule of a group supports only absolute times, such as '2026-03-01T00:00:00Z'.",
      expect.stringMatching(/^2 assignment_rule: .*relative time.* at offset 46\./),
      expect.stringMatching(
        /^3 assignment_rule: .*unknown field 'hostnam' at offset 0\. Did you mean 'hostname'\?/,
      ),
      expect.stringMatching(/^4 assignment_rule: Invalid filter expression supplied: .* at offset/),
      expect.stringMatching(
        /^5 assignment_rule: .*'groups' does not support filtering at offset 9\./,
      ),
    ]);
    expect(await fleet.group(groupId("f"))).toBeDefined();
  });

  test("a group lists its members in the member of its type, and only there", async () => {
    const fleet = await openFleet();
    const group = { name: "g", group_type: "staticByID" };
    const outcome = await fleet.import("host-groups", [
      group,
      { ...group, device_ids: ["x"] },
      { ...group, device_ids: [], hostnames: ["h"] },
      { ...group, group_type: "static", device_ids: [] },
      { ...group, group_type: "dynamic" },
      { ...group, group_type: "dynamical" },
      { ...group, device_ids: [] },
      { ...group, id: groupId("9"), device_ids: [], name: "G" },
    ]);
    expect(outcome).toMatchObject({ imported: 1, rejected: 7 });
    expect(messagesOf(outcome)).toEqual([
      "1 device_ids: is required for a staticByID group",
      expect.stringMatching(/^2 device_ids\[0\]: expected 32 lower-case hexadecimal digits/),
      "3 hostnames: a staticByID group has none",
      "4 hostnames: is required for a static group",
      "4 device_ids: a static group has none",
      "5 assignment_rule: is required for a dynamic group",
      expect.stringMatching(/^6 group_type: expected .*did you mean dynamic\?/),
      expect.stringMatching(/^8 g already exists as [0-9a-f]{32}$/),
    ]);
    expect(await fleet.import("host-groups", [{ ...group, device_ids: [] }])).toMatchObject({
      unchanged: 1,
    });
  });

  test("hosts are normalised, and invalid addresses are rejected", async () => {
    const fleet = await openFleet();
    const outcome = await fleet.import("hosts", [
      host(1, {
        last_seen: "2026-02-01T01:00:00.5+01:00",
        local_ip: "2001:DB8::1",
        external_ip: "",
      }),
      host(2, { local_ip: "10.0.0.256" }),
      host(3, { last_seen: "yesterday" }),
      { device_id: "X", platform_name: "Solaris", colour: "red" },
    ]);
    expect(outcome).toMatchObject({ imported: 1, rejected: 3 });
    expect(messagesOf(outcome)).toEqual([
      expect.stringMatching(/^2 local_ip: expected an IPv4 address/),
      expect.stringMatching(/^3 last_seen: expected an RFC 3339 timestamp/),
      expect.stringMatching(/^4 colour: unknown field/),
      expect.stringMatching(/^4 device_id: expected 32 lower-case hex/),
      expect.stringMatching(/^4 platform_name: expected one of Windows, Mac, Linux/),
    ]);
    expect(await fleet.host(deviceId(1))).toMatchObject({
      last_seen: "2026-02-01T00:00:00.500Z",
      local_ip: "2001:db8::1",
      cid: fleet.cid,
    });
  });

  test("of lines with the same id, the last one counts with update, the first one without", async () => {
    const fleet = await openFleet();
    const lines = [
      host(1, { hostname: "a" }),
      host(1, { hostname: "b" }),
      host(1, { hostname: "c" }),
    ];
    expect(await fleet.import("hosts", lines)).toMatchObject({ imported: 1, unchanged: 2 });
    expect((await fleet.host(deviceId(1)))?.hostname).toBe("a");
    expect(await fleet.import("hosts", lines, update)).toMatchObject({ updated: 1, unchanged: 2 });
    expect((await fleet.host(deviceId(1)))?.hostname).toBe("c");
    expect(await fleet.import("hosts", lines, { ...update, batch: 1 })).toMatchObject({
      updated: 3,
    });
    await fleet.consistent();
    const [entry] = await fleet.store.directory.auditEntries({ cid: fleet.cid, limit: 1 });
    expect(entry).toMatchObject({ operation: "import hosts --update", ids: [deviceId(1)] });
  });

  test("a changed group has an audit entry, an unchanged one has none", async () => {
    const fleet = await openFleet();
    await fleet.have("host-groups", [byId("a", 1)]);
    fleet.clock.advance(days(1));
    expect(await fleet.import("host-groups", [byId("a", 1)], update)).toMatchObject({
      unchanged: 1,
    });
    expect(await fleet.import("host-groups", [byId("a", 2)], update)).toMatchObject({ updated: 1 });
    expect(await fleet.group(groupId("a"))).toMatchObject({
      created_timestamp: "2026-03-01T12:00:00.000Z",
      modified_by: "import",
      modified_timestamp: "2026-03-02T12:00:00.000Z",
    });
  });

  test("an indicator is identified by its id, otherwise by its type and value", async () => {
    const api = await iocs.open();
    const [created] = await api.stored(domain("a.example", { source: "feed" }));
    if (created === undefined) throw new Error("stored above");
    api.clock.advance(days(1));
    const line = domain("a.example", { severity: "low" });
    expect(messagesOf(await loadInto(api, "indicators", [line]))).toEqual([
      expect.stringContaining("already exists"),
    ]);
    expect(await loadInto(api, "indicators", [line], update)).toMatchObject({ updated: 1 });
    const { source: _source, ...rest } = created;
    expect((await api.get(created.id)).body[0]).toEqual({
      ...rest,
      severity: "low",
      modified_by: "import",
      modified_on: api.clock.now().toISOString(),
    });
    expect(await loadInto(api, "indicators", [line], update)).toMatchObject({ unchanged: 1 });
    const other = { ...domain("b.example"), id: created.id };
    expect(await loadInto(api, "indicators", [other, line], update)).toMatchObject({
      imported: 1,
      updated: 1,
    });
    expect(await api.values({ sort: "value" })).toEqual(["a.example", "b.example"]);
  });

  test("a deleted indicator stays deleted, and is restored with update", async () => {
    const api = await iocs.open();
    const line = { ...domain("a.example"), id: "e".repeat(64) };
    await loadInto(api, "indicators", [line]);
    await api.remove({ ids: [line.id] });
    const both = [line, { ...domain("b.example"), id: "f".repeat(64) }];
    expect(await loadInto(api, "indicators", both)).toMatchObject({ imported: 1, unchanged: 1 });
    expect(await api.values({})).toEqual(["b.example"]);
    expect(await loadInto(api, "indicators", both, update)).toMatchObject({ imported: 1 });
    expect(await api.values({ sort: "value" })).toEqual(["a.example", "b.example"]);
  });

  test("user groups grant their members roles at once, and withdraw them when they change", async () => {
    const api = await accounts.open();
    const [ann, bob] = [await api.user("ann"), await api.user("bob")];
    const group = {
      name: "Analysts",
      users: [ann.uid.toUpperCase(), bob.uuid, ann.uuid],
      role_ids: ["falconhost_analyst"],
    };
    expect(await loadInto(api, "user-groups", [group])).toMatchObject({
      imported: 1,
      problems: [],
    });
    const assigned = await api.found({ filter: `assigned_cids:'${api.tenant.cid}'`, sort: "uid" });
    expect(assigned).toEqual(["ann", "bob"]);
    for (const { uuid } of [ann, bob]) {
      expect(await api.grants(uuid)).toMatchObject([
        { grant_type: "user_group", role_id: "falconhost_analyst", user_group_name: "Analysts" },
      ]);
    }
    expect(
      await loadInto(api, "user-groups", [{ ...group, users: [bob.uid] }], update),
    ).toMatchObject({ updated: 1 });
    expect(await api.found({ filter: `assigned_cids:'${api.tenant.cid}'` })).toEqual(["bob"]);
    expect(await api.grants(ann.uuid)).toEqual([]);
    expect(await api.grants(bob.uuid)).toHaveLength(1);
    const [entry] = await api.store.directory.auditEntries({ cid: api.tenant.cid, limit: 1 });
    expect(entry).toMatchObject({ operation: "import user-groups --update" });
  });

  test("unknown users, unknown roles and foreign ids in user groups are rejected", async () => {
    const [api, stranger] = [await accounts.open(), await accounts.open()];
    const foreign = await stranger.user("eve");
    const foreignGroup = await stranger.userGroup({});
    const group = { name: "g", users: [], role_ids: ["falconhost_analyst"] };
    const outcome = await loadInto(
      api,
      "user-groups",
      [
        { ...group, users: [foreign.uid, "nobody@t0.example", foreign.uuid] },
        { ...group, role_ids: ["falconhost_analyst", "king"] },
        { ...group, id: foreignGroup.id },
        { ...group, role_ids: [] },
      ],
      update,
    );
    expect(outcome).toMatchObject({ imported: 0, rejected: 4 });
    expect(messagesOf(outcome)).toEqual([
      `1 users[0]: the tenant has no user "${foreign.uid}"`,
      '1 users[1]: the tenant has no user "nobody@t0.example"',
      `1 users[2]: the tenant has no user "${foreign.uuid}"`,
      "2 role_ids: there is no role king",
      `3 id: ${foreignGroup.id} is in use; choose another, or omit it`,
      expect.stringMatching(/^4 role_ids: /),
    ]);
    const stored = await api.store
      .records(userGroups, { cid: platformCid })
      .getComplete([foreignGroup.id], api.clock.now());
    expect(stored.get(foreignGroup.id)).toEqual(foreignGroup);
  });

  test("a group cannot remove the last administrator of a tenant", async () => {
    const parent = await accounts.open();
    const child = await accounts.open(parent);
    const [ann, bob] = [await parent.user("ann"), await parent.user("bob")];
    const team = { name: "Team", users: [ann.uid, bob.uid], role_ids: ["falconhost_admin"] };
    const everywhere = {
      name: "Customers",
      cids: [child.tenant.cid],
      grants: [{ user_group: "Team", role_ids: ["falconhost_admin"] }],
    };
    await loadInto(parent, "user-groups", [team]);
    await loadInto(parent, "tenant-groups", [everywhere]);
    const other = { name: "Other", users: [ann.uid], role_ids: ["help_desk"] };
    const lines = [
      other,
      { ...team, users: [] },
      { ...team, users: [bob.uid] },
      { ...team, users: [bob.uid], role_ids: ["help_desk"] },
    ];
    const outcome = await loadInto(parent, "user-groups", lines, update);
    expect(outcome).toMatchObject({ imported: 1, updated: 1, rejected: 2 });
    const last = (uuid: string, cid: string) =>
      `user ${uuid} is the last active administrator of the tenant ${cid}; first grant falconhost_admin there to another active user, without an expiry`;
    const own = parent.tenant.cid;
    const below = child.tenant.cid;
    expect(messagesOf(outcome)).toEqual([
      ...[own, below]
        .toSorted()
        .map((cid): unknown => expect.stringMatching(`^2 user .* of the tenant ${cid};`)),
      `4 ${last(bob.uuid, own)}`,
    ]);
    expect(await parent.found({ filter: `assigned_cids:'${below}'` })).toEqual(["bob"]);
    const narrowed = await loadInto(parent, "tenant-groups", [{ ...everywhere, cids: [] }], update);
    expect(messagesOf(narrowed)).toEqual([`1 ${last(bob.uuid, below)}`]);
    // With a second administrator it succeeds.
    await parent.granted(ann.uuid, ["falconhost_admin"], { cid: below });
    expect(
      await loadInto(parent, "tenant-groups", [{ ...everywhere, cids: [] }], update),
    ).toMatchObject({ updated: 1, rejected: 0 });
  });

  test("one import can move administration from one group to a new one", async () => {
    const api = await accounts.open();
    const [ann, bob] = [await api.user("ann"), await api.user("bob")];
    const team = { name: "Team", users: [ann.uid], role_ids: ["falconhost_admin"] };
    await loadInto(api, "user-groups", [team]);
    const lines = [
      { ...team, users: [] },
      { ...team, name: "New team", users: [bob.uid] },
    ];
    expect(await loadInto(api, "user-groups", lines, update)).toMatchObject({
      imported: 1,
      updated: 1,
      rejected: 0,
    });
    const filter = `assigned_cids:'${api.tenant.cid}'`;
    expect(await api.found({ filter })).toEqual(["bob"]);
  });

  test("members lose the roles of a group however it is removed", async () => {
    const api = await accounts.open();
    const ann = await api.user("ann");
    const { id } = await api.userGroup({ user_uuids: [ann.uuid], role_ids: ["help_desk"] });
    const filter = `assigned_cids:'${api.tenant.cid}'`;
    expect(await api.found({ filter })).toEqual(["ann"]);
    await api.store.write(platformCid, (transaction) =>
      transaction.records(userGroups).remove([id], api.clock.now()),
    );
    expect(await api.found({ filter })).toEqual([]);
  });

  test("tenant groups grant roles in the tenants below, and in no others", async () => {
    const parent = await accounts.open();
    const [child, stranger] = [await accounts.open(parent), await accounts.open()];
    const ann = await parent.user("ann");
    const roles = ["falconhost_analyst"];
    await loadInto(parent, "user-groups", [{ name: "Team", users: [ann.uid], role_ids: roles }]);
    const group = {
      name: "Customers",
      cids: [child.tenant.cid],
      grants: [{ user_group: "Team", role_ids: ["falconhost_read_only"] }],
    };
    expect(await loadInto(parent, "tenant-groups", [group])).toMatchObject({
      imported: 1,
      problems: [],
    });
    expect(await parent.grants(ann.uuid, { cid: child.tenant.cid })).toMatchObject([
      { grant_type: "cid_group", cid_group_name: "Customers", role_id: "falconhost_read_only" },
    ]);
    expect(await child.found()).toEqual(["ann"]);
    expect(await loadInto(parent, "tenant-groups", [group], update)).toMatchObject({
      unchanged: 1,
    });
    const outcome = await loadInto(parent, "tenant-groups", [
      { ...group, name: "a", cids: [stranger.tenant.cid, parent.tenant.cid] },
      { ...group, name: "b", grants: [{ user_group: "Teem", role_ids: roles }] },
      { ...group, name: "c", grants: [{ user_group: "Team", role_ids: ["king"] }] },
    ]);
    expect(messagesOf(outcome)).toEqual([
      `1 cids[0]: ${stranger.tenant.cid} is not below the tenant`,
      `1 cids[1]: ${parent.tenant.cid} is not below the tenant`,
      '2 grants[0].user_group: the tenant has no user group "Teem"',
      "3 grants[0].role_ids: there is no role king",
    ]);
    expect(await loadInto(parent, "tenant-groups", [{ ...group, cids: [] }], update)).toMatchObject(
      { updated: 1 },
    );
    expect(await child.found()).toEqual([]);
    expect(await parent.grants(ann.uuid, { cid: child.tenant.cid })).toEqual([]);
    const all = parent.store.records(tenantGroups, { cid: platformCid });
    expect(
      await all.count(
        { kind: "equal", field: "cid", value: parent.tenant.cid, fold: false },
        parent.clock.now(),
      ),
    ).toBe(1);
  });
});
