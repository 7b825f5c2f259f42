import { sql } from "kysely";
import { layoutOf, type FieldColumns, type Layout } from "../rows/columns.ts";
import type { Database } from "../dialects/dialect.ts";
import { Parameter } from "../statements/plan-key.ts";
import { bind, rowsOf, Template, type Statements } from "../statements/statements.ts";
import type { Resource } from "../types/types.ts";

interface HashesPlan {
  readonly cid: Parameter<string>;
  readonly hashes: Parameter<readonly string[]>;
  /** The field's column, or its name in the values table. */
  readonly column: string;
  readonly isArray: boolean;
}

const findHashes = new Template<HashesPlan, { hash: string }>(
  ({ cid, hashes, column, isArray }, { dialect, layout: { table, valuesTable } }) =>
    isArray
      ? sql<{ hash: string }>`select distinct value as hash from ${sql.table(valuesTable)}
          where cid = ${bind(cid)} and field = ${column}
          and ${dialect.anyOf(sql`value`, bind(hashes), "text")}`
      : sql<{ hash: string }>`select distinct ${sql.ref(column)} as hash from ${sql.table(table)}
          where cid = ${bind(cid)} and ${dialect.anyOf(sql.ref(column), bind(hashes), "text")}`,
);

/**
 * Returns the hashes that any stored version of a record refers to, of any tenant. A deleted or changed
 * record keeps its blobs until the sweep deletes the version.
 */
export async function referencedBlobs(
  database: Database,
  statements: Statements,
  resources: readonly Resource[],
  hashes: readonly string[],
): Promise<ReadonlySet<string>> {
  const referenced = new Set<string>();
  for (const resource of resources) {
    const { blobs = [] } = resource;
    if (blobs.length === 0) continue;
    const layout = layoutOf(resource);
    for (const cid of await writersOf(database, layout)) {
      for (const columns of blobs.flatMap((name) => layout.fields.get(name) ?? [])) {
        const rows = await database.read([cid], (connection) =>
          statements.run(connection, findHashes, layout, planOf(cid, columns, hashes)),
        );
        for (const { hash } of rows) referenced.add(hash);
      }
    }
  }
  return referenced;
}

const planOf = (
  cid: string,
  { column, field }: FieldColumns,
  hashes: readonly string[],
): HashesPlan => ({
  cid: new Parameter(cid),
  hashes: new Parameter(hashes),
  column,
  isArray: field.array === true,
});

/** Tenants that have written to the resource. */
async function writersOf(database: Database, { table }: Layout): Promise<readonly string[]> {
  const { builder } = database.dialect;
  const query = builder.selectFrom("write_numbers").select("cid").where("resource", "=", table);
  const rows = await database.read([], (connection) => rowsOf(connection, query));
  return rows.map(({ cid }) => cid);
}
