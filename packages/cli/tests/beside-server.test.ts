/** @module-tag exhaustive */
import { afterAll, beforeAll, expect, test } from "vitest";
import { demoFolder } from "../src/testing/prepared-folder.ts";
import { temporaryFolder } from "../src/testing/temporary-folder.ts";
import { secplat } from "./support/process.ts";
import {
  creation,
  indicatorsPath,
  existingValues,
  serve,
  signIn,
  type Server,
} from "./support/server.ts";

const nightly = { tags: ["nightly"] };

interface Client {
  readonly client_id: string;
  readonly client_secret: string;
}

/** A server with its demo, shared by the tests, as a start takes long. */
let server: Server;
let folder: string;

const cleanUps: (() => Promise<void> | void)[] = [];
const finish = (cleanUp: () => Promise<void> | void): void => void cleanUps.push(cleanUp);

beforeAll(async () => {
  ({ folder } = await demoFolder(temporaryFolder(finish)));
  server = await serve(["--rate-limit", "0", "--token-rate-limit", "0"], { folder, finish });
});

afterAll(async () => {
  for (const cleanUp of cleanUps.toReversed()) await cleanUp();
});

/** Runs a command in another process on the same SQLite file. */
async function command<Value>(words: readonly string[], input = ""): Promise<Value> {
  const { exitCode, stdout, stderr } = await secplat([...words, "--json"], { folder, input });
  expect([exitCode, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout) as Value;
}

const total = async (): Promise<number> => {
  const response = await server.request("/iocs/combined/indicator/v1?limit=1&offset=0");
  return Number(response.headers.get("x-total-count"));
};

const lines = (values: readonly string[]): string => {
  const { body } = creation(values);
  const { indicators } = JSON.parse(String(body)) as { indicators: readonly object[] };
  return indicators.map((indicator) => `${JSON.stringify(indicator)}\n`).join("");
};

test("a running server applies new, rotated and deleted clients at once", async () => {
  const created = await command<Client>(["clients", "create", "reporting"]);
  const granted = await signIn(server, created);
  expect(granted.status).toBe(201);
  const { access_token: token } = (await granted.json()) as { access_token: string };
  const rotated = await command<Client>(["clients", "rotate", "reporting", "--grace", "0"]);
  expect((await signIn(server, created)).status).toBe(401);
  expect((await signIn(server, rotated)).status).toBe(201);
  expect((await server.request("/iocs/combined/indicator/v1", { token })).status).toBe(200);
  await command(["clients", "delete", "reporting"]);
  expect((await signIn(server, rotated)).status).toBe(401);
  expect((await server.request("/iocs/combined/indicator/v1", { token })).status).toBe(401);
});

test("a running server applies a new tenant at once, and isolates it", nightly, async () => {
  const child = await command<{ cid: string }>(["tenants", "create", "New"]);
  const client = await command<Client>(["clients", "create", "new", "--tenant", child.cid]);
  const granted = await signIn(server, client);
  const { access_token: token } = (await granted.json()) as { access_token: string };
  const before = await total();
  const created = await server.request(indicatorsPath, { ...creation(["new.example"]), token });
  expect(created.status).toBe(201);
  expect(await existingValues(server, ["new.example"], token)).toEqual(["new.example"]);
  expect(await existingValues(server, ["new.example"])).toEqual([]);
  expect(await total()).toBe(before);
});

test("imports appear in a running server's responses and totals at once", async () => {
  const before = await total();
  const values = Array.from({ length: 25 }, (_, index) => `imported${index}.example`);
  const outcome = await command(["import", "indicators", "-"], lines(values));
  expect(outcome).toMatchObject({ imported: 25, unchanged: 0, rejected: 0 });
  expect(await total()).toBe(before + 25);
  expect(await existingValues(server, values)).toEqual(values.toSorted());
});

test("concurrent imports and creations lose nothing", async () => {
  const imported = Array.from({ length: 3 }, (_, file) =>
    Array.from({ length: 400 }, (__, index) => `import${file}-${index}.example`),
  );
  const created = Array.from({ length: 200 }, (_, index) => `create${index}.example`);
  const create = async (values: readonly string[]): Promise<void> => {
    for (const value of values) {
      const response = await server.request(indicatorsPath, creation([value]));
      expect(response.status).toBe(201);
    }
  };
  await Promise.all([
    ...imported.map((values) => command(["import", "indicators", "-"], lines(values))),
    create(created.slice(0, 100)),
    create(created.slice(100)),
  ]);
  const all = [...imported.flat(), ...created];
  expect(await existingValues(server, all)).toEqual(all.toSorted());
});

test("the audit command shows what the server did", nightly, async () => {
  const { body, ...init } = creation(["audited.example"]);
  const commented = { ...(JSON.parse(String(body)) as object), comment: "as asked in ticket 7" };
  await server.request(indicatorsPath, { ...init, body: JSON.stringify(commented) });
  expect(await command(["audit", "--limit", "1"])).toMatchObject([
    {
      actor: server.greeting.client_id,
      operation: "indicator.create.v1",
      comment: "as asked in ticket 7",
    },
  ]);
});
