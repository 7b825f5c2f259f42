import type { Transaction } from "../../store/index.ts";
import { executions } from "./executions.ts";
import { inOrder, type Indicator } from "./indicators.ts";
import { executionsShowing } from "./matches.ts";

/** The indicators with `metadata.av_hits`: the number of past executions that show each of them. */
export async function withRetrodetections(
  transaction: Transaction,
  indicators: readonly Indicator[],
  now: Date,
): Promise<readonly Indicator[]> {
  const past = transaction.records(executions);
  const detected: Indicator[] = [];
  for (const indicator of indicators) {
    const { type, value, metadata } = indicator;
    const av_hits = await past.count(executionsShowing(type, value), now);
    detected.push(inOrder({ ...indicator, metadata: { ...metadata, av_hits } }));
  }
  return detected;
}
