import { where, type Fields, type Predicate } from "@security-platform/fql";
import { errors } from "../foundation/errors.ts";
import type { Answer } from "../calls/answer.ts";
import {
  aggregate,
  AggregateError,
  type AggregateSource,
  type AggregateSpec,
} from "../aggregates/index.ts";

interface Source {
  readonly records: AggregateSource;
  readonly fields: Fields;
  /** Restricts the records that are aggregated. Default: none. */
  readonly base?: Predicate;
  readonly now: Date;
}

/** One result for each specification; 400 for invalid specifications. */
export async function aggregateRecords(
  specifications: AggregateSpec | readonly AggregateSpec[],
  { base = where.everything, ...source }: Source,
): Promise<Answer> {
  const results = await aggregate(specifications, { ...source, base }).catch((error: unknown) => {
    throw error instanceof AggregateError ? errors.invalidRequest(error.problems) : error;
  });
  return { kind: "records", records: results.map((result) => JSON.stringify(result)) };
}
