import { randomBytes } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";
import type { Scenario, BenchRun } from "../scenario.ts";
import { processorSeconds, type Result } from "../measure.ts";
import { fill, indicator, start, type Platform } from "../platform.ts";
import { connected, newDatabase } from "../postgres.ts";

export const createScenarios: readonly Scenario[] = [
  { name: "create one", run: createOne },
  { name: "create one on PostgreSQL", run: createOneOnPostgres },
  { name: "create 2,000", run: createMany },
];

/** Concurrent callers: enough to keep the server busy. */
const callers = 16;
const batchSize = 2_000;

/** Number of written records and the duration. */
interface Written {
  readonly records: number;
  readonly seconds: number;
  readonly processorSeconds: number;
}

async function createOne({ folder, scale, seconds }: BenchRun): Promise<readonly Result[]> {
  const file = join(folder, "create.sqlite");
  const platform = await start(await fill(`sqlite:${file}`, 100_000 * scale));
  await createUntil(platform, 1, callers, 1);
  const own = await createUntil(platform, seconds, callers, 1);
  await platform.stop();
  return results("create one, durable", own, engineInserts(file, seconds, 1), 0.5);
}

/**
 * Wall-clock time only, because PostgreSQL uses its own processes. The server's callers write to
 * one tenant, so their transactions run one after the other, like those of the engine's one
 * connection.
 */
async function createOneOnPostgres({ scale, seconds }: BenchRun): Promise<readonly Result[]> {
  const url = await newDatabase("create");
  const platform = await start(await fill(url, 100_000 * scale));
  await createUntil(platform, 1, callers, 1);
  const own = await createUntil(platform, seconds, callers, 1);
  await platform.stop();
  const [byClock] = results(
    "create one on PostgreSQL, durable",
    own,
    await postgresInserts(url, seconds),
    0.45,
  );
  return byClock === undefined ? [] : [byClock];
}

async function createMany({ folder, scale, seconds }: BenchRun): Promise<readonly Result[]> {
  const file = join(folder, "many.sqlite");
  const platform = await start(await fill(`sqlite:${file}`, 100_000 * scale));
  await createUntil(platform, 1, 1, batchSize);
  const own = await createUntil(platform, seconds, 1, batchSize);
  await platform.stop();
  const engine = engineInserts(file, seconds, batchSize);
  return results("create 2,000 in a request", own, engine, 0.4);
}

/** The results: by wall-clock time, which depends on the disk, and by processor time. */
function results(name: string, own: Written, engine: Written, target: number): readonly Result[] {
  const rate = (written: Written, time: number): number => written.records / time;
  return (
    [
      ["", (written: Written) => rate(written, written.seconds)],
      [", by processor time", (written: Written) => rate(written, written.processorSeconds)],
    ] as const
  ).map(([unit, perSecond]) => ({
    name: `${name} / the engine's own insert${unit}`,
    figure: `${Math.round(perSecond(own))} to ${Math.round(perSecond(engine))} a second`,
    ratio: perSecond(own) / perSecond(engine),
    target,
    targetIs: "at least",
  }));
}

let created = 0;

async function createUntil(
  platform: Platform,
  seconds: number,
  parallel: number,
  size: number,
): Promise<Written> {
  const began = performance.now();
  const processorBegan = processorSeconds(platform.pid);
  const until = began + seconds * 1_000;
  let records = 0;
  const caller = async (): Promise<void> => {
    while (performance.now() < until) {
      await create(
        platform,
        Array.from({ length: size }, () => indicator((created += 1), "created")),
      );
      records += size;
    }
  };
  await Promise.all(Array.from({ length: parallel }, caller));
  return {
    records,
    seconds: (performance.now() - began) / 1_000,
    processorSeconds: processorSeconds(platform.pid) - processorBegan,
  };
}

type Row = Record<string, string | number | null>;

