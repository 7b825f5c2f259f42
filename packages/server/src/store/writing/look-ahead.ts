import { sql } from "kysely";
import { layoutOf } from "../rows/columns.ts";
import type { Ahead } from "../dialects/dialect.ts";
import { listedRows } from "../reading/look-up.ts";
import { Parameter } from "../statements/plan-key.ts";
import { uniqueKeyColumn } from "../rows/row-values.ts";
import { everySource } from "../reading/sources.ts";
import { Template, type Statements } from "../statements/statements.ts";
import type { PlannedRecords } from "../types/types.ts";

/** Requests with more records are rare, and do enough look-ups for a separate round trip. */
const mostRecords = 100;

export type NameKind = "id" | "key";

/** An id or a unique key as a name of `LookedUp`. */
export const nameOf = (kind: NameKind, value: string): string => `${kind} ${value}`;

interface TakenPlan {
  readonly cid: Parameter<string>;
  readonly ids: Parameter<readonly string[]>;
  readonly keys: Parameter<readonly string[]>;
}

interface TakenRow {
  readonly id: string;
  readonly unique_key: string | null;
}

const selectTaken = new Template<TakenPlan, TakenRow>(
  ({ cid, ids, keys }, target) => sql<TakenRow>`
    select t.id, t.unique_key from ${listedRows({ cid, list: ids }, target, "id")}
    union all
    select t.id, t.unique_key from ${listedRows({ cid, list: keys }, target, "unique_key")}`,
);

/** What a transaction that creates the records will look up. Null: too many records. */
export function lookAhead(
  statements: Statements,
  cid: string,
  { resource, records }: PlannedRecords,
): Ahead | null {
  if (records.length > mostRecords) return null;
  const layout = layoutOf(resource);
  // The tenant's lock does not block transactions on other sources.
  const [own, other] = everySource(resource, cid);
  const seesKeys = own !== undefined && other === undefined && own.condition === null;
  const names = records.flatMap((record) => {
    const id = String(Reflect.get(record, resource.id));
    const key = seesKeys ? (resource.uniqueKey?.(record) ?? null) : null;
    // PostgreSQL refuses this character and with it the whole statement.
    const idName = id.includes("\0") ? [] : [nameOf("id", id)];
    return key === null ? idName : [...idName, nameOf("key", key)];
  });
  return {
    about: layout,
    names,
    find: async (connection, requested) => {
      const ids = requested.filter((name) => name.startsWith(nameOf("id", "")));
      const keys = new Map(
        requested
          .filter((name) => name.startsWith(nameOf("key", "")))
          .map((name) => [uniqueKeyColumn(name.slice(nameOf("key", "").length)) ?? "", name]),
      );
      const rows = await statements.run(connection, selectTaken, layout, {
        cid: new Parameter(cid),
        ids: new Parameter(ids.map((name) => name.slice(nameOf("id", "").length))),
        keys: new Parameter([...keys.keys()]),
      });
      const usedIds = new Set(rows.map(({ id }) => nameOf("id", id)));
      for (const { unique_key } of rows) {
        const name = keys.get(unique_key ?? "");
        if (name !== undefined) usedIds.add(name);
      }
      return usedIds;
    },
  };
}
