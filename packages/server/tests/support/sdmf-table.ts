import { evaluate, type Fields, type Predicate } from "@security-platform/fql";
import type { Clock } from "../../src/foundation/clock.ts";
import type { Records } from "../../src/store/index.ts";
import { executions } from "../../src/domain/ioc/executions.ts";
import { indicators } from "../../src/domain/ioc/indicators.ts";
import {
  defaultSdmfLimits,
  Execution,
  type SdmfLimits,
} from "../../src/domain/ioc/sdmf/execution.ts";
import { planQuery } from "../../src/domain/ioc/sdmf/plan.ts";
import type { SdmfNode } from "../../src/domain/ioc/sdmf/step.ts";

type Table = readonly Readonly<Record<string, unknown>>[];

export interface Tables {
  readonly indicators?: Table;
  readonly executions?: Table;
  readonly limits?: Partial<SdmfLimits>;
  readonly deadline?: number;
  readonly clock?: Clock;
  /** Collects the predicates of all store queries. */
  readonly queries?: Predicate[];
}

export const now = new Date("2026-03-01T12:00:00.000Z");

/** Runs a query over records in memory and returns the rows as objects. */
export async function run(
  nodes: readonly SdmfNode[],
  result: string,
  tables: Tables = {},
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const step = planQuery(nodes, result, now);
  const execution = new Execution({
    records: {
      indicators: recordsOf(tables.indicators ?? [], indicators.fields, tables.queries),
      executions: recordsOf(tables.executions ?? [], executions.fields, tables.queries),
    },
    clock: tables.clock ?? { now: () => now },
    now,
    deadline: tables.deadline ?? null,
    limits: { ...defaultSdmfLimits, ...tables.limits },
  });
  const rows: Readonly<Record<string, unknown>>[] = [];
  for await (const batch of step.rows(execution)) {
    for (const row of batch) {
      rows.push(
        Object.fromEntries(step.frame.columns.map(({ name }, index) => [name, row[index]])),
      );
    }
  }
  return rows;
}

/** A node whose `res_id` is its `id`. */
export const node = (
  id: string,
  operator: SdmfNode["operator"],
  more: Partial<SdmfNode> = {},
): SdmfNode => ({ id, res_id: id, operator, ...more });

export const source = (id: string, resource: "indicators" | "executions"): SdmfNode =>
  node(id, { type: "source", resource });

/** The methods of `Records` that a data-frame query uses. */
function recordsOf(table: Table, fields: Fields, queries: Predicate[] = []): Records {
  return {
    async *scan(predicate: Predicate, _now: Date, size = 2) {
      queries.push(predicate);
      const matches = table.filter((record) => evaluate(predicate, record, fields));
      for (let at = 0; at < matches.length; at += size) {
        yield matches.slice(at, at + size).map((record) => JSON.stringify(record));
      }
    },
  } as Partial<Records> as Records;
}
