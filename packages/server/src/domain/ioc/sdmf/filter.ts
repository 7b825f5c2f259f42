import { evaluate, FqlSyntaxError, lowerFilter, parseFilter, where } from "@security-platform/fql";
import { asRecord } from "./frame.ts";
import { sourceFields, sourceStep } from "./source.ts";
import type { NodePlace, Operator, Step } from "./step.ts";

/** Keeps the rows that match. */
export function filterStep(
  { filter }: Operator<"filter">,
  input: Step,
  place: NodePlace,
  now: Date,
): Step | null {
  try {
    const parsed = parseFilter(filter);
    if (input.scan !== undefined) {
      const { source, predicate } = input.scan;
      const own = lowerFilter(parsed, sourceFields(source), now);
      return sourceStep(source, where.all(predicate, own), place);
    }
    const { frame } = input;
    const predicate = lowerFilter(parsed, frame.fields, now);
    return {
      frame,
      async *rows(execution) {
        for await (const batch of input.rows(execution)) {
          const matches = batch.filter((row) => evaluate(predicate, asRecord(row), frame.fields));
          await execution.produced(matches.length, place.at);
          yield matches;
        }
      },
    };
  } catch (error) {
    if (!(error instanceof FqlSyntaxError)) throw error;
    return place.report("operator.filter", error.message);
  }
}
