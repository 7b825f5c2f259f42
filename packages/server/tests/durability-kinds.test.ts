/**
 * @module-tag exhaustive
 * @module-tag nightly
 */
import { checkedFetch } from "@security-platform/contract-tests";
import { expect, test } from "vitest";
import { forEachEngine } from "./support/engines.ts";
import { domain, paths } from "./support/ioc.ts";
import { serve, temporaryFolder, type ServerProcess } from "./support/server-process.ts";

/** `KILLS=100` kills the server more often. */
const kills = Number(process.env["KILLS"] ?? 2);
const concurrency = 16;
/** Acknowledged writes after which the server is killed. */
const writesBetween = 24;

const fetchChecked = checkedFetch(fetch);

interface Indicator {
  readonly id: string;
  readonly value: string;
  readonly severity: string;
  readonly description?: string;
}

/** A write that changes two indicators at once, or none. */
interface Kind {
  /** Whether the two indicators must exist before. */
  readonly needsRecords: boolean;
  readonly send: (server: ServerProcess, write: Write) => Promise<Response>;
  /** Whether an indicator, or its absence, shows that the write was carried out. */
  readonly isDone: (stored: Indicator | undefined) => boolean;
}

interface Write {
  readonly name: string;
  readonly kind: keyof typeof kinds;
  readonly values: readonly [string, string];
  ids: readonly string[];
  acknowledged: boolean;
}

const kinds = {
  create: {
    needsRecords: false,
    send: (server, { values }) =>
      call(server, "POST", "", { indicators: values.map((value) => domain(value)) }),
    isDone: (stored) => stored !== undefined,
  },
  update: {
    needsRecords: true,
    send: (server, { ids }) =>
      call(server, "PATCH", "", { indicators: ids.map((id) => ({ id, description: "changed" })) }),
    isDone: (stored) => stored?.description === "changed",
  },
  "update by filter": {
    needsRecords: true,
    send: (server, { name }) =>
      call(server, "PATCH", "", { bulk_update: { filter: `tags:'${name}'`, severity: "low" } }),
    isDone: (stored) => stored?.severity === "low",
  },
  delete: {
    needsRecords: true,
    send: (server, { ids }) => call(server, "DELETE", `?${ids.map((id) => `ids=${id}`).join("&")}`),
    isDone: (stored) => stored === undefined,
  },
  "delete by filter": {
    needsRecords: true,
    send: (server, { name }) =>
      call(server, "DELETE", `?filter=${encodeURIComponent(`tags:'${name}'`)}`),
    isDone: (stored) => stored === undefined,
  },
} as const satisfies Readonly<Record<string, Kind>>;

forEachEngine((engine) => {
  test(
    `after each of ${kills} kill -9, every kind of write is there if it was acknowledged, and never half`,
    async () => {
      const folder = temporaryFolder();
      const databaseUrl = await engine.url();
      const start = () => serve({ folder, databaseUrl, words: ["--rate-limit", "0"] });
      let server = await start();
      const acknowledged = new Set<string>();
      for (let round = 0; round < kills; round += 1) {
        const writes = await prepare(server, round);
        await writeUntilKilled(server, writes);
        server = await start();
        const stored = await indicatorsOf(server, `round${round}-`);
        for (const write of writes) {
          const done = write.values.map((value) => kinds[write.kind].isDone(stored.get(value)));
          const got = done.filter(Boolean).length;
          expect(write.acknowledged ? [2] : [0, 2], write.name).toContain(got);
          if (write.acknowledged) acknowledged.add(write.kind);
        }
      }
      expect([...acknowledged].toSorted()).toEqual(Object.keys(kinds).toSorted());
    },
    60_000 + kills * 20_000,
  );
});

/** More writes than are acknowledged before the server is killed, of each kind in turn. */
async function prepare(server: ServerProcess, round: number): Promise<readonly Write[]> {
  const names = Object.keys(kinds) as (keyof typeof kinds)[];
  const writes = Array.from({ length: writesBetween + 2 * concurrency }, (_, index): Write => {
    const name = `round${round}-${index}x`;
    const kind = names[index % names.length] ?? "create";
    return { name, kind, values: [`${name}a.test`, `${name}b.test`], ids: [], acknowledged: false };
  });
  const existing = writes.filter(({ kind }) => kinds[kind].needsRecords);
  const indicators = existing.flatMap(({ name, values }) =>
    values.map((value) => domain(value, { tags: [name], description: "before" })),
  );
  expect((await call(server, "POST", "", { indicators })).status).toBe(201);
  const stored = await indicatorsOf(server, `round${round}-`);
  for (const write of existing) {
    write.ids = write.values.map((value) => stored.get(value)?.id ?? "");
  }
  return writes;
}

async function writeUntilKilled(server: ServerProcess, writes: readonly Write[]): Promise<void> {
  const waiting = [...writes];
  let count = 0;
  const work = async (): Promise<void> => {
    for (let write = waiting.shift(); write !== undefined; write = waiting.shift()) {
      const response = await kinds[write.kind].send(server, write).catch(() => null);
      if (response === null) return;
      expect(response.status, write.name).toBeLessThan(300);
      write.acknowledged = true;
      count += 1;
      // Not awaited: the other writes are still in progress.
      if (count === writesBetween) void server.end("SIGKILL");
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
}

/** The indicators by value. */
async function indicatorsOf(
  { url, token }: ServerProcess,
  prefix: string,
): Promise<ReadonlyMap<string, Indicator>> {
  const query = new URLSearchParams({ filter: `value:*'${prefix}*'`, limit: "500" });
  const response = await fetchChecked(`${url}/iocs/combined/indicator/v1?${query}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(response.status).toBe(200);
  const records = (await response.json()) as readonly Indicator[];
  return new Map(records.map((record) => [record.value, record]));
}

function call(
  { url, token }: ServerProcess,
  method: string,
  query: string,
  body?: object,
): Promise<Response> {
  return fetchChecked(`${url}${paths.indicators}${query}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}
