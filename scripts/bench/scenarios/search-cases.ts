import { randomBytes, randomUUID } from "node:crypto";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { indexedWords } from "../../../packages/server/src/store/words/words.ts";
import type { Scenario, BenchRun } from "../scenario.ts";
import { insertCaseCopies } from "../insert-case-copies.ts";
import { median, type Result } from "../measure.ts";
import { openTenant, start, type OpenTenant, type Platform } from "../platform.ts";
import { newDatabase } from "../postgres.ts";

const caseCount = 10_000;
const evidenceOfEach = 100;
/** Alerts that the cases share. */
const alertCount = 2_000;
const targetMilliseconds = 50;
const fullTextMilliseconds = 100;
const rounds = 30;
/** A busy machine must not make the server refuse requests. */
const patient = { words: ["--overload-delay=0"] } as const;
const paths = { cases: "/cases/entities/cases/v2", search: "/cases/queries/cases/v1" } as const;

export const managementScenarios: readonly Scenario[] = [
  { name: "search of cases, SQLite", run: searchOnSqlite },
  { name: "search of cases, PostgreSQL", run: searchOnPostgres },
  { name: "create one case", run: createCase },
  { name: "create one case on PostgreSQL", run: createCaseOnPostgres },
];

const alertId = (number: number): string => `alert-${number % alertCount}`;

function* alerts(): Iterable<object> {
  for (let number = 0; number < alertCount; number += 1) {
    const aid = number.toString(16).padStart(32, "a");
    yield {
      id: alertId(number),
      timestamp: new Date(1_770_000_000_000 + number * 1_000).toISOString(),
      name: `Alert ${number}`,
      description: `Seen by sensor ${number % 97}, family ${number % 31}`,
      hosts: [{ aid, hostname: `HOST-${number}`, local_ip: `10.0.${number >> 8}.${number & 255}` }],
      users: [{ username: `user${number % 400}` }],
      files: [{ filename: `file-${number % 300}.exe` }],
      tactics: [{ id: "TA0006", name: "Credential Access" }],
      processes: [{ command_line: `file-${number % 300}.exe --job ${number}` }],
    };
  }
}

const newCase = (number: number): object => ({
  name: `Case ${number} about campaign${number % 500}`,
  description: `Opened by analyst ${number % 40}`,
  severity: 1 + (number % 100),
  tags: [`tag-${number % 1_000}`],
  evidence: {
    alerts: Array.from({ length: evidenceOfEach }, (_, at) => ({
      id: alertId(number * 7 + at * 13),
    })),
  },
});

function* cases(count: number): Iterable<object> {
  for (let number = 0; number < count; number += 1) {
    yield { id: uuidOf(number), ...newCase(number) };
  }
}

const uuidOf = (number: number): string =>
  `00000000-0000-4000-8000-${number.toString(16).padStart(12, "0")}`;

async function filled(databaseUrl: string, count: number): Promise<OpenTenant> {
  const tenant = await openTenant(databaseUrl, ["cases:read", "cases:write"]);
  await tenant.load("alerts", alerts());
  await tenant.load("cases", cases(count));
  await tenant.store.close();
  return tenant;
}

function searchOnSqlite(run: BenchRun): Promise<readonly Result[]> {
  return searchCases(run, "SQLite", `sqlite:${join(run.folder, "cases-search.sqlite")}`);
}

async function searchOnPostgres(run: BenchRun): Promise<readonly Result[]> {
  return searchCases(run, "PostgreSQL", await newDatabase("cases-search"));
}

/** Complete requests over HTTP, one after the other. */
async function searchCases(
  { scale }: BenchRun,
  engine: string,
  databaseUrl: string,
): Promise<readonly Result[]> {
  const count = Math.round(caseCount * scale);
  const platform = await start(await filled(databaseUrl, count), patient);
  const ids = Array.from({ length: Math.min(100, count) }, (_, at) => uuidOf((at * 7) % count));
  // Other values in each round, because the server keeps the matches of a query until the next
  // write.
  const queries: readonly (readonly [string, number, (round: number) => Promise<Response>])[] = [
    ["get 100", targetMilliseconds, () => post(platform, paths.cases, { ids })],
    [
      "filter by alert",
      targetMilliseconds,
      (round) => search(platform, "filter", `alerts:'alert-${round}'`),
    ],
    [
      "filter by tag",
      targetMilliseconds,
      (round) => search(platform, "filter", `tags:'tag-${round}'`),
    ],
    [
      "filter by host name",
      targetMilliseconds,
      (round) => search(platform, "filter", `hostnames:'host-${round}'`),
    ],
    ["a rare word", fullTextMilliseconds, (round) => search(platform, "q", `campaign${round}`)],
    [
      "common words",
      fullTextMilliseconds,
      (round) => search(platform, "q", `credential analyst ${round}`),
    ],
    ["an address", fullTextMilliseconds, (round) => search(platform, "q", `10.0.3.${round}`)],
    [
      "all_text by filter",
      fullTextMilliseconds,
      (round) => search(platform, "filter", `all_text:~'about campaign${round}'`),
    ],
    [
      "a file name that a third of the cases have",
      fullTextMilliseconds,
      (round) => search(platform, "q", `file-${round}.exe`),
    ],
    [
      "all_text with an address",
      fullTextMilliseconds,
      (round) => search(platform, "filter", `all_text:~'10.0.3.${round}'`),
    ],
  ];
  const results: Result[] = [];
  for (const [name, target, send] of queries) {
    const times: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const began = performance.now();
      const response = await send(round);
      const text = await response.text();
      if (!response.ok || text === "[]")
        throw new Error(`${response.status}: ${text.slice(0, 200)}`);
      if (round > 2) times.push(performance.now() - began);
    }
    const ratio = median(times);
    results.push({
      name: `${name} among ${count} cases with ${evidenceOfEach} alerts each, ${engine}, milliseconds`,
      figure: `${ratio.toFixed(1)} ms`,
      ratio,
      target,
      targetIs: "at most",
    });
  }
  await platform.stop();
  return results;
}

