import { nearest } from "@security-platform/fql";
import type { TrigramIndex } from "../dialects/dialect.ts";
import { StoreError } from "../types/errors.ts";
import type { Resource } from "../types/types.ts";
import { foldSuffix, indexName, layoutOf, type FieldColumns, type Layout } from "./columns.ts";

/** Throws `StoreError` for a field that cannot have an index of trigrams. */
export function trigramIndexOf(resource: Resource, name: string): TrigramIndex {
  const layout = layoutOf(resource);
  const columns = layout.fields.get(name);
  if (columns === undefined) {
    const near = nearest(name, [...layout.fields.keys()]);
    throw new StoreError(
      `${resource.name} has no field "${name}"${near === undefined ? "" : `; the nearest is "${near}"`}`,
    );
  }
  const problem = problemOf(layout, columns);
  if (problem !== null) throw new StoreError(`${resource.name}.${name} ${problem}`);
  return definitionOf(layout, columns);
}

/** All that an operator can add, by field. */
export function trigramIndexesOf(resource: Resource): ReadonlyMap<string, TrigramIndex> {
  const layout = layoutOf(resource);
  const possible = [...layout.fields].filter(([, columns]) => problemOf(layout, columns) === null);
  return new Map(possible.map(([name, columns]) => [name, definitionOf(layout, columns)]));
}

function problemOf({ resource }: Layout, { field, fold, expires }: FieldColumns): string | null {
  if (field.type !== "string") return `is a ${field.type}, and only texts have parts to search for`;
  if (field.values !== undefined) return "has listed values, which filters find without it";
  if (!fold) return "cannot be used in filters";
  if (expires) return "changes when a record expires, and cannot have such an index";
  // Row-level security shows them to tenants that the function of the index cannot tell.
  if (resource.visibility?.sources?.includes("platform") === true) {
    return "belongs to records of the platform, which cannot have such an index";
  }
  return null;
}

function definitionOf(
  { table, valuesTable }: Layout,
  { name, field, column, stem }: FieldColumns,
): TrigramIndex {
  const isArray = field.array === true;
  return {
    name: indexName({ table, name: `${name}__trigrams` }),
    table: isArray ? valuesTable : table,
    folded: isArray ? "coalesce(fold, value)" : `coalesce("${stem}${foldSuffix}", "${column}")`,
    exact: isArray ? "coalesce(long, value)" : `"${column}"`,
    where: isArray ? `field = '${column.replaceAll("'", "''")}'` : null,
  };
}
