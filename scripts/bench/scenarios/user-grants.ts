import { join } from "node:path";
import {
  createClient,
  createTenant,
  newIdentifier,
  openStoreAt,
  resources,
  systemClock,
} from "@security-platform/server/internal";
import type { Scenario, BenchRun } from "../scenario.ts";
import { median, type Result } from "../measure.ts";
import { start, type Filled, type Platform } from "../platform.ts";

/** Number of tenants over which a user's grants are spread, two in each. */
const tenantCount = 500;
const roleIds = ["falconhost_admin", "falconhost_analyst"];
const targetMilliseconds = 10;

export const userScenarios: readonly Scenario[] = [
  { name: "grants of a user", run: whatUserHolds },
];

/** Complete requests over HTTP, one after the other, for a user with many grants. */
async function whatUserHolds({ folder, scale, seconds }: BenchRun): Promise<readonly Result[]> {
  const { filled, cids } = await fillTenants(
    `sqlite:${join(folder, "users.sqlite")}`,
    Math.round(tenantCount * scale),
  );
  const platform = await start(filled);
  const uuid = await grantedUser(platform, cids);
  const cid = cids.at(-1) ?? filled.cid;
  const grants = await times(platform, seconds, {
    path: `/user-management/combined/user-roles/v2?user_uuid=${uuid}&cid=${cid}`,
  });
  const allowed = await times(platform, seconds, {
    path: "/user-management/entities/user-allowed-actions/v1",
    body: { allowed_actions: [{ action: "grant_role", cid, uuid }] },
  });
  const acting = await times(await actingAs(platform, filled, uuid), seconds, {
    path: "/user-management/queries/roles/v1",
  });
  await platform.stop();
  const figure = `${cids.length * roleIds.length} grants in ${cids.length} tenants`;
  return [
    result(`a page of a user's grants, milliseconds (${figure})`, grants),
    result(`what a user may do, milliseconds (${figure})`, allowed),
    result(`a request of a client that acts as the user, milliseconds (${figure})`, acting),
  ];
}

const result = (name: string, milliseconds: readonly number[]): Result => {
  const late = milliseconds.toSorted((left, right) => left - right);
  const high = late[Math.floor(late.length * 0.95)] ?? Number.NaN;
  return {
    name,
    figure: `median ${median(late).toFixed(2)} ms, 95 of 100 within ${high.toFixed(2)} ms`,
    ratio: high,
    target: targetMilliseconds,
    targetIs: "at most",
  };
};

async function fillTenants(
  databaseUrl: string,
  count: number,
): Promise<{ readonly filled: Filled; readonly cids: readonly string[] }> {
  const store = await openStoreAt({ url: databaseUrl, clock: systemClock, resources });
  const cids = Array.from({ length: count }, newIdentifier);
  const [root = ""] = cids;
  for (const cid of cids) {
    await createTenant(store, systemClock, {
      cid,
      name: `bench ${cid}`,
      parent_cid: cid === root ? null : root,
      created_at: systemClock.now().toISOString(),
    });
  }
  const client = await createClient(store.directory, systemClock, {
    cid: root,
    name: "bench",
    scopes: ["user-management:read", "user-management:write"],
  });
  await store.close();
  const credentials = { id: client.client_id, secret: client.client_secret };
  return { filled: { databaseUrl, cid: root, credentials }, cids };
}

async function grantedUser(platform: Platform, cids: readonly string[]): Promise<string> {
  const [user] = (await ask(platform, {
    path: "/user-management/entities/users/v1",
    body: { uid: "bench@bench.example", password: "Correct-horse-7" },
  })) as readonly { readonly uuid: string }[];
  const uuid = user?.uuid ?? "";
  for (const cid of cids) {
    await ask(platform, {
      path: "/user-management/entities/user-role-actions/v1",
      body: { action: "grant", cid, uuid, role_ids: roleIds },
    });
  }
  return uuid;
}

/** The platform as seen by a client that can do what the user can. */
async function actingAs(
  platform: Platform,
  { databaseUrl, cid }: Filled,
  user_uuid: string,
): Promise<Platform> {
  const store = await openStoreAt({ url: databaseUrl, clock: systemClock, resources });
  const { client_id, client_secret } = await createClient(store.directory, systemClock, {
    cid,
    name: "acting",
    scopes: ["user-management:read"],
    user_uuid,
  });
  await store.close();
  const response = await fetch(`${platform.url}/oauth2/token`, {
    method: "POST",
    body: new URLSearchParams({ client_id, client_secret }),
  });
  const { access_token } = (await response.json()) as { access_token: string };
  return { ...platform, headers: { authorization: `Bearer ${access_token}` } };
}

interface Question {
  readonly path: string;
  /** Sent with POST; without a body, GET. */
  readonly body?: object;
}

async function times(
  platform: Platform,
  seconds: number,
  question: Question,
): Promise<readonly number[]> {
  const taken: number[] = [];
  const end = performance.now() + seconds * 1_000;
  await ask(platform, question);
  while (performance.now() < end) {
    const from = performance.now();
    await ask(platform, question);
    taken.push(performance.now() - from);
  }
  return taken;
}

async function ask({ url, headers }: Platform, { path, body }: Question): Promise<unknown> {
  const response = await fetch(url + path, {
    headers: { ...headers, "content-type": "application/json" },
    ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
}
