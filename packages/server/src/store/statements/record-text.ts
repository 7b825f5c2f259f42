import { atInstant, type RowScope } from "./read-values.ts";
import { sql, type Sql } from "../dialects/sql.ts";
import type { Resource } from "../types/types.ts";

type Instant = Pick<RowScope, "now" | "expired">;

/** The served text of a row `t`. */
export const servedText = ({ expiry }: Resource, scope: Instant): Sql =>
  atInstant(scope, expiry !== undefined, (suffix) =>
    sql.id("t", suffix === "" ? "doc" : "doc_after"),
  );

/** A row `t` as one JSON text that `readComplete` can read. */
export function completeText(resource: Resource, scope: Instant): Sql {
  const hidden = resource.hidden === undefined ? sql`'null'` : sql`coalesce(t.hidden, 'null')`;
  const expired = atInstant(scope, resource.expiry !== undefined, (suffix) =>
    suffix === "" ? sql`'false'` : sql`'true'`,
  );
  return sql`'[' || t.doc || ',' || ${hidden} || ',' || ${expired} || ']'`;
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
