import { beforeEach, expect, test } from "vitest";
import {
  grantToken,
  openStoreAt,
  resources,
  systemClock,
} from "@security-platform/server/internal";
import { readCredentials, writeCredentials } from "../../demo/credentials.ts";
import { allScopes } from "../../scopes.ts";
import { exitCodes } from "../../terminal/exit-codes.ts";
import { commandLine, type CommandLine } from "../../testing/command-line.ts";

interface Client {
  readonly client_id: string;
  readonly client_secret: string;
  readonly cid: string;
  readonly name: string;
  readonly scopes: readonly string[];
}

let secplat: CommandLine;
let cid: string;
beforeEach(async () => {
  secplat = commandLine();
  ({ cid } = await secplat.json<{ cid: string }>(["tenants", "create", "Acme Corp"]));
});

/** Whether the server grants a token for these credentials. */
async function signsIn(clientId: string, secret: string): Promise<boolean> {
  const url = `sqlite:${secplat.folder}/.data/platform.sqlite`;
  const store = await openStoreAt({ url, clock: systemClock, resources });
  try {
    await grantToken(store, systemClock, 60, { clientId, secret });
    return true;
  } catch {
    return false;
  } finally {
    await store.close();
  }
}

test("creates a client with all scopes, or with the requested ones", async () => {
  const all = await secplat.json<Client>(["clients", "create", "all"]);
  expect(all.cid).toBe(cid);
  expect(all.client_id).toMatch(/^[0-9a-f]{32}$/);
  expect(all.client_secret).toHaveLength(40);
  expect(all.scopes).toEqual(allScopes());
  expect(all.scopes).toEqual(expect.arrayContaining(["ioc-management:read", "cases:write"]));
  expect(await signsIn(all.client_id, all.client_secret)).toBe(true);
  const scope = ["--scope", "ioc-management:read", "--scope", "ioc-management:read"];
  const reader = await secplat.json<Client>(["clients", "create", "reader", ...scope]);
  expect(reader.scopes).toEqual(["ioc-management:read"]);
});

test("prints the secret once", async () => {
  const { stdout } = await secplat(["clients", "create", "reporting"]);
  const secret = /^client secret {2}(?<secret>\S{40})$/m.exec(stdout)?.groups?.["secret"];
  expect(stdout).toContain(`tenant         ${cid} Acme Corp\n`);
  expect(stdout).toContain("cannot be shown again");
  const listed = await secplat(["clients", "list"]);
  expect(listed.stdout).toContain("reporting");
  expect(listed.stdout).not.toContain(secret);
  expect((await secplat(["clients", "list", "--json"])).stdout).not.toContain(secret);
});

test("lists the clients of all tenants, or of one tenant", async () => {
  await secplat.json(["tenants", "create", "Other"]);
  await secplat.json(["clients", "create", "a", "--tenant", "Acme Corp"]);
  await secplat.json(["clients", "create", "b", "--tenant", "Other"]);
  expect(await secplat.json(["clients", "list"])).toHaveLength(2);
  const own = await secplat.json<readonly Client[]>(["clients", "list", "--tenant", cid]);
  expect(own.map(({ name }) => name)).toEqual(["a"]);
});

test("deletes and rotates a client by its name within a tenant", async () => {
  const other = await secplat.json<{ cid: string }>(["tenants", "create", "Other"]);
  await secplat.json(["clients", "create", "same", "--tenant", cid]);
  await secplat.json(["clients", "create", "same", "--tenant", other.cid]);
  const unclear = await secplat(["clients", "delete", "same"]);
  expect(unclear.stderr).toContain("2 clients are named");
  await secplat.json(["clients", "rotate", "same", "--tenant", "Other"]);
  const deleted = await secplat.json<Client>(["clients", "delete", "same", "--tenant", "Other"]);
  expect(deleted.cid).toBe(other.cid);
  const left = await secplat.json<readonly Client[]>(["clients", "list"]);
  expect(left.map((client) => client.cid)).toEqual([cid]);
  const gone = await secplat(["clients", "delete", "same", "--tenant", "Other"]);
  expect(gone.stderr).toContain(`no client of the tenant ${other.cid} has the id or name "same"`);
});

