import { where, type Fields, type Predicate } from "@security-platform/fql";
import type { Answer } from "../../calls/answer.ts";
import type { Call } from "../../calls/call.ts";
import { listRecords, type ListParameters } from "../../records/list.ts";
import { exclusions, expressionNames, type ExpressionName } from "./exclusions.ts";

type Expressions = { readonly [Name in ExpressionName]?: string };

/** Selects exclusions with exactly the expressions of the query. */
export function hasExpressions(query: Expressions): Predicate {
  const conditions = expressionNames.map((field) => {
    const value = query[field];
    return value === undefined ? where.everything : where.equal(field, value);
  });
  return where.all(...conditions);
}

/** A page of ids. `fields`: the filter and sort fields of the API version. */
export const listExclusions = (
  call: Pick<Call, "caller" | "context" | "now"> & { readonly query: ListParameters & Expressions },
  fields: Fields,
): Promise<Answer> =>
  listRecords(call, {
    resource: exclusions,
    shape: "ids",
    records: "own",
    where: hasExpressions(call.query),
    fields,
  });
