import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createPlatform, openStoreAt, serve, type ServiceCredentials } from "../src/index.ts";

const origin = "http://platform.test";

type Send = (request: Request) => Promise<Response>;

async function token(send: Send, { clientId, clientSecret }: ServiceCredentials): Promise<string> {
  const body = new URLSearchParams({ client_id: clientId, client_secret: clientSecret });
  const response = await send(new Request(`${origin}/oauth2/token`, { method: "POST", body }));
  expect(response.status).toBe(201);
  return ((await response.json()) as { access_token: string }).access_token;
}

async function indicators(send: Send, credentials: ServiceCredentials): Promise<Response> {
  const headers = { authorization: `Bearer ${await token(send, credentials)}` };
  return send(new Request(`${origin}/iocs/combined/indicator/v1`, { headers }));
}

test("a server without options listens on this machine, in memory, with credentials for all scopes", async () => {
  await using server = await serve();
  expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  const overNetwork: Send = (request) =>
    fetch(new Request(request.url.replace(origin, server.url), request));
  const credentials = await server.newCredentials();
  const response = await indicators(overNetwork, credentials);
  expect([response.status, await response.json()]).toEqual([200, []]);
  expect((await indicators(server.fetch, credentials)).status).toBe(200);
});

test("credentials have the scopes and the tenant that were asked for", async () => {
  await using server = await serve();
  const first = await server.newCredentials({ name: "reader", scopes: ["ioc-management:read"] });
  const second = await server.newCredentials({
    scopes: ["case-management:read"],
    tenant: first.cid,
  });
  expect(second.cid).toBe(first.cid);
  expect((await indicators(server.fetch, first)).status).toBe(200);
  expect((await indicators(server.fetch, second)).status).toBe(403);
  await expect(server.newCredentials({ tenant: "nobody" })).rejects.toThrow(
    `tenant: there is no tenant with the cid "nobody"; expected one of: ${first.cid}`,
  );
});

test("a database in a file is kept, with its keys beside it", async () => {
  const folder = mkdtempSync(join(tmpdir(), "secplat-serve-"));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  const database = `sqlite:${join(folder, "platform.sqlite")}`;
  const first = await serve({ database });
  const credentials = await first.newCredentials();
  await first.close();
  expect(readFileSync(join(folder, "secrets.key"), "utf8")).not.toBe("");
  await using second = await serve({ database, compat: true });
  const body: unknown = await (await indicators(second.fetch, credentials)).json();
  expect(body).toMatchObject({ resources: [], errors: [] });
});

test("limits and other settings are those of the command", async () => {
  await using server = await serve({ limits: { requestsPerMinute: 1 } });
  const credentials = await server.newCredentials();
  expect((await indicators(server.fetch, credentials)).status).toBe(200);
  expect((await indicators(server.fetch, credentials)).status).toBe(429);
});

test("a database that cannot be opened is named in the error", async () => {
  await expect(serve({ database: "mysql://somewhere" })).rejects.toThrow("unknown database URL");
  await expect(serve({ database: "postgres://127.0.0.1/nowhere" })).rejects.toThrow(
    "the keys that encrypt secrets in the database are missing",
  );
});

test("a platform without a host needs a store and nothing else", async () => {
  const store = await openStoreAt({ url: "sqlite::memory:" });
  const platform = await createPlatform({ store });
  expect((await platform.fetch(new Request(`${origin}/readyz`))).status).toBe(200);
  await platform.stop();
  await store.close();
});

const packageFolder = resolve(import.meta.dirname, "..");
const readme = readFileSync(join(packageFolder, "README.md"), "utf8");
const samples = [...readme.matchAll(/^```ts\n(.*?)^```/gms)].map(([, text = ""]) => text);

test.each([
  ["the first", samples[0] ?? "", /^http:\/\/127\.0\.0\.1:\d+ \{[^}]*clientSecret: '/],
  ["the second", samples[1] ?? "", /^200\n$/],
])("%s sample of the README runs as printed", (_, text, printed) => {
  expect(samples).toHaveLength(2);
  // Inside the package, so that it finds itself by its name.
  const generated = join(packageFolder, "generated");
  mkdirSync(generated, { recursive: true });
  const folder = mkdtempSync(join(generated, "readme-"));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  const file = join(folder, "main.ts");
  writeFileSync(file, text);
  const words = ["--conditions=@security-platform/source", file];
  const options = { cwd: folder, encoding: "utf8", timeout: 60_000 } as const;
  expect(execFileSync(process.execPath, words, options)).toMatch(printed);
});
