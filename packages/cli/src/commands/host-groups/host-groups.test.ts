import { beforeEach, expect, test } from "vitest";
import { exitCodes } from "../../terminal/exit-codes.ts";
import { commandLine, type CommandLine } from "../../testing/command-line.ts";

interface Listed {
  readonly id: string;
  readonly name: string;
  readonly group_type: string;
  readonly hosts: number;
}

let secplat: CommandLine;

const lines = (...records: readonly object[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join("");
const host = (digit: string, hostname: string) => ({
  device_id: digit.repeat(32),
  hostname,
  platform_name: "Windows",
});
const counts = async (): Promise<Readonly<Record<string, number>>> => {
  const groups = await secplat.json<readonly Listed[]>(["host-groups", "list"]);
  return Object.fromEntries(groups.map(({ name, hosts }) => [name, hosts]));
};

beforeEach(async () => {
  secplat = commandLine();
  await secplat(["tenants", "create", "Acme Corp"]);
  await secplat(
    ["import", "hosts", "-"],
    lines(host("1", "ALPHA"), host("2", "beta"), host("3", "twin"), host("4", "Twin")),
  );
  await secplat(
    ["import", "host-groups", "-"],
    lines(
      { name: "By id", group_type: "staticByID", device_ids: ["1".repeat(32)] },
      { name: "By name", group_type: "static", hostnames: ["Alpha"] },
      { name: "All", group_type: "dynamic", assignment_rule: "platform_name:'Windows'" },
    ),
  );
});

test("lists groups with their number of hosts", async () => {
  const { stdout } = await secplat(["host-groups", "list"]);
  expect(stdout).toMatch(/^ID +NAME +GROUP TYPE +HOSTS\n[0-9a-f]{32} {2}All +dynamic +4\n/);
  expect(await counts()).toEqual({ All: 4, "By id": 1, "By name": 1 });
});

test("moves hosts between groups, by id and by name", async () => {
  expect(await secplat(["host-groups", "add", "by id", "Beta", "3".repeat(32)])).toEqual({
    exitCode: exitCodes.success,
    stdout: "By id now has 3 hosts\n",
    stderr: "",
  });
  await secplat(["host-groups", "remove", "By name", "1".repeat(32)]);
  await secplat(["host-groups", "remove", "By id", "alpha", "1".repeat(32)]);
  expect(await counts()).toEqual({ All: 4, "By id": 2, "By name": 0 });
  const trail = await secplat.json<readonly object[]>(["audit", "--limit", "3"]);
  expect(trail).toMatchObject([
    { actor: "cli", operation: "host-groups remove" },
    { actor: "cli", operation: "host-groups remove" },
    { actor: "cli", operation: "host-groups add" },
  ]);
});

test.each([
  [["nowhere", "beta"], 'there is no host group "nowhere"'],
  [["By id", "gamma"], 'there is no host with the id or name "gamma"'],
  [["By id", "TWIN"], `2 hosts are named "TWIN"; use an id: ${"3".repeat(32)}, ${"4".repeat(32)}`],
  [["All", "beta"], "All is a dynamic group; its rule selects the hosts"],
])("rejects %j", async (words, reason) => {
  const { exitCode, stderr } = await secplat(["host-groups", "add", ...words]);
  expect([exitCode, stderr]).toEqual([exitCodes.failure, `secplat: ${reason}\n`]);
  expect(await counts()).toEqual({ All: 4, "By id": 1, "By name": 1 });
});
