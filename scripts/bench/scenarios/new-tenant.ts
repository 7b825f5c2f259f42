import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";
import {
  createTenant,
  newIdentifier,
  openStoreAt,
  resources,
  systemClock,
} from "@security-platform/server/internal";
import type { Scenario, BenchRun } from "../scenario.ts";
import { median, type Result } from "../measure.ts";
import { newDatabase } from "../postgres.ts";

export const tenantScenarios: readonly Scenario[] = [
  { name: "new tenant", run: newTenant },
  { name: "new tenant on PostgreSQL", run: newTenantOnPostgres },
];

const rounds = 40;

/**
 * A new tenant with its catalogue, beside the engine's own insert of the same rows in one
 * transaction.
 */
async function newTenant({ folder }: BenchRun): Promise<readonly Result[]> {
  const file = join(folder, "tenants.sqlite");
  const { sample, times: own, processor } = await timesOf(`sqlite:${file}`);
  const engine = engineInserts(file, sample);
  const figure = `${median(own).toFixed(1)} ms to ${median(engine).toFixed(1)} ms`;
  return [
    {
      name: "a new tenant, milliseconds",
      figure,
      ratio: median(own),
      target: 10,
      targetIs: "at most",
    },
    {
      name: "a new tenant, processor milliseconds",
      figure: `${processor.toFixed(1)} ms with SQLite`,
      ratio: processor,
      target: 10,
      targetIs: "at most",
      note: "says more than the time on a busy machine",
    },
    {
      name: "a new tenant / the engine's own insert of its rows",
      figure,
      ratio: median(own) / median(engine),
      target: 4,
      targetIs: "at most",
    },
  ];
}

async function newTenantOnPostgres(): Promise<readonly Result[]> {
  const { times, processor } = await timesOf(await newDatabase("tenants"));
  const ratio = median(times);
  return [
    {
      name: "a new tenant on PostgreSQL, milliseconds",
      figure: `${ratio.toFixed(1)} ms, in one transaction of two round trips`,
      ratio,
      target: 10,
      targetIs: "at most",
      note: `${processor.toFixed(1)} processor ms without PostgreSQL's`,
    },
  ];
}

interface Times {
  /** The id of one of the tenants. */
  readonly sample: string;
  /** Milliseconds of each. */
  readonly times: readonly number[];
  /** Processor milliseconds of this process for each, on average. */
  readonly processor: number;
}

/** The time for several new tenants. */
async function timesOf(url: string): Promise<Times> {
  const store = await openStoreAt({ url, clock: systemClock, resources });
  const created_at = systemClock.now().toISOString();
  const create = async (): Promise<string> => {
    const cid = newIdentifier();
    await createTenant(store, systemClock, { cid, name: "bench", parent_cid: null, created_at });
    return cid;
  };
  // The first tenant also adds the platform's catalogue.
  const sample = await create();
  const times: number[] = [];
  const processorBegan = process.cpuUsage();
  for (let round = 0; round < rounds; round += 1) {
    const began = performance.now();
    await create();
    times.push(performance.now() - began);
  }
  const { user, system } = process.cpuUsage(processorBegan);
  await store.close();
  return { sample, times, processor: (user + system) / 1_000 / rounds };
}

type Row = Record<string, string | number | null>;

/**
 * Milliseconds of each transaction that inserts the rows of tenant `sample` again, for another
 * tenant.
 */
function engineInserts(file: string, sample: string): readonly number[] {
  const database = new DatabaseSync(file);
  database.exec("pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -65536");
  const tables = database
    .prepare(
      "select m.name from sqlite_schema as m, pragma_table_info(m.name) as c where m.type = 'table' and c.name = 'cid'",
    )
    .all() as { name: string }[];
  const copies = tables.flatMap(({ name }) => {
    const rows = database.prepare(`select * from "${name}" where cid = ?`).all(sample) as Row[];
    const [first] = rows;
    if (first === undefined) return [];
    const columns = Object.keys(first);
    const insert = database.prepare(
      `insert into "${name}" (${columns.map((column) => `"${column}"`).join(", ")})
       values (${columns.map(() => "?").join(", ")})`,
    );
    return [{ rows, columns, insert }];
  });
  const times = Array.from({ length: rounds }, () => {
    const cid = newIdentifier();
    const began = performance.now();
    database.exec("begin immediate");
    for (const { rows, columns, insert } of copies) {
      for (const row of rows) {
        insert.run(...columns.map((column) => (column === "cid" ? cid : (row[column] ?? null))));
      }
    }
    database.exec("commit");
    return performance.now() - began;
  });
  database.close();
  return times;
}
