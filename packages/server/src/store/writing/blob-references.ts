import { layoutOf } from "../rows/columns.ts";
import type { Database } from "../dialects/dialect.ts";
import { sql } from "../dialects/sql.ts";
import type { Resource } from "../types/types.ts";

/**
 * Returns the hashes that any stored version of a record refers to, of any tenant. A deleted or changed
 * record keeps its blobs until the sweep deletes the version.
 */
export async function referencedBlobs(
  database: Database,
  resources: readonly Resource[],
  hashes: readonly string[],
): Promise<ReadonlySet<string>> {
  const referenced = new Set<string>();
  for (const resource of resources) {
    const { blobs = [] } = resource;
    if (blobs.length === 0) continue;
    const { table, valuesTable, fields } = layoutOf(resource);
    const tenants = await database.read([], (connection) =>
      connection.all(sql<{ cid: string }>`select cid from write_numbers where resource = ${table}`),
    );
    for (const { cid } of tenants) {
      for (const { column, field } of blobs.flatMap((name) => fields.get(name) ?? [])) {
        const isArray = field.array === true;
        const value = isArray ? sql`value` : sql.id(column);
        const query = sql<{ hash: string }>`
          select distinct ${value} as hash from ${sql.id(isArray ? valuesTable : table)}
          where cid = ${cid} ${isArray ? sql`and field = ${column}` : sql``}
            and ${database.dialect.anyOf(value, hashes, "text")}`;
        const rows = await database.read([cid], (connection) => connection.all(query));
        for (const { hash } of rows) referenced.add(hash);
      }
    }
  }
  return referenced;
}
