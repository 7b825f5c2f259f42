import { describe, expect } from "vitest";
import type { ImportRecords } from "../src/index.ts";
import { test } from "../src/vitest.ts";

describe("builders fill in what a record lacks", () => {
  test("hosts, and what ran on them", async ({ platform }) => {
    const [server, laptop] = await platform.seed.hosts([
      { hostname: "build-1", tags: ["ci"] },
      { platform_name: "Windows" },
    ]);
    expect(server).toMatchObject({ hostname: "build-1", platform_name: "Linux", tags: ["ci"] });
    expect(laptop.os_version).toBe("Windows 11");
    const { client } = platform;
    const ids = await client.companion.listHostIds({ filter: "tags:'ci'" });
    expect(ids.data).toEqual([server.device_id]);
    const device_id = server.device_id;
    await platform.seed.executions([{ device_id, sha256: "ab".repeat(32) }]);
    const devices = await client.ioc.listDeviceIds({ type: "sha256", value: "ab".repeat(32) });
    expect(devices.data).toEqual([device_id]);
  });

  test("members that are undefined", async ({ platform }) => {
    const [host] = await platform.seed.hosts([
      { hostname: undefined, platform_name: undefined, tags: undefined },
    ]);
    expect(host.hostname).toMatch(/^host-\d+$/);
    expect(host.platform_name).toBe("Linux");
    const [indicator] = await platform.seed.indicators([{ value: "a.example", type: undefined }]);
    expect(indicator).toMatchObject({ type: "domain", action: "detect" });
  });

  test("host groups, whose type follows from their members", async ({ platform }) => {
    const { seed } = platform;
    const [host] = await seed.hosts([{ hostname: "db-1", tags: ["db"] }]);
    const groups = await seed.hostGroups([
      { assignment_rule: "tags:'db'" },
      { device_ids: [host.device_id] },
      { name: "Databases", hostnames: ["db-1"] },
    ]);
    expect(groups.map(({ group_type }) => group_type)).toEqual(["dynamic", "staticByID", "static"]);
    const { data } = await platform.client.companion.getHosts({ ids: [host.device_id] });
    expect(data[0]?.groups?.toSorted()).toEqual(groups.map(({ id }) => id));
  });

  test.for<[string, ImportRecords["indicators"]["type"]]>([
    ["bad.example", "domain"],
    ["192.0.2.1", "ipv4"],
    ["2001:db8::1", "ipv6"],
    ["ab".repeat(32), "sha256"],
    ["ab".repeat(16), "md5"],
  ])("indicators, whose type follows from their value: %s", async ([value, type], { platform }) => {
    const [indicator] = await platform.seed.indicators([{ value, severity: "low" }]);
    const { data } = await platform.client.ioc.getIndicators({ ids: [indicator.id] });
    expect(data).toMatchObject([{ type, value, severity: "low", action: "detect" }]);
  });

  test("indicators, which apply to all hosts or to those of their groups", async ({ platform }) => {
    const [group] = await platform.seed.hostGroups([{ hostnames: [] }]);
    const indicators = await platform.seed.indicators([{}, { host_groups: [group.id] }]);
    const ids = indicators.map(({ id }) => id);
    const { data } = await platform.client.ioc.getIndicators({ ids });
    expect(data.map(({ applied_globally }) => applied_globally)).toEqual([true, false]);
  });

  test("cases with their evidence", async ({ platform }) => {
    const { seed, client } = platform;
    const [alert] = await seed.alerts([{ name: "Odd login" }]);
    const [event] = await seed.events([{}]);
    const [opened] = await seed.cases([
      {
        severity_info: { level: "critical" },
        evidence: { alerts: [{ id: alert.id }], events: [{ id: event.id }] },
      },
    ]);
    const { data } = await client.caseManagement.getCases({ body: { ids: [opened.id] } });
    expect(data).toMatchObject([{ name: opened.name, severity_info: { level: "critical" } }]);
    expect(data[0]?.evidence).toMatchObject({
      alerts: { records: [{ selector: { id: alert.id } }] },
      events: { records: [{ selector: { id: event.id } }] },
    });
  });

  test("identities", async ({ platform }) => {
    const [user] = await platform.seed.identities([{ primaryDisplayName: "Ada Lovelace" }]);
    const query = "{ entities(types: [USER], first: 5) { nodes { entityId primaryDisplayName } } }";
    const { data } = await platform.client.identityProtection.runQuery({ body: { query } });
    expect(JSON.stringify(data)).toContain(user.entityId);
  });
});

test("a number adds that many records, each of its own", async ({ platform }) => {
  await platform.seed.indicators(250);
  await platform.seed.hosts(3);
  await platform.seed.hosts(2);
  const { client } = platform;
  const { page } = await client.ioc.listIndicatorIds({ offset: 0 });
  expect(page.total).toBe(250);
  const values = new Set<string>();
  for await (const { value = "" } of client.ioc.listIndicators()) values.add(value);
  expect(values.size).toBe(250);
  expect((await client.companion.listHostIds({})).data).toHaveLength(5);
});

test("records of another tenant are not seen by this one", async ({ platform }) => {
  const other = await platform.seed.tenant("Other");
  const [host] = await platform.seed.hosts([{ hostname: "theirs" }], { cid: other.cid });
  const another = { ...host, device_id: "a".repeat(32), hostname: "another" };
  await platform.seed.records("hosts", [another], { cid: other.cid });
  expect((await other.client.companion.listHostIds({})).data).toHaveLength(2);
  expect((await platform.client.companion.listHostIds({})).data).toEqual([]);
});

test("what is seeded is no request of the program under test", async ({ platform }) => {
  platform.faults.add({ status: 500, times: "always" });
  await platform.seed.indicators(2);
  expect(platform.requests.list()).toEqual([]);
});

describe("refuses", () => {
  test("what breaks the rules of a kind, with its place", async ({ platform }) => {
    const { seed } = platform;
    await expect(seed.hosts([{}, { hostnam: "a" } as never])).rejects.toThrow(
      /^hosts\[1\]: hostnam: .*hostname/,
    );
    await expect(seed.indicators([{ type: "ipv4", value: "300.0.0.1" }])).rejects.toThrow(
      /^indicators\[0\]: value: /,
    );
    await expect(seed.hostGroups([{ assignment_rule: "tags:" }])).rejects.toThrow(
      /^host-groups\[0\]: assignment_rule: /,
    );
    await expect(seed.executions([{ device_id: "x" }])).rejects.toThrow("executions[0]: ");
    await expect(seed.hosts(1, { cid: "ab".repeat(16) })).rejects.toThrow("there is no tenant");
  });

  test.for([-1, 1.5, Number.NaN, 100_001])("%d records", async (count, { platform }) => {
    await expect(platform.seed.hosts(count)).rejects.toThrow(
      `hosts: expected a list of records or an integer from 0 to 100000, got ${count}`,
    );
  });
});
