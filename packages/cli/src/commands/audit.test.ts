import { expect, test } from "vitest";
import { commandLine } from "../testing/command-line.ts";

test("shows the newest entries first, page by page", async () => {
  const secplat = commandLine();
  await secplat(["tenants", "create", "Acme Corp"]);
  await secplat(["clients", "create", "a"]);
  await secplat(["clients", "create", "b"]);
  interface Entry {
    readonly number: number;
    readonly operation: string;
  }
  const [newest, ...rest] = await secplat.json<readonly Entry[]>(["audit"]);
  expect(newest).toMatchObject({ number: 3, operation: "clients create" });
  expect(rest.map(({ number }) => number)).toEqual([2, 1]);
  const page = await secplat.json(["audit", "--limit", "1", "--before", "3"]);
  expect(page).toEqual([rest[0]]);
  const { stdout } = await secplat(["audit", "--limit", "1"]);
  expect(stdout).toMatch(
    /^NUMBER {2}AT .* ACTOR {2}CLIENT ID .*\n3 {7}\d{4}-\d\d-\d\dT\S+ {2}cli {4,}\S* +clients create /,
  );
});

test("shows the API client of a change beside the user that it acts as", async () => {
  const secplat = commandLine();
  await secplat(["tenants", "create", "Acme Corp"]);
  const entries = await secplat.json<readonly object[]>(["audit"]);
  expect(entries).toMatchObject([{ actor: "cli", client_id: null }]);
});

test("shows one tenant only", async () => {
  const secplat = commandLine();
  await secplat(["tenants", "create", "Acme Corp"]);
  await secplat(["tenants", "create", "Other"]);
  expect((await secplat(["audit"])).stderr).toContain(
    "there are 2 tenants; choose one with --tenant",
  );
  const entries = await secplat.json(["audit", "--tenant", "Other"]);
  expect(entries).toMatchObject([{ operation: "tenants create" }]);
});