/**
 * The engine's own durable inserts: copies of the same rows, with their elements, into the same
 * tables with their indexes, `size` records a transaction, each flushed to disk before the next.
 */
function engineInserts(file: string, seconds: number, size: number): Written {
  const database = new DatabaseSync(file);
  database.exec("pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -65536");
  const sample = database
    .prepare("select * from ioc_indicators where valid_to is null limit 1")
    .get() as Row;
  const elements = database
    .prepare('select * from ioc_indicators__values where "row" = ?')
    .all(sample["row"] ?? null) as Row[];
  const insert = inserter(database, "ioc_indicators", sample);
  const [element = {}] = elements;
  const insertElement = inserter(database, "ioc_indicators__values", element);
  const began = performance.now();
  const processorBegan = process.cpuUsage();
  const until = began + seconds * 1_000;
  let records = 0;
  while (performance.now() < until) {
    database.exec("begin immediate");
    for (let index = 0; index < size; index += 1, records += 1) {
      const row = 1e12 + records;
      insert({ ...sample, row, id: randomId(), unique_key: randomId() });
      for (const each of elements) insertElement({ ...each, row });
    }
    database.exec("commit");
  }
  const { user, system } = process.cpuUsage(processorBegan);
  database.close();
  return {
    records,
    seconds: (performance.now() - began) / 1_000,
    processorSeconds: (user + system) / 1_000_000,
  };
}

/**
 * Like `engineInserts`, but on PostgreSQL: each transaction is sent at once, and waits for the
 * disk.
 */
async function postgresInserts(url: string, seconds: number): Promise<Written> {
  const client = await connected(url);
  const { rows } = await client.query<Row>(
    "select * from ioc_indicators where valid_to is null limit 1",
  );
  const [sample = {}] = rows;
  const { rows: elements } = await client.query<Row>(
    'select * from ioc_indicators__values where "row" = $1',
    [sample["row"] ?? null],
  );
  const insert = (table: string, values: readonly Row[]) => {
    const columns = Object.keys(values[0] ?? {});
    const places = values.map(
      (_row, at) =>
        `(${columns.map((_name, place) => `$${at * columns.length + place + 1}`).join(", ")})`,
    );
    return client.query({
      name: table,
      text: `insert into ${table} (${columns.map((name) => `"${name}"`).join(", ")}) values ${places.join(", ")}`,
      values: values.flatMap((row) => columns.map((column) => row[column] ?? null)),
    });
  };
  const began = performance.now();
  const until = began + seconds * 1_000;
  let records = 0;
  for (; performance.now() < until; records += 1) {
    const row = 1e12 + records;
    await Promise.all([
      client.query("begin"),
      insert("ioc_indicators", [{ ...sample, row, id: randomId(), unique_key: randomId() }]),
      insert(
        "ioc_indicators__values",
        elements.map((element) => ({ ...element, row })),
      ),
      client.query("commit"),
    ]);
  }
  await client.end();
  return { records, seconds: (performance.now() - began) / 1_000, processorSeconds: Number.NaN };
}

function inserter(database: DatabaseSync, table: string, sample: Row): (row: Row) => void {
  const columns = Object.keys(sample);
  const statement = database.prepare(
    `insert into ${table} (${columns.map((column) => `"${column}"`).join(", ")})
     values (${columns.map(() => "?").join(", ")})`,
  );
  return (row) => {
    statement.run(...columns.map((column) => row[column] ?? null));
  };
}

const randomId = (): string => randomBytes(32).toString("hex");

async function create(platform: Platform, indicators: readonly object[]): Promise<void> {
  const response = await fetch(`${platform.url}/iocs/entities/indicators/v1`, {
    method: "POST",
    headers: { ...platform.headers, "content-type": "application/json" },
    body: JSON.stringify({ indicators }),
  });
  await response.arrayBuffer();
  if (response.status !== 201) throw new Error(`${response.status} on create`);
}
