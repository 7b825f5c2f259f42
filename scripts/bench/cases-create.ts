import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";
import type { BenchCase, BenchRun } from "./cases.ts";
import { median, type Result } from "./measure.ts";
import { fill, indicator, start, type Platform } from "./platform.ts";

export const createCases: readonly BenchCase[] = [
  { name: "create one", run: createOne },
  { name: "create 2,000", run: createMany },
];

async function createOne({ folder, scale }: BenchRun): Promise<readonly Result[]> {
  const platform = await start(
    await fill(`sqlite:${join(folder, "create.sqlite")}`, 100_000 * scale),
  );
  const raw = rawInserter(join(folder, "raw.sqlite"));
  const own: number[] = [];
  const engine: number[] = [];
  for (let number = 0; number < 400; number += 1) {
    own.push(await create(platform, [indicator(number, "one")]));
    engine.push(raw(JSON.stringify(indicator(number, "one"))));
  }
  await platform.stop();
  const [ours, theirs] = [median(own.slice(50)), median(engine.slice(50))];
  return [
    {
      name: "create one, durable / engine's durable insert",
      figure: `${ours.toFixed(2)} ms to ${theirs.toFixed(2)} ms a write`,
      ratio: theirs / ours,
      target: 0.5,
      wanted: "at least",
    },
  ];
}

/** The engine's own durable insert: one row, one transaction, flushed to disk. */
function rawInserter(file: string): (doc: string) => number {
  const database = new DatabaseSync(file);
  database.exec("pragma journal_mode = wal; pragma synchronous = full");
  database.exec("create table records (id integer primary key, doc text not null)");
  const statement = database.prepare("insert into records (doc) values (?)");
  return (doc) => {
    const started = performance.now();
    statement.run(doc);
    return performance.now() - started;
  };
}

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
