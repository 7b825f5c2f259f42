import { sql, type RawBuilder } from "kysely";
import { atInstant, type RowScope } from "./read-values.ts";
import type { Resource } from "../types/types.ts";

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
