import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import {
  createClient,
  createTenant,
  importRecords,
  newIdentifier,
  openStoreAt,
  resources,
  systemClock,
  type ImportKind,
  type Store,
} from "@security-platform/server/internal";
import { printed, startOn, stop } from "./measure.ts";

const program = fileURLToPath(new URL("../../packages/cli/dist/bin.js", import.meta.url));

export interface Platform {
  readonly pid: number;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly cid: string;
  stop(): Promise<void>;
}

export interface Filled {
  readonly databaseUrl: string;
  readonly cid: string;
  readonly credentials: { readonly id: string; readonly secret: string };
}

/** A database with one tenant and one client, and functions to fill it. */
export interface OpenTenant extends Filled {
  readonly store: Store;
  /** Imports new records, all of which must be accepted. */
  load(kind: ImportKind, records: Iterable<object>): Promise<void>;
}

export async function openTenant(
  databaseUrl: string,
  scopes: readonly string[],
): Promise<OpenTenant> {
  const store = await openStoreAt({ url: databaseUrl, clock: systemClock, resources });
  const cid = newIdentifier();
  const created_at = systemClock.now().toISOString();
  await createTenant(store, systemClock, { cid, name: "bench", parent_cid: null, created_at });
  const client = await createClient(store.directory, systemClock, { cid, name: "bench", scopes });
  return {
    store,
    databaseUrl,
    cid,
    credentials: { id: client.client_id, secret: client.client_secret },
    load: async (kind, records) => {
      const clock = systemClock;
      const outcome = await importRecords(store, {
        cid,
        kind,
        update: false,
        clock,
        lines: texts(records),
      });
      const [problem] = outcome.problems;
      if (problem !== undefined) throw new Error(`${kind}, ${problem.line}: ${problem.message}`);
    },
  };
}

/** A database with one tenant, one client and `count` indicators of about 700 bytes. */
export async function fill(databaseUrl: string, count: number): Promise<Filled> {
  const scopes = ["ioc-management:read", "ioc-management:write"];
  const { store, load, ...filled } = await openTenant(databaseUrl, scopes);
  if (count > 0) await load("indicators", indicators(count));
  await store.close();
  return filled;
}

function* indicators(count: number): Iterable<object> {
  for (let number = 0; number < count; number += 1) yield indicator(number);
}

function* texts(records: Iterable<object>): Iterable<string> {
  for (const record of records) yield JSON.stringify(record);
}

const severities = ["informational", "low", "medium", "high", "critical"] as const;

/**
 * Varied enough that every condition of the bench's filter matches some, and each further condition
 * fewer.
 */
export function indicator(number: number, prefix = "host"): object {
  const hash = createHash("sha256").update(`${prefix} ${number}`).digest("hex");
  return {
    type: number % 2 === 0 ? "domain" : "sha256",
    value: number % 2 === 0 ? `${prefix}-${number}.bench.example` : hash,
    action: "detect",
    severity: severities[number % 5],
    platforms: ["windows", "linux"],
    source: `feed-${number % 20}`,
    description: `Seen by feed ${number % 20}, campaign ${number % 97}. ${"x".repeat(140)}`,
    tags: [`campaign-${number % 97}`, "bench"],
    applied_globally: true,
  };
}

export interface StartOptions {
  /** More options of `secplat serve`. */
  readonly words?: readonly string[];
  /** Options of Node.js. */
  readonly flags?: readonly string[];
  /** Null: any. Default: the first. */
  readonly processor?: 0 | null;
}

/** Starts the server and requests a token. */
export async function start(
  filled: Filled,
  { words = [], flags = [], processor = 0 }: StartOptions = {},
): Promise<Platform> {
  const child = startOn(processor, [
    ...flags,
    program,
    "serve",
    `--database=${filled.databaseUrl}`,
    "--port=0",
    "--no-demo",
    "--no-docs",
    "--rate-limit=0",
    "--token-rate-limit=0",
    ...words,
  ]);
  const url = (await printed(child, /base URL +(\S+)/))[1] ?? "";
  const response = await fetch(`${url}/oauth2/token`, {
    method: "POST",
    body: new URLSearchParams({
      client_id: filled.credentials.id,
      client_secret: filled.credentials.secret,
    }),
  });
  const { access_token } = (await response.json()) as { access_token: string };
  return {
    pid: child.pid ?? 0,
    url,
    cid: filled.cid,
    headers: { authorization: `Bearer ${access_token}` },
    stop: () => stop(child),
  };
}
