import { beforeEach, expect, test } from "vitest";
import { exitCodes } from "../../terminal/exit-codes.ts";
import { commandLine, type CommandLine } from "../../testing/command-line.ts";
import { storeRecords } from "../../testing/stored-records.ts";

let secplat: CommandLine;
let cid: string;

beforeEach(async () => {
  secplat = commandLine();
  ({ cid } = await secplat.json<{ cid: string }>(["tenants", "create", "Acme Corp"]));
});

/** An access tag as created by a template. */
const tag = (key: string, id: string) => ({
  id: id.repeat(32),
  cid,
  key,
  templates: [],
  holders: [],
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
  ["No Role", '"No Role" is not a user, API client or role'],
])("rejects the holder %s", async (holder, reason) => {
  const { exitCode, stderr } = await secplat(["access-tags", "grant", "LEGAL", holder]);
  expect([exitCode, stderr]).toEqual([exitCodes.failure, `secplat: ${reason}\n`]);
});

test("grants an access tag and revokes it, by key or id, with an entry on the audit trail", async () => {
  await storeRecords(secplat.folder, { cid, resource: "access_tags" }, [
    tag("LEGAL", "a"),
    tag("Board", "b"),
  ]);
  const client = await secplat.json<{ client_id: string }>(["clients", "create", "reader"]);
  const held = async () =>
    Object.fromEntries(
      (await secplat.json<{ key: string; holders: string[] }[]>(["access-tags", "list"])).map(
        ({ key, holders }) => [key, holders],
      ),
    );
  expect(await held()).toEqual({ Board: [], LEGAL: [] });
  const granted = await secplat(["access-tags", "grant", "legal", "help_desk", client.client_id]);
  expect(granted).toMatchObject({ exitCode: 0, stdout: "LEGAL now has 2 holders\n" });
  expect(await held()).toEqual({ Board: [], LEGAL: ["help_desk", client.client_id] });
  await secplat(["access-tags", "grant", "LEGAL", "help_desk"]);
  expect((await held())["LEGAL"]?.toSorted()).toEqual(["help_desk", client.client_id].toSorted());
  const revoked = await secplat(["access-tags", "revoke", "a".repeat(32), "help_desk"]);
  expect(revoked.stdout).toBe("LEGAL now has 1 holder\n");
  const { stdout } = await secplat(["access-tags", "list"]);
  expect(stdout).toMatch(/^ID +KEY +HOLDERS\n/);
  expect(stdout).toContain(client.client_id);
  const unknown = await secplat(["access-tags", "revoke", "LEGL", "help_desk"]);
  expect([unknown.exitCode, unknown.stderr]).toEqual([
    exitCodes.failure,
    'secplat: there is no access tag "LEGL"; the nearest is "LEGAL"\n',
  ]);
  const trail = (await secplat(["audit", "--json"])).stdout;
  expect(trail).toContain("access-tags grant");
  expect(trail).toContain("access-tags revoke");
});
