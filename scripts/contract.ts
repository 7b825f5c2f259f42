// `npm run contract`: runs all contract tests against the demo server. Additional options are
// passed to the tests; `--compat` also to the server. SECPLAT_DATABASE chooses the database; by
// default it is SQLite in a temporary folder.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { groupsOfTenants } from "./contract-groups.ts";

const bin = (name: string): string =>
  fileURLToPath(new URL(`../packages/${name}/dist/bin.js`, import.meta.url));

const isForExistingClients = process.argv.includes("--compat");
const folder = mkdtempSync(join(tmpdir(), "contract-"));
const rtrRoot = join(folder, "hosts");
mkdirSync(rtrRoot);
const limits = ["rate-limit", "token-rate-limit", "failure-limit", "overload-delay"];
const server = spawn(
  process.execPath,
  [
    bin("cli"),
    "serve",
    "--json",
    "--dev",
    "--no-docs",
    ...(isForExistingClients ? ["--compat"] : []),
    "--port=0",
    `--data=${folder}`,
    `--rtr-root=${rtrRoot}`,
    "--log-level=silent",
    ...limits.flatMap((limit) => [`--${limit}`, "0"]),
  ],
  { stdio: ["ignore", "pipe", "inherit"] },
);

interface Client {
  readonly client_id: string;
  readonly client_secret: string;
}

/** Runs a command on the server's database. Returns what it prints. */
function secplat(...words: readonly string[]): string {
  const done = spawnSync(process.execPath, [bin("cli"), ...words, "--data", folder, "--json"], {
    encoding: "utf8",
  });
  if (done.status !== 0) throw new Error(done.stderr);
  return done.stdout;
}

/** A client of a tenant that is unrelated to the demo's. */
function otherClient(): Client {
  const { cid } = JSON.parse(secplat("tenants", "create", "Other")) as { readonly cid: string };
  return JSON.parse(secplat("clients", "create", "other", "--tenant", cid)) as Client;
}

/** A list, with or without an Envelope. */
async function listAt<Item>(url: string, token: string): Promise<readonly Item[]> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  const body = (await response.json()) as readonly Item[] | { readonly resources: Item[] };
  return "resources" in body ? body.resources : body;
}

/** The demo world has one administrator; no operation finds users by role. */
async function administrators(url: string, token: string, cid: string) {
  const users = await listAt<string>(`${url}/user-management/queries/users/v1?limit=500`, token);
  const holders: string[] = [];
  for (const uuid of users) {
    const path = `/user-roles/queries/user-role-ids-by-user-uuid/v1?user_uuid=${uuid}`;
    const roles = await listAt<string>(url + path, token);
    if (roles.includes("falconhost_admin")) holders.push(uuid);
  }
  return holders.length === 1 ? holders.map((uuid) => ({ uuid, cid })) : [];
}

/** A file of one of the demo's hosts, and one that a session has fetched from it. */
async function filesOfHosts(url: string, token: string) {
  const path = "/policy/combined/prevention-members/v1?limit=1";
  const [host] = await listAt<{ readonly device_id: string }>(url + path, token);
  const aid = host?.device_id ?? "";
  const content = "contract";
  const sha256 = createHash("sha256").update(content).digest("hex");
  const fetched = join(rtrRoot, "sessions", "contract", aid, sha256);
  mkdirSync(fetched, { recursive: true });
  mkdirSync(join(rtrRoot, aid));
  writeFileSync(join(fetched, "fetched.txt"), content);
  writeFileSync(join(rtrRoot, aid, "contract.txt"), content);
  return {
    "host-files": [{ aid, file_path: "/contract.txt" }],
    "fetched-files": [{ session_id: "contract", sha256 }],
  };
}

/** A token from yesterday. */
async function expiredToken(url: string, { client_id, client_secret }: Client): Promise<string> {
  const day = 86_400_000;
  const setClock = (now: number) =>
    fetch(`${url}/_control/clock`, {
      method: "PATCH",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ now: new Date(now).toISOString(), frozen: false }),
    });
  await setClock(Date.now() - day);
  const body = new URLSearchParams({ client_id, client_secret });
  const response = await fetch(`${url}/oauth2/token`, { method: "POST", body });
  await setClock(Date.now());
  return ((await response.json()) as { readonly access_token: string }).access_token;
}

async function run(): Promise<number> {
  const [line] = (await once(createInterface(server.stdout), "line")) as [string];
  const greeting = JSON.parse(line) as Client & {
    readonly url: string;
    readonly cid: string;
    readonly access_token: string;
  };
  const other = otherClient();
  const { url, cid, access_token } = greeting;
  const recordsFile = join(folder, "known-records.json");
  const records = {
    administrators: await administrators(url, access_token, cid),
    ...(await filesOfHosts(url, access_token)),
    ...(await groupsOfTenants({ url, token: access_token, cid, folder, secplat })),
  };
  writeFileSync(recordsFile, JSON.stringify(records));
  const tests = spawn(
    process.execPath,
    [
      bin("contract-tests"),
      `--base-url=${url}`,
      `--faults=${url}`,
      `--known-records=${recordsFile}`,
      "--allow-writes",
      "--companion",
      ...process.argv.slice(2),
    ],
    {
      stdio: "inherit",
      env: {
        ...process.env,
        CONTRACT_TESTS_CLIENT_ID: greeting.client_id,
        CONTRACT_TESTS_CLIENT_SECRET: greeting.client_secret,
        CONTRACT_TESTS_EXPIRED_TOKEN: await expiredToken(url, greeting),
        CONTRACT_TESTS_OTHER_CLIENT_ID: other.client_id,
        CONTRACT_TESTS_OTHER_CLIENT_SECRET: other.client_secret,
      },
    },
  );
  // The tests end by themselves on Ctrl-C, after they removed what they created.
  process.on("SIGINT", () => {});
  const [code] = (await once(tests, "exit")) as [number | null];
  return code ?? 2;
}

try {
  process.exitCode = await run();
} finally {
  server.kill();
  rmSync(folder, { recursive: true, force: true });
}
