import { sql, type RawBuilder } from "kysely";
import { atInstant, type RowScope } from "./read-values.ts";
import type { JsonObject, Resource } from "./types.ts";

/** The two JSON texts of a stored record: served members and hidden members (null: none). */
export interface Parts {
  readonly doc: string;
  readonly hidden?: string | null;
}

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

/** The complete record as it was written, before it expires. */
export function completeRecord<Record extends object>({ doc, hidden = null }: Parts): Record {
  const record = JSON.parse(doc) as Record;
  return hidden === null ? record : { ...record, ...(JSON.parse(hidden) as Partial<Record>) };
}

type Instant = Pick<RowScope, "now" | "expired">;

/** The served text of a row `t`. */
export function servedText({ expiry }: Resource, scope: Instant): RawBuilder<string> {
  return atInstant(scope, expiry !== undefined, (suffix) =>
    sql.id("t", suffix === "" ? "doc" : "doc_after"),
  ) as RawBuilder<string>;
}

/** A row `t` as one JSON text that `readComplete` can read. */
export function completeText(resource: Resource, scope: Instant): RawBuilder<string> {
  const hidden = resource.hidden === undefined ? sql`'null'` : sql`coalesce(t.hidden, 'null')`;
  const expired = atInstant(scope, resource.expiry !== undefined, (suffix) =>
    suffix === "" ? sql`'false'` : sql`'true'`,
  );
  return sql<string>`'[' || t.doc || ',' || ${hidden} || ',' || ${expired} || ']'`;
}

/** The complete record from a text of `completeText`, at the instant of the query. */
export function readComplete<Record extends object>(
  resource: Resource<Record>,
  text: string,
): Record {
  const [served, hidden, expired] = JSON.parse(text) as [Record, Partial<Record> | null, boolean];
  const record = hidden === null ? served : { ...served, ...hidden };
  return expired ? (resource.expiry?.after(record) ?? record) : record;
}
