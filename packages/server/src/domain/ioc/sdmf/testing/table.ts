import { evaluate, type Fields, type Predicate } from "@security-platform/fql";
import type { Clock } from "../../../../clock.ts";
import type { Records } from "../../../../store/types.ts";
import { executions } from "../../executions.ts";
import { indicators } from "../../indicators.ts";
import { defaultSdmfLimits, Execution, type SdmfLimits } from "../execution.ts";
import { planQuery } from "../plan.ts";
import type { SdmfNode } from "../step.ts";

type Table = readonly Readonly<Record<string, unknown>>[];

export interface Tables {
  readonly indicators?: Table;
  readonly executions?: Table;
  readonly limits?: Partial<SdmfLimits>;
  readonly deadline?: number;
  readonly clock?: Clock;
  /** What the store was asked for. */
  readonly asked?: Predicate[];
}

export const now = new Date("2026-03-01T12:00:00.000Z");

/** Runs a query over records in memory; the rows as objects. */
export async function run(
  nodes: readonly SdmfNode[],
  result: string,
  tables: Tables = {},
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const step = planQuery(nodes, result, now);
  const execution = new Execution({
    records: {
      indicators: recordsOf(tables.indicators ?? [], indicators.fields, tables.asked),
      executions: recordsOf(tables.executions ?? [], executions.fields, tables.asked),
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

/** Of a `Records`, what a data frame reads. */
function recordsOf(table: Table, fields: Fields, asked: Predicate[] = []): Records {
  return {
    async *scan(predicate: Predicate, _now: Date, size = 2) {
      asked.push(predicate);
      const found = table.filter((record) => evaluate(predicate, record, fields));
      for (let at = 0; at < found.length; at += size) {
        yield found.slice(at, at + size).map((record) => JSON.stringify(record));
      }
    },
  } as Partial<Records> as Records;
}
