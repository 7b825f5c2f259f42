import { expect, test } from "vitest";
import { exitCodes } from "../../terminal/exit-codes.ts";
import { commandLine } from "../../testing/command-line.ts";

interface Tenant {
  readonly cid: string;
  readonly name: string;
  readonly parent_cid: string | null;
}

test("creates tenants, with parents by cid or by name, and lists them", async () => {
  const secplat = commandLine();
  const acme = await secplat.json<Tenant>(["tenants", "create", "Acme Corp"]);
  const berlin = await secplat.json<Tenant>([
    "tenants",
    "create",
    "Berlin",
    "--parent",
    "Acme Corp",
  ]);
  const paris = await secplat.json<Tenant>(["tenants", "create", "Paris", "--parent", acme.cid]);
  expect(acme).toMatchObject({ cid: expect.stringMatching(/^[0-9a-f]{32}$/), parent_cid: null });
  expect([berlin.parent_cid, paris.parent_cid]).toEqual([acme.cid, acme.cid]);
  const listed = await secplat.json<readonly Tenant[]>(["tenants", "list"]);
  expect(listed.map(({ name }) => name).toSorted()).toEqual(["Acme Corp", "Berlin", "Paris"]);
});

test("prints the created tenant", async () => {
  const secplat = commandLine();
  const created = await secplat(["tenants", "create", "Acme Corp"]);
  expect(created.stdout).toMatch(/^cid {5}[0-9a-f]{32}\nname {4}Acme Corp\nparent {2}-\n$/);
  const listed = await secplat(["tenants", "list"]);
  expect(listed.stdout).toMatch(/^CID {31}NAME .*\n[0-9a-f]{32} {2}Acme Corp {2}- /);
});

test("suggests the nearest tenant for an unknown parent", async () => {
  const secplat = commandLine();
  const { cid } = await secplat.json<Tenant>(["tenants", "create", "Acme Corp"]);
  const byName = await secplat(["tenants", "create", "Berlin", "--parent", "Acme Crop"]);
  expect(byName.exitCode).toBe(exitCodes.failure);
  expect(byName.stderr).toBe(
    `secplat: --parent: no tenant has the cid or name "Acme Crop"; the nearest is "Acme Corp" (${cid})\n`,
  );
  const typed = `${cid.slice(0, -1)}${cid.endsWith("0") ? "1" : "0"}`;
  const byCid = await secplat(["tenants", "create", "Berlin", "--parent", typed]);
  expect(byCid.stderr).toContain(`the nearest is "Acme Corp" (${cid})`);
  expect(await secplat.json(["tenants", "list"])).toHaveLength(1);
});

test("does not create a second tenant with the same name and parent", async () => {
  const secplat = commandLine();
  const { cid } = await secplat.json<Tenant>(["tenants", "create", "Sales"]);
  const twin = await secplat(["tenants", "create", "Sales"]);
  expect(twin.exitCode).toBe(exitCodes.failure);
  expect(twin.stderr).toBe(
    `secplat: a tenant "Sales" already exists: ${cid}; choose another name\n`,
  );
  const nested = await secplat(["tenants", "create", "Sales", "--parent", "Sales"]);
  expect(nested.exitCode).toBe(exitCodes.success);
  const unclear = await secplat(["clients", "create", "a", "--tenant", "Sales"]);
  expect(unclear.stderr).toContain('2 tenants are named "Sales"; use a cid: ');
  expect(unclear.stderr).toContain(cid);
});

test("does not create a database for reading", async () => {
  const secplat = commandLine();
  const { exitCode, stderr } = await secplat(["tenants", "list"]);
  expect(exitCode).toBe(exitCodes.failure);
  expect(stderr).toContain(`there is no database at ${secplat.folder}/.data/platform.sqlite`);
});

test("records its changes in the audit trail", async () => {
  const secplat = commandLine();
  const { cid } = await secplat.json<Tenant>(["tenants", "create", "Acme Corp"]);
  expect(await secplat.json(["audit"])).toMatchObject([
    { number: 1, cid, actor: "cli", operation: "tenants create", ids: [cid] },
  ]);
});

test("shows, sets and removes the e-mail domains of new users", async () => {
  const secplat = commandLine();
  const { cid } = await secplat.json<Tenant>(["tenants", "create", "Acme Corp"]);
  const domains = (...rest: readonly string[]) =>
    secplat.json(["tenants", "domains", "Acme Corp", ...rest]);
  expect(await domains()).toEqual({ cid, domains: null });
  const set = { cid, domains: ["acme.example", "acme.org"] };
  expect(await domains("Acme.example", "acme.org")).toEqual(set);
  expect(await domains()).toEqual(set);
  const output = await secplat(["tenants", "domains", cid]);
  expect(output.stdout).toMatch(/^cid {6}[0-9a-f]{32}\ndomains {2}acme\.example acme\.org\n$/);
  const both = await secplat(["tenants", "domains", cid, "acme.example", "--any"]);
  expect(both.exitCode).toBe(exitCodes.failure);
  const wrong = await secplat(["tenants", "domains", cid, "@acme.example"]);
  expect(wrong.stderr).toContain("A domain is the part after the @");
  expect(await domains()).toEqual(set);
  expect(await domains("--any")).toEqual({ cid, domains: null });
  expect((await secplat(["audit", "--tenant", cid])).stdout).toContain("tenants domains");
});
