import { beforeEach, expect, test } from "vitest";
import { exitCodes } from "../../terminal/exit-codes.ts";
import { commandLine, type CommandLine } from "../../testing/command-line.ts";

let secplat: CommandLine;

beforeEach(async () => {
  secplat = commandLine();
  await secplat(["tenants", "create", "Acme Corp"]);
});

test("a tenant without access tags has none to list, and none to grant", async () => {
  expect(await secplat.json(["access-tags", "list"])).toEqual([]);
  const { exitCode, stderr } = await secplat(["access-tags", "grant", "LEGAL", "help_desk"]);
  expect([exitCode, stderr]).toEqual([
    exitCodes.failure,
    'secplat: there is no access tag "LEGAL"\n',
  ]);
});

test.each([
  ["nobody@acme.example", 'there is no user "nobody@acme.example"'],
  ["0".repeat(32), `the tenant has no API client ${"0".repeat(32)}`],
  ["No Role", '"No Role" is no user, API client or role'],
])("rejects the holder %s", async (holder, reason) => {
  const { exitCode, stderr } = await secplat(["access-tags", "grant", "LEGAL", holder]);
  expect([exitCode, stderr]).toEqual([exitCodes.failure, `secplat: ${reason}\n`]);
});
