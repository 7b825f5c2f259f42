import { randomBytes } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";
import type { BenchCase, BenchRun } from "./cases.ts";
import { median, type Result } from "./measure.ts";
import { fill, indicator, start, type Platform } from "./platform.ts";

export const createCases: readonly BenchCase[] = [
  { name: "create one", run: createOne },
  { name: "create 2,000", run: createMany },
];

/** Callers at a time: as many as it takes to keep the server busy. */
const callers = 16;

async function createOne({ folder, scale, seconds }: BenchRun): Promise<readonly Result[]> {
  const file = join(folder, "create.sqlite");
  const platform = await start(await fill(`sqlite:${file}`, 100_000 * scale));
  const until = performance.now() + seconds * 1_000;
  let created = 0;
  const caller = async (): Promise<void> => {
    while (performance.now() < until) await create(platform, [indicator((created += 1), "one")]);
  };
  const began = performance.now();
  await Promise.all(Array.from({ length: callers }, caller));
  const own = created / ((performance.now() - began) / 1_000);
  await platform.stop();
  const engine = engineInserts(file, seconds);
  return [
    {
      name: "create one, durable / engine's durable insert",
      figure: `${Math.round(own)} to ${Math.round(engine)} a second`,
      ratio: own / engine,
      target: 0.5,
      wanted: "at least",
    },
  ];
}

/**
 * The engine's own durable inserts a second: the same row into the same table, with its indexes, one
 * transaction each, flushed to disk before the next.
 */
function engineInserts(file: string, seconds: number): number {
  const database = new DatabaseSync(file);
  database.exec("pragma journal_mode = wal; pragma synchronous = full");
  const sample = database
    .prepare("select * from ioc_indicators where valid_to is null limit 1")
    .get() as Record<string, string | number | null>;
  const columns = Object.keys(sample);
  const statement = database.prepare(
    `insert into ioc_indicators (${columns.map((column) => `"${column}"`).join(", ")})
     values (${columns.map(() => "?").join(", ")})`,
  );
  const until = performance.now() + seconds * 1_000;
  let inserted = 0;
  for (; performance.now() < until; inserted += 1) {
    const unlike = { row: 1e12 + inserted, id: randomId(), unique_key: randomId() };
    const row: Record<string, string | number | null> = { ...sample, ...unlike };
    statement.run(...columns.map((column) => row[column] ?? null));
  }
  database.close();
  return inserted / seconds;
}

const randomId = (): string => randomBytes(32).toString("hex");

async function createMany({ folder, scale }: BenchRun): Promise<readonly Result[]> {
  const platform = await start(
    await fill(`sqlite:${join(folder, "many.sqlite")}`, 100_000 * scale),
  );
  const times: number[] = [];
  for (let batch = 0; batch < 12; batch += 1) {
    const indicators = Array.from({ length: 2_000 }, (_, index) =>
      indicator(batch * 2_000 + index, "many"),
    );
    times.push(await create(platform, indicators));
  }
  await platform.stop();
  const perSecond = 2_000 / (median(times.slice(2)) / 1_000);
  return [
    {
      name: "create 2,000 in a request, thousands a second",
      figure: `${Math.round(perSecond)} a second`,
      ratio: perSecond / 1_000,
      target: 10,
      wanted: "at least",
    },
  ];
}

async function create(platform: Platform, indicators: readonly object[]): Promise<number> {
  const body = JSON.stringify({ indicators });
  const started = performance.now();
  const response = await fetch(`${platform.url}/iocs/entities/indicators/v1`, {
    method: "POST",
    headers: { ...platform.headers, "content-type": "application/json" },
    body,
  });
  await response.arrayBuffer();
  if (response.status !== 201) throw new Error(`${response.status} on create`);
  return performance.now() - started;
}
