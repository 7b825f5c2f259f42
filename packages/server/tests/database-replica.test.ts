/** @module-tag exhaustive */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { breakableLink } from "./support/breakable-link.ts";
import { openTenant, startTestApi, type TestApi } from "./support/api.ts";
import { domain, paths, type Indicator } from "./support/ioc.ts";
import { markColumns } from "../src/store/dialects/postgres/write-marks.ts";
import { readMetrics, valueOf } from "./support/metrics-text.ts";
import { administer } from "./support/raw-sql.ts";
import {
  patience,
  replicatedPostgres,
  type ReplicatedPostgres,
} from "./support/replicated-postgres.ts";

const nightly = { tags: ["nightly"] };

let postgres: ReplicatedPostgres;
let stop: () => Promise<void>;
beforeAll(async () => {
  postgres = await replicatedPostgres((cleanUp) => (stop = cleanUp));
});
afterAll(() => stop());

let url: string;
let number = 0;
beforeEach(async () => {
  number += 1;
  url = await postgres.newDatabase(`replicated_${number}`);
});

const lines: string[] = [];
beforeEach(() => void lines.splice(0));

const start = (replicaUrl = postgres.replicaOf(url)) =>
  startTestApi({
    databaseUrl: url,
    replicaUrl,
    metrics: true,
    databaseLog: (message) => lines.push(message),
  });

type Caller = Pick<TestApi, "request">;

async function create({ request }: Caller, value = `${randomUUID()}.example`): Promise<string> {
  const { status } = await request("POST", paths.indicators, {
    body: { indicators: [domain(value)] },
  });
  expect(status).toBe(201);
  return value;
}

async function valuesOf({ request }: Caller): Promise<readonly string[]> {
  const { status, body } = await request<readonly Indicator[]>("GET", paths.combined);
  expect(status).toBe(200);
  return body.map(({ value }) => value);
}

/** How the reads of `work` ended that a replica may serve. */
async function readsOf({ store }: TestApi, work: () => Promise<unknown>) {
  const before = store.replica()?.reads ?? { served: 0, behind: 0, away: 0 };
  await work();
  const after = store.replica()?.reads ?? before;
  return {
    served: after.served - before.served,
    behind: after.behind - before.behind,
    away: after.away - before.away,
  };
}

/** Waits until the replica has all changes of the caller. */
const served = (api: TestApi, caller: Caller = api) =>
  vi.waitFor(
    async () =>
      expect(await readsOf(api, () => valuesOf(caller))).toMatchObject({ behind: 0, away: 0 }),
    patience,
  );

/** Forgets that the replica may have been late at the start. */
const servedFromNow = async (api: TestApi): Promise<void> => {
  await served(api);
  lines.length = 0;
};

test("a writer sees its change through any server while the replica is behind, and others are served by the replica", async () => {
  const api = await start();
  const other = await startTestApi({ databaseUrl: url, replicaUrl: postgres.replicaOf(url) });
  const stranger = await openTenant(api, "stranger");
  const through = (server: TestApi): Caller => ({
    request: (method, path, request) =>
      server.request(method, path, { token: api.token, ...request }),
  });
  const first = await create(api);
  const strange = await create(stranger);
  await served(api);
  lines.length = 0;
  await served(api, stranger);
  await served(other, through(other));

  await postgres.pause();
  try {
    const second = await create(api);
    for (const server of [api, other]) {
      const reads = await readsOf(server, async () => {
        expect((await valuesOf(through(server))).toSorted()).toEqual([first, second].toSorted());
      });
      expect(reads).toMatchObject({ served: 0, away: 0 });
      expect(reads.behind).toBeGreaterThan(0);
    }
    const reads = await readsOf(api, async () => {
      expect(await valuesOf(stranger)).toEqual([strange]);
    });
    expect(reads).toMatchObject({ behind: 0, away: 0 });
    expect(reads.served).toBeGreaterThan(0);
    await vi.waitFor(() => expect(lines).toEqual([expect.stringContaining("behind")]), patience);
  } finally {
    await postgres.resume();
  }
  await served(api);
  expect(await valuesOf(api)).toHaveLength(2);
  await vi.waitFor(() => expect(lines).toHaveLength(2), patience);
  expect(lines[1]).toContain("serves reads again");
});

test("a child of a tenant sees what the tenant changed before, although the child has written nothing", async () => {
  const api = await start();
  const child = await openTenant(api, "child", api.tenant);
  const inherited = async (): Promise<readonly string[]> => {
    const { body } = await child.request<readonly Indicator[]>("GET", paths.combined, {
      query: { from_parent: true },
    });
    return body.map(({ value }) => value);
  };
  await served(api);
  await postgres.pause();
  try {
    const value = await create(api);
    expect(await inherited()).toEqual([value]);
  } finally {
    await postgres.resume();
  }
});

