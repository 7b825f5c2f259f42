import { sql, type Sql } from "../dialects/sql.ts";
import type { JsonObject, Resource } from "../types/types.ts";

/** The two JSON texts of a stored record: served members and hidden members (null: none). */
export interface Parts {
  readonly doc: string;
  readonly hidden: string | null;
}

/** The columns of a row that `Parts` names. */
export const partColumns = ({ hidden }: Resource): Sql =>
  hidden === undefined ? sql`doc, null as hidden` : sql`doc, hidden`;

/** The members that are served. */
export function servedPart<Record extends object>(
  { hidden }: Pick<Resource<Record>, "hidden">,
  record: Record,
): object {
  if (hidden === undefined) return record;
  return Object.fromEntries(Object.entries(record).filter(([name]) => !hidden.includes(name)));
}

/** The hidden members of `record` as JSON text. */
export function hiddenText<Record extends object>(
  { hidden = [] }: Pick<Resource<Record>, "hidden">,
  record: Record,
): string | null {
  const members = hidden.flatMap((name) => {
    const value = (record as JsonObject)[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return members.length === 0 ? null : JSON.stringify(Object.fromEntries(members));
}

/** The record as it was written, with its hidden members. An expiration is not applied. */
export function completeRecord<Record extends object>({ doc, hidden }: Parts): Record {
  const record = JSON.parse(doc) as Record;
  return hidden === null ? record : { ...record, ...(JSON.parse(hidden) as Partial<Record>) };
}
