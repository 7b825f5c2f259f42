import type { Transaction } from "../../store/types.ts";
import { executions } from "./executions.ts";
import { inOrder, type Indicator } from "./indicators.ts";
import { executionsShowing } from "./matches.ts";

/**
 * Looks for each indicator in the executions of the past and records in `metadata.av_hits` how many
 * show it: the platform's own detections take the place of the unknown -1.
 */
export async function withRetrodetections(
  transaction: Transaction,
  indicators: readonly Indicator[],
  now: Date,
): Promise<readonly Indicator[]> {
  const past = transaction.records(executions);
  const looked: Indicator[] = [];
  for (const indicator of indicators) {
    const { type, value, metadata } = indicator;
    const hits = await past.count(executionsShowing(type, value), now);
    looked.push(inOrder({ ...indicator, metadata: { ...metadata, av_hits: hits } }));
  }
  return looked;
}