test("the primary serves a filter whose index of trigrams the replica lacks", nightly, async () => {
  const api = await start();
  const stranger = await openTenant(api, "stranger");
  await create(api);
  const strange = await create(stranger);
  await served(api, stranger);
  await postgres.pause();
  try {
    await api.store.trigrams?.add("indicators.value");
    const own = await create(api);
    const query = { filter: "value:*'*exampl*'" };
    // The primary serves the first of them, so that the server learns of the index.
    for (const [caller, value] of [
      [api, own],
      [stranger, strange],
    ] as const) {
      const { status, body } = await caller.request<readonly Indicator[]>("GET", paths.combined, {
        query,
      });
      expect(status).toBe(200);
      expect(body.map((each) => each.value)).toContain(value);
    }
  } finally {
    await postgres.resume();
  }
});

test("a revoked token is refused while the replica is behind", async () => {
  const api = await start();
  await served(api);
  await postgres.pause();
  try {
    const { client_id, client_secret } = api.client;
    const basic = Buffer.from(`${client_id}:${client_secret}`).toString("base64");
    const revoked = await api.request("POST", "/oauth2/revoke", {
      token: null,
      headers: { authorization: `Basic ${basic}` },
      body: new URLSearchParams({ token: api.token }),
    });
    expect(revoked.status).toBe(200);
    expect((await api.request("GET", paths.combined)).status).toBe(401);
  } finally {
    await postgres.resume();
  }
});

test(
  "while the replica is down, the primary serves all reads, with a line in the log and in the metrics",
  nightly,
  async () => {
    const api = await start();
    const value = await create(api);
    await servedFromNow(api);
    await postgres.stopReplica();
    try {
      const reads = await readsOf(api, async () => expect(await valuesOf(api)).toEqual([value]));
      expect(reads.served).toBe(0);
      expect(reads.away).toBeGreaterThan(0);
      await vi.waitFor(
        () => expect(lines).toEqual([expect.stringContaining("cannot be used")]),
        patience,
      );
      const samples = readMetrics(await api.metrics());
      expect(valueOf(samples, "secplat_replica_up")).toBe(0);
      expect(valueOf(samples, "secplat_replica_reads_total", { outcome: "away" })).toBeGreaterThan(
        0,
      );
    } finally {
      await postgres.startReplica();
    }
    await vi.waitFor(() => expect(lines).toHaveLength(2), patience);
    await served(api);
    const samples = readMetrics(await api.metrics());
    expect(valueOf(samples, "secplat_replica_up")).toBe(1);
    expect(
      valueOf(samples, "secplat_database_connections", { pool: "replica", state: "idle" }),
    ).toBe(1);
  },
);

test("a read does not fail when the replica stops to respond in the middle", nightly, async () => {
  const link = await breakableLink(postgres.replicaOf(url));
  const api = await start(link.url);
  const value = await create(api);
  await servedFromNow(api);
  link.freeze();
  expect(await valuesOf(api)).toEqual([value]);
  expect(lines).toEqual([expect.stringContaining("cannot be used")]);
  link.thaw();
  await served(api);
});

test("a read does not fail when its connection to the replica is cut", async () => {
  const link = await breakableLink(postgres.replicaOf(url));
  const api = await start(link.url);
  const value = await create(api);
  await served(api);
  link.cutAfter(1, "from the database");
  const reads = await readsOf(api, async () => expect(await valuesOf(api)).toEqual([value]));
  expect(link.isCut).toBe(true);
  expect(reads.away).toBeLessThanOrEqual(1);
});

test(
  "a database that is no replica of the other one is refused at the start",
  nightly,
  async () => {
    const another = await postgres.newDatabase(`another_${number}`);
    await expect(start(another)).rejects.toThrow(
      /replica of the database: .* no streaming replica of the database; check the URL of --database-replica/,
    );
  },
);

test("a replica that refuses the login is refused at the start", nightly, async () => {
  const wrong = new URL(postgres.replicaOf(url));
  wrong.password = "wrong";
  await expect(start(wrong.href)).rejects.toThrow(
    /the replica of the database: .*refuses the user or the password/,
  );
});

test("a server starts while its replica is down", nightly, async () => {
  await postgres.stopReplica();
  try {
    const api = await start();
    expect(await valuesOf(api)).toEqual([]);
    expect(lines).toEqual([expect.stringContaining("cannot be used")]);
  } finally {
    await postgres.startReplica();
  }
});

// The last one, because it leaves no replica.
test("the mark of a primary differs from that of one whose last writes it lacks and whose numbers it gives again", async () => {
  const api = await start();
  await create(api);
  await served(api);
  const mark = (of: string) => administer(of, `select cid${markColumns.text} from access_tokens`);
  const [before] = (await mark(url)) as readonly { readonly writes: string }[];
  await administer(postgres.replicaOf(url), "select pg_promote()");
  const [after] = (await mark(postgres.replicaOf(url))) as readonly { readonly writes: string }[];
  const numbers = (text = "") => text.split(" ").slice(1);
  expect(numbers(after?.writes)).toEqual(numbers(before?.writes));
  expect(numbers(after?.writes)).toHaveLength(2);
  expect(after?.writes).not.toBe(before?.writes);
});