test("requires a tenant if there are several, except for the demo's", async () => {
  const other = await secplat.json<{ cid: string }>(["tenants", "create", "Other"]);
  const unclear = await secplat(["clients", "create", "a"]);
  expect(unclear.exitCode).toBe(exitCodes.failure);
  expect(unclear.stderr).toContain("there are 2 tenants; choose one with --tenant");
  writeCredentials(`${secplat.folder}/.data`, {
    client_id: "a",
    client_secret: "b",
    cid: other.cid,
  });
  expect((await secplat.json<Client>(["clients", "create", "a"])).cid).toBe(other.cid);
});

test("rotates a secret; the old one remains valid for the grace period", async () => {
  const created = await secplat.json<Client>(["clients", "create", "reporting"]);
  const rotated = await secplat.json<Client>(["clients", "rotate", "reporting"]);
  expect(rotated).toEqual({
    client_id: created.client_id,
    client_secret: expect.stringMatching(/^\S{40}$/),
    old_secret_seconds: 86_400,
  });
  expect(await signsIn(created.client_id, created.client_secret)).toBe(true);
  const last = await secplat.json<Client>(["clients", "rotate", created.client_id, "--grace", "0"]);
  expect(await signsIn(created.client_id, rotated.client_secret)).toBe(false);
  expect(await signsIn(created.client_id, last.client_secret)).toBe(true);
});

test("deletes a client", async () => {
  const { client_id, client_secret } = await secplat.json<Client>(["clients", "create", "old"]);
  expect(await secplat.json(["clients", "delete", "old"])).toEqual({
    client_id,
    name: "old",
    cid,
    deleted: true,
  });
  expect(await signsIn(client_id, client_secret)).toBe(false);
  expect(await secplat.json(["clients", "list"])).toEqual([]);
});

test("keeps the demo's credentials file up to date", async () => {
  const folder = `${secplat.folder}/.data`;
  const { client_id, client_secret } = await secplat.json<Client>(["clients", "create", "demo"]);
  writeCredentials(folder, { client_id, client_secret, cid });
  const rotated = await secplat.json<Client>(["clients", "rotate", "demo"]);
  expect(readCredentials(folder)).toEqual({
    client_id,
    client_secret: rotated.client_secret,
    cid,
  });
  await secplat.json(["clients", "delete", "demo"]);
  expect(readCredentials(folder)).toBeNull();
});

test.each([["rotate"], ["delete"]])("%s names the nearest client", async (verb) => {
  const none = await secplat(["clients", verb, "reporting"]);
  expect(none.stderr).toContain('"reporting"; there are none yet: secplat clients create <name>');
  const { client_id } = await secplat.json<Client>(["clients", "create", "reporting"]);
  const typed = await secplat(["clients", verb, "reportign"]);
  expect(typed.exitCode).toBe(exitCodes.failure);
  expect(typed.stderr).toBe(
    `secplat: no client has the id or name "reportign"; the nearest is "reporting" (${client_id})\n`,
  );
  await secplat.json(["clients", "create", "reporting"]);
  const unclear = await secplat(["clients", verb, "reporting"]);
  expect(unclear.stderr).toContain('2 clients are named "reporting"; use an id: ');
});

test("records its changes in the audit trail", async () => {
  const { client_id } = await secplat.json<Client>(["clients", "create", "a"]);
  await secplat.json(["clients", "rotate", "a"]);
  await secplat.json(["clients", "delete", "a"]);
  const trail = await secplat.json<readonly { operation: string; ids: readonly string[] }[]>([
    "audit",
    "--limit",
    "3",
  ]);
  expect(trail.map(({ operation, ids }) => [operation, ids])).toEqual([
    ["clients delete", [client_id]],
    ["clients rotate", [client_id]],
    ["clients create", [client_id]],
  ]);
});
