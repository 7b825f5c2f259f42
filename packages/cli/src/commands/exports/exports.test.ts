import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ExportJob } from "@security-platform/client/container";
import {
  createClient,
  createLogger,
  createTenant,
  defaultLimits,
  defaultOutgoing,
  FixedKeys,
  importRecords,
  newIdentifier,
  openStoreAt,
  resources,
  startServer,
  systemClock,
} from "@security-platform/server/internal";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { exitCodes } from "../../terminal/exit-codes.ts";
import { commandLine, type CommandLine } from "../../testing/command-line.ts";

const resource = "policies.image-prevention";
const policies = Array.from({ length: 3 }, (_, number) => ({
  uuid: `00000000-0000-4000-8000-00000000000${number}`,
  name: `Policy ${number}`,
  precedence: 3 - number,
}));

let connection: readonly string[];
let environment: Readonly<Record<string, string>>;
let secplat: CommandLine;
const cleanUps: (() => Promise<void>)[] = [];

/** A server with background work, and a tenant with three policies for images. */
beforeAll(async () => {
  const databaseUrl = "sqlite::memory:";
  const clock = systemClock;
  const store = await openStoreAt({ url: databaseUrl, clock, resources, keys: new FixedKeys() });
  const server = await startServer({
    store,
    logger: createLogger("silent"),
    config: {
      host: "127.0.0.1",
      port: 0,
      databaseUrl,
      compat: false,
      docsFolder: null,
      development: false,
      backgroundWork: true,
      mail: null,
      outgoing: defaultOutgoing,
      limits: { ...defaultLimits, overloadMilliseconds: 0 },
    },
  });
  cleanUps.push(
    () => server.close(),
    () => store.close(),
  );
  const cid = newIdentifier();
  const created_at = clock.now().toISOString();
  await createTenant(store, clock, { cid, name: "Acme", parent_cid: null, created_at });
  const lines = policies.map((policy) => JSON.stringify(policy));
  await importRecords(store, { cid, kind: "image-policies", clock, lines, update: false });
  const scopes = ["container-image:read"];
  const client = await createClient(store.directory, clock, { cid, name: "ci", scopes });
  connection = ["--url", server.url, "--client-id", client.client_id];
  environment = { SECPLAT_CLIENT_SECRET: client.client_secret };
});
beforeEach(() => {
  secplat = commandLine({ environment });
});
afterAll(async () => {
  for (const cleanUp of cleanUps) await cleanUp();
});

const read = (name: string): string => readFileSync(join(secplat.folder, name), "utf8");

test("creates an export, waits for it, and saves its file", async () => {
  const words = [
    "exports",
    "create",
    resource,
    "--filter",
    "precedence:<3",
    "--sort",
    "precedence",
  ];
  const { exitCode, stdout, stderr } = await secplat([
    ...words,
    "--output",
    "policies.csv",
    ...connection,
  ]);
  expect(exitCode, stderr).toBe(exitCodes.success);
  expect(stdout).toBe(`${read("policies.csv").length} bytes saved to policies.csv\n`);
  const names = read("policies.csv")
    .split("\r\n")
    .map((line) => line.split(",")[1]);
  expect(names).toEqual(["name", "Policy 2", "Policy 1", undefined]);
  expect(readdirSync(secplat.folder).filter((name) => name.endsWith(".part"))).toEqual([]);
});

test("lists exports, and downloads one later", { tags: ["exhaustive"] }, async () => {
  const { id } = await secplat.json<{ id: string }>([
    "exports",
    "create",
    resource,
    "--format",
    "json",
    ...connection,
  ]);
  const saved = await secplat([
    "exports",
    "download",
    id,
    "--wait",
    "--output",
    "policies.json",
    ...connection,
  ]);
  expect(saved.exitCode, saved.stderr).toBe(exitCodes.success);
  expect(JSON.parse(read("policies.json"))).toHaveLength(policies.length);
  // The command of the operation saves the same bytes, and writes them to a pipe.
  const operation = ["container", "download-export", "--id", id, ...connection];
  const whole = await secplat([...operation, "--save", "whole.json"]);
  expect(whole).toEqual({
    exitCode: exitCodes.success,
    stdout: "",
    stderr: `${read("policies.json").length} bytes saved to whole.json\n`,
  });
  expect(read("whole.json")).toBe(read("policies.json"));
  expect((await secplat(operation)).stdout).toBe(read("policies.json"));
  const filter = "status:'DONE'";
  const [newest] = await secplat.json<readonly ExportJob[]>([
    "exports",
    "list",
    "--filter",
    filter,
    ...connection,
  ]);
  expect(newest).toMatchObject({ id, resource, status: "DONE" });
  const { stdout } = await secplat(["exports", "list", ...connection]);
  expect(stdout).toMatch(/^ID +RESOURCE +STATUS +RETRIES +CREATED AT +UPDATED AT\n/);
});

test("the command of an operation waits for the work that it starts", async () => {
  const words = ["container", "create-export", "--resource", resource, "--format", "csv"];
  const [created] = await secplat.json<readonly ExportJob[]>([...words, "--wait", ...connection]);
  expect(created).toMatchObject({ resource, status: "DONE" });
  const again = ["container", "get-exports", "--ids", created?.id ?? "", "--wait", "30"];
  expect(await secplat.json([...again, ...connection])).toEqual([created]);
  const dry = await secplat([...words, "--wait", "--dry-run", ...connection]);
  expect(dry.stdout).toContain("# and requests of ReadExportJobs until the status is DONE\n");
});

test("saves an empty file", { tags: ["exhaustive"] }, async () => {
  const output = ["--output", "empty.csv"];
  const { stdout, stderr } = await secplat([
    "exports",
    "create",
    "assets.pods",
    ...output,
    ...connection,
  ]);
  expect(stdout, stderr).toBe("0 bytes saved to empty.csv\n");
  expect(read("empty.csv")).toBe("");
});

test("reports errors by name", async () => {
  const wrong = await secplat(["exports", "create", "images.package", ...connection]);
  expect(wrong.exitCode).toBe(exitCodes.failure);
  expect(wrong.stderr).toContain("body.resource");
  expect(wrong.stderr).toContain("images.packages");
  const unknown = "0d9f6b0c-1111-4222-8333-444455556666";
  const missing = await secplat([
    "exports",
    "download",
    unknown,
    "--output",
    "none.csv",
    ...connection,
  ]);
  expect(missing.exitCode).toBe(exitCodes.failure);
  expect(missing.stderr).toContain(`export job ${unknown} not found`);
  expect(readdirSync(secplat.folder)).not.toContain("none.csv.part");
  const words = ["container", "download-export", "--id", unknown, "--save", "none.csv"];
  const absent = await secplat([...words, ...connection]);
  expect(absent).toMatchObject({ exitCode: exitCodes.failure, stdout: "" });
  expect(absent.stderr).toContain(`export job ${unknown} not found`);
  expect(readdirSync(secplat.folder)).toEqual([]);
  const nobody = commandLine();
  const refused = await nobody(["exports", "list"]);
  expect(refused.exitCode).toBe(exitCodes.usage);
  expect(refused.stderr).toContain("set SECPLAT_CLIENT_ID and SECPLAT_CLIENT_SECRET");
});
