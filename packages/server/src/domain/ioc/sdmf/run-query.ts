import type { components } from "@security-platform/spec";
import type { Context } from "../../../calls/context.ts";
import { errors } from "../../../foundation/errors.ts";
import type { Caller } from "../../../calls/call.ts";
import type { RecordText, Records } from "../../../store/index.ts";
import { executions } from "../executions.ts";
import { indicators } from "../indicators.ts";
import { defaultSdmfLimits, Execution, type SdmfLimits } from "./execution.ts";
import type { Frame, Row } from "./frame.ts";
import { planQuery } from "./plan.ts";

interface QueryCall {
  readonly caller: Caller;
  readonly context: Context;
  readonly now: Date;
}

/** The rows of the node `res_id`. Throws a 400 for an invalid query, and a 503 if the deadline passes. */
export async function runQuery(
  { caller, context, now }: QueryCall,
  { nodes, res_id, control_info }: components["schemas"]["SdmfQuery"],
  limits: SdmfLimits = defaultSdmfLimits,
): Promise<readonly RecordText[]> {
  const deadline = readDeadline(control_info?.deadline, now);
  const step = planQuery(nodes, res_id, now);
  const { store, clock } = context;
  const execution = new Execution({
    // The pipeline accesses members of records by name.
    records: {
      indicators: store.records(indicators, {
        cid: caller.cid,
        records: "both",
      }) as unknown as Records,
      executions: store.records(executions, { cid: caller.cid }) as unknown as Records,
    },
    clock,
    now,
    deadline,
    limits,
  });
  const texts: RecordText[] = [];
  for await (const batch of step.rows(execution)) {
    if (texts.length + batch.length > limits.answer) {
      throw errors.invalidRequest([
        {
          at: "body.res_id",
          message: `node ${res_id} produces more than ${limits.answer} rows; add a node of type limit after it`,
        },
      ]);
    }
    for (const row of batch) texts.push(rowText(step.frame, row));
  }
  return texts;
}

function readDeadline(text: string | undefined, now: Date): number | null {
  if (text === undefined) return null;
  const deadline = Date.parse(text);
  if (deadline > now.getTime()) return deadline;
  throw errors.invalidRequest([
    {
      at: "body.control_info.deadline",
      message: `expected a time in the future, got ${text}; it is ${now.toISOString()}`,
    },
  ]);
}

function rowText({ columns }: Frame, row: Row): RecordText {
  return JSON.stringify(
    Object.fromEntries(columns.map(({ name }, index) => [name, row[index] ?? null])),
  );
}
