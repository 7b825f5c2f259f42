import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { BenchRun, Scenario } from "../scenario.ts";
import { costFigure, type Curve } from "../cost-figure.ts";
import type { Result } from "../measure.ts";
import { fill, indicator, start, type Platform } from "../platform.ts";
import { newDatabase } from "../postgres.ts";

const rounds = 11;
/** The first rounds do not count: statements are prepared and pages read from the disk then. */
const warming = 2;
/** Number of indicators in a change by filter. */
const changed = 100;

/** One kind of request. Each call differs from the earlier ones. */
interface Kind {
  readonly name: string;
  /** How many times as long it may take at the largest size as at the smallest one. */
  readonly atMost: number;
  /** `id`: an indicator that no other round gets. */
  readonly send: (platform: Platform, round: number, id: string) => Promise<Response>;
}

const indicatorsPath = "/iocs/entities/indicators/v1";

/** The first page of a filter, with its total. */
const page =
  (filterOf: (round: number) => string): Kind["send"] =>
  ({ url, headers }, round) => {
    const query = new URLSearchParams({ limit: "100", offset: "0", filter: filterOf(round) });
    return fetch(`${url}/iocs/combined/indicator/v1?${query}`, { headers });
  };

const json = ({ headers }: Platform) => ({ ...headers, "content-type": "application/json" });

/** The value of an indicator of the first thousand. */
const valueOf = (number: number): string => (indicator(number * 2) as { value: string }).value;

const kinds: readonly Kind[] = [
  {
    name: "get by id",
    atMost: 3,
    send: ({ url, headers }, _round, id) => fetch(`${url}${indicatorsPath}?ids=${id}`, { headers }),
  },
  { name: "value", atMost: 3, send: page((round) => `value:'${valueOf(round + 20)}'`) },
  {
    name: "start of a value",
    atMost: 5,
    send: page((round) => `value:'host-${100 + round * 2}.*'`),
  },
  { name: "part of a value", atMost: 200, send: page((round) => `value:*'*no-such-${round}*'`) },
  { name: "tag of 1 %", atMost: 50, send: page((round) => `tags:'campaign-${round}'`) },
  { name: "source of 5 %", atMost: 50, send: page((round) => `source:'feed-${round}'`) },
  {
    name: "tag and source",
    atMost: 50,
    send: page((round) => `tags:'campaign-${round + 30}'+source:'feed-${round}'`),
  },
  {
    name: "create one",
    atMost: 3,
    send: (platform, round) =>
      fetch(`${platform.url}${indicatorsPath}`, {
        method: "POST",
        headers: json(platform),
        body: JSON.stringify({ indicators: [indicator(round * 2, "new")] }),
      }),
  },
  {
    name: "update one",
    atMost: 3,
    send: (platform, round, id) =>
      fetch(`${platform.url}${indicatorsPath}`, {
        method: "PATCH",
        headers: json(platform),
        body: JSON.stringify({ indicators: [{ id, description: `changed ${round}` }] }),
      }),
  },
  {
    name: "update 100 by filter",
    atMost: 10,
    send: (platform, round) => {
      const values = Array.from({ length: changed }, (_, at) => `'${valueOf(at + 100)}'`);
      const bulk_update = { filter: `value:[${values.join()}]`, description: `round ${round}` };
      return fetch(`${platform.url}${indicatorsPath}`, {
        method: "PATCH",
        headers: json(platform),
        body: JSON.stringify({ bulk_update }),
      });
    },
  },
];

/** Identifiers of indicators all over the tenant. */
async function someIds({ url, headers }: Platform): Promise<readonly string[]> {
  const query = new URLSearchParams({ sort: "value.asc", limit: String(rounds) });
  const response = await fetch(`${url}/iocs/queries/indicators/v1?${query}`, { headers });
  return (await response.json()) as readonly string[];
}

export const costScenarios: readonly Scenario[] = [{ name: "cost curves", run: costCurves }];

/** The time of each kind of request in tenants of different sizes. */
async function costCurves(bench: BenchRun): Promise<readonly Result[]> {
  const sizes = bench.sizes.map((size) => Math.max(1_000, size * bench.scale));
  const curves: Curve[] = [];
  for (const engine of ["SQLite", "PostgreSQL"] as const) {
    const points = kinds.map(() => [] as { size: number; milliseconds: number }[]);
    for (const size of new Set(sizes)) {
      const url =
        engine === "SQLite"
          ? `sqlite:${join(bench.folder, `curve-${size}.sqlite`)}`
          : await newDatabase(`curve-${size}`);
      const platform = await start(await fill(url, size), { words: ["--overload-delay=0"] });
      const ids = await someIds(platform);
      for (const [at, kind] of kinds.entries()) {
        const milliseconds = await timeOf(kind, platform, ids);
        points[at]?.push({ size, milliseconds });
      }
      await platform.stop();
    }
    for (const [at, kind] of kinds.entries()) {
      curves.push({ engine, name: kind.name, points: points[at] ?? [] });
    }
  }
  if (bench.figure !== undefined) writeFileSync(bench.figure, costFigure(curves));
  return curves.map((curve, at) => resultOf(curve, kinds[at % kinds.length]?.atMost ?? 1));
}

/** The fastest round: what other programs on the machine take is no cost of the request. */
async function timeOf(kind: Kind, platform: Platform, ids: readonly string[]): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const started = performance.now();
    const response = await kind.send(platform, round, ids[round] ?? "");
    const text = await response.text();
    if (round >= warming) times.push(performance.now() - started);
    if (!response.ok) throw new Error(`${kind.name}: ${response.status} ${text.slice(0, 300)}`);
  }
  return Math.min(...times);
}

function resultOf({ engine, name, points }: Curve, atMost: number): Result {
  const [first, last] = [points[0], points.at(-1)];
  return {
    name: `${name}, ${engine}, largest to smallest tenant`,
    figure: points
      .map(
        ({ size, milliseconds }) => `${size.toLocaleString("en")}: ${milliseconds.toFixed(1)} ms`,
      )
      .join(", "),
    ratio: (last?.milliseconds ?? 0) / (first?.milliseconds ?? 1),
    target: atMost,
    targetIs: "at most",
  };
}