async function createCase(run: BenchRun): Promise<readonly Result[]> {
  const file = join(run.folder, "cases-create.sqlite");
  const own = await createdPerSecond(run, `sqlite:${file}`);
  return createResult("", own, engineInserts(file, run.seconds));
}

async function createCaseOnPostgres(run: BenchRun): Promise<readonly Result[]> {
  const url = await newDatabase("cases-create");
  const own = await createdPerSecond(run, url);
  return createResult(" on PostgreSQL", own, await insertCaseCopies(url, run.seconds));
}

/** One caller, so that server and engine wait for the disk in the same way. */
async function createdPerSecond(
  { scale, seconds }: BenchRun,
  databaseUrl: string,
): Promise<number> {
  const platform = await start(await filled(databaseUrl, (caseCount * scale) / 10), patient);
  const began = performance.now();
  let created = 0;
  while (performance.now() - began < seconds * 1_000) {
    const response = await send(platform, "PUT", paths.cases, newCase(created));
    await response.arrayBuffer();
    if (response.status !== 201) throw new Error(`${response.status} on create`);
    created += 1;
  }
  const rate = created / ((performance.now() - began) / 1_000);
  await platform.stop();
  return rate;
}

const createResult = (where: string, own: number, engine: number): readonly Result[] => [
  {
    name: `create one case with ${evidenceOfEach} alerts${where}, durable / the engine's own insert`,
    figure: `${own.toFixed(1)} to ${engine.toFixed(1)} a second`,
    ratio: own / engine,
    target: 0.4,
    targetIs: "at least",
  },
];

type Row = Record<string, string | number | null>;

/**
 * Copies of the rows of the last case in all its tables, one case a transaction; cases a second.
 */
function engineInserts(file: string, seconds: number): number {
  const database = new DatabaseSync(file);
  database.exec("pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -65536");
  const table = "case_management_cases";
  const [sample] = rowsOf(database, `select * from ${table} order by row desc limit 1`);
  const row = sample?.["row"] ?? 0;
  const values = rowsOf(database, `select * from ${table}__values where row = ${row}`);
  const [searched] = rowsOf(database, `select * from ${table}__words where row = ${row}`);
  const sequence = String(searched?.["sequence"]).trim().split(" ");
  // The index does not return its memory.
  const indexed = indexedWords(sequence, String(searched?.["text_key"]));
  const words = { ...searched, valid_from: 0, words: indexed.join(" ") };
  const insert = inserter(database, table, sample ?? {});
  const insertValue = inserter(database, `${table}__values`, values[0] ?? {});
  const insertWords = inserter(database, `${table}__words`, { ...words, row: 0 });
  const began = performance.now();
  let records = 0;
  for (; performance.now() - began < seconds * 1_000; records += 1) {
    const next = 1e12 + records;
    database.exec("begin immediate");
    insert({ ...sample, row: next, id: randomUUID(), unique_key: randomBytes(12).toString("hex") });
    for (const value of values) insertValue({ ...value, row: next });
    insertWords({ ...words, row: next });
    database.exec("commit");
  }
  const rate = records / ((performance.now() - began) / 1_000);
  database.close();
  return rate;
}

const rowsOf = (database: DatabaseSync, text: string): readonly Row[] =>
  database.prepare(text).all() as Row[];

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

const search = (platform: Platform, parameter: string, value: string): Promise<Response> =>
  fetch(`${platform.url}${paths.search}?${parameter}=${encodeURIComponent(value)}`, {
    headers: platform.headers,
  });

const post = (platform: Platform, path: string, body: object): Promise<Response> =>
  send(platform, "POST", path, body);

const send = (platform: Platform, method: string, path: string, body: object): Promise<Response> =>
  fetch(platform.url + path, {
    method,
    headers: { ...platform.headers, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
