import { afterSuffix, foldSuffix, type FieldColumns } from "../rows/columns.ts";
import { eachRow, type Dialect } from "../dialects/dialect.ts";
import { sql, type Sql } from "../dialects/sql.ts";
import { joinConditions } from "../statements/join-conditions.ts";
import {
  atInstant,
  elementField,
  elementsOf,
  elementType,
  elementValue,
  textOf,
  valueOf,
  type RowScope,
} from "../statements/read-values.ts";
import {
  usesTrigrams,
  type ElementsShape,
  type FieldShape,
  type Shape,
  type StartShape,
  type TrigramShape,
} from "../statements/shapes.ts";
import { hasWords, versionsWith } from "../words/words.ts";

/** SQL that is true for exactly the rows that satisfy `shape`. For other rows it is false or null. */
export function whereOf(shape: Shape, scope: RowScope): Sql {
  switch (shape.kind) {
    case "all":
      return scope.dialect.boolean(true);
    case "none":
      return scope.dialect.boolean(false);
    case "live":
      return sql`t.purge_at is null`;
    case "deleted":
      return sql`t.purge_at > ${scope.now}`;
    case "readable":
      return sql`(t.purge_at is null or t.purge_at > ${scope.now})`;
    case "not-replaced":
      return notReplaced(shape, scope);
    case "and":
    case "or": {
      const conditions = shape.operands.map((operand) => whereOf(operand, scope));
      return sql`(${joinConditions(conditions, shape.kind)})`;
    }
    case "not":
      return sql`(${whereOf(shape.operand, scope)}) is not true`;
    case "words":
      return hasWords(shape, scope);
    case "elements":
      return whereOfElements(shape, scope);
    default:
      return whereOfLeaf(shape, scope);
  }
}

/** The SQL of `not-replaced`. It looks up each key twice: in the current versions, and in those replaced since. */
function notReplaced(
  { cid, snapshot }: Extract<Shape, { kind: "not-replaced" }>,
  { layout, dialect }: RowScope,
): Sql {
  const keys = layout.resource.uniqueKey === undefined ? ["id"] : ["id", "unique_key"];
  const atSnapshot = snapshot === null ? sql`` : sql`and o.valid_from <= ${snapshot}`;
  const versions = [
    sql`o.valid_to is null`,
    ...(snapshot === null ? [] : [sql`o.valid_to > ${snapshot}`]),
  ];
  const conditions = keys.flatMap((key) =>
    versions.map((version) =>
      dialect.isAbsent({
        value: sql.id("t", key),
        column: sql.id("o", key),
        rows: sql`${sql.id(layout.table)} as o where o.cid = ${cid} and ${version} ${atSnapshot}`,
      }),
    ),
  );
  return sql.join(conditions, " and ");
}

function whereOfLeaf(shape: FieldShape, scope: RowScope): Sql {
  const { columns } = shape;
  const { dialect } = scope;
  if (columns.field.array === true) {
    return whereOfElements({ kind: "elements", columns, of: [shape] }, scope);
  }
  if (shape.kind === "text") return dialect.contains(textOf(columns, scope), shape.needle);
  if ("fold" in shape && shape.fold === true) {
    return foldedWhere(columns, scope, (value) => comparison(shape, dialect, value));
  }
  const value = valueOf(columns, scope);
  if (shape.kind === "present") return sql`${value} is not null`;
  return comparison(shape, dialect, value);
}

/** Reads the elements of a row once, for any number of conditions. */
function whereOfElements({ columns, of }: ElementsShape, scope: RowScope): Sql {
  const conditions = of.map((shape) => elementWhere(shape, scope));
  return sql`exists (
    select 1 from ${elementsOf(columns, scope)} and (${joinConditions(conditions, "or")}) ${eachRow})`;
}

/** Whether `whereFrom` with further conditions finds rows instead of versions. SQLite would search twice for two columns. */
export const findsRows = ({ engine }: Dialect): boolean => engine === "sqlite";

/**
 * Like `whereOf`, but the engine starts from the elements or the words. For conditions that few records satisfy. `also`:
 * conditions on a version `f`, which are checked before its row is read. See `findsRows`. SQLite starts only from a simple
 * select.
 */
export function whereFrom(shape: StartShape, scope: RowScope, also: readonly Sql[] = []): Sql {
  if (also.length > 0) {
    const found = sql`(${selectVersions(shape, scope)}) as f where ${joinConditions(also, "and")}`;
    return findsRows(scope.dialect)
      ? sql`t.row in (select f.row from ${found})`
      : sql`(t.row, t.valid_from) in (select f.row, f.valid_from from ${found})`;
  }
  if (shape.kind === "or" || usesTrigrams(shape) || shape.kind === "words") {
    return sql`(t.row, t.valid_from) in (select * from (${selectVersions(shape, scope)}) as found)`;
  }
  if (shape.columns.field.array !== true) return whereOf(shape, scope);
  return sql`(t.row, t.valid_from) in (${selectElements(sql`v.row, v.valid_from`, shape, scope)})`;
}

/** Selects `row` and `valid_from` of the tenant's versions that satisfy a condition, some several times. */
export function selectVersions(
  shape: StartShape,
  scope: RowScope,
  most: number | null = null,
): Sql {
  if (shape.kind === "or") {
    const selects = shape.operands.map((each) => selectVersions(each, scope, most));
    return sql`${sql.join(selects, " union all ")}`;
  }
  if (shape.kind === "words") return versionsWith(shape, scope);
  if (usesTrigrams(shape)) return versionsLike(shape.trigrams, scope, most);
  if (shape.columns.field.array === true) {
    return selectElements(sql`v.row, v.valid_from`, shape, scope);
  }
  const rows = sql`select t.row, t.valid_from from ${sql.id(scope.layout.table)} as t
    where t.cid = ${scope.cid} and ${whereOf(shape, scope)}`;
  if (shape.columns.column !== "id") return rows;
  // The index of identifiers has only current versions, and another one the superseded ones.
  return sql`select * from (${rows} and t.valid_to is null
    union all ${rows} and t.valid_to is not null) as either`;
}

/** Selects the versions whose text an index of trigrams finds, at most `most` of them. Null: all. */
export function versionsLike(
  { index, ...pattern }: TrigramShape,
  { dialect, cid }: Pick<RowScope, "dialect" | "cid">,
  most: number | null = null,
): Sql {
  const { trigrams } = dialect;
  if (trigrams === null) throw new RangeError(`${dialect.engine} has no trigrams`);
  return trigrams.versionsLike(index, cid, pattern, most);
}

/** Selects from the tenant's elements that satisfy a condition on their field. */
export function selectElements(selected: Sql, shape: FieldShape, scope: RowScope): Sql {
  const elements = (condition: Sql) => sql`
    select ${selected} from ${sql.id(scope.layout.valuesTable)} as v
    where v.cid = ${scope.cid} and v.field = ${elementField(shape.columns, scope)} and ${condition}`;
  if (shape.kind !== "equal" || shape.short !== true) {
    return elements(elementWhere(shape, scope, "many"));
  }
  // The folded value equals a short one. The two conditions exclude each other, and each has an index. SQLite starts
  // only from a simple select.
  const { value } = shape;
  return sql`select * from (${elements(sql`v.value = ${value} and v.fold is null`)}
    union all ${elements(sql`v.fold = ${value} and v.long is null`)}) as either`;
}

/**
 * `rows`: whether the elements belong to one row. One row has few elements, so they are compared with a list.
 * An index would need a look-up for each value of the list.
 */
export function elementWhere(
  shape: FieldShape,
  { dialect }: RowScope,
  rows: "one" | "many" = "one",
): Sql {
  const { columns } = shape;
  if (shape.kind === "present") return dialect.boolean(true);
  const folded = elementValue(columns, true);
  if (shape.kind === "text")
    return dialect.contains(sql`coalesce(v.text, ${folded})`, shape.needle);
  const isFolded = "fold" in shape && shape.fold === true;
  const value = isFolded ? folded : elementValue(columns, false);
  if (shape.kind === "any-of" && rows === "one") {
    return dialect.isAmong(value, shape.values, elementType(columns));
  }
  if (isFolded) return comparison(shape, dialect, folded);
  const full = columns.field.type === "string" ? sql`coalesce(v.long, v.value)` : value;
  return comparison(shape, dialect, value, full);
}

/** `value`: the value in the form of the index. `full`: with the part that the index does not hold. */
export function comparison(
  shape: Exclude<FieldShape, { kind: "present" | "text" }>,
  dialect: Dialect,
  value: Sql,
  full = value,
): Sql {
  switch (shape.kind) {
    case "equal":
      return sql`${value} = ${shape.value}`;
    case "any-of": {
      const { columns } = shape;
      const type = columns.field.array === true ? elementType(columns) : columns.type;
      return dialect.anyOf(value, shape.values, type);
    }
    case "compare":
      return sql`${full} ${sql.raw(shape.operator)} ${shape.value}`;
    case "range":
      return sql`${value} ${sql.raw(shape.above === true ? ">" : ">=")} ${shape.from} and ${value} ${sql.raw(shape.closed ? "<=" : "<")} ${shape.to}`;
    case "glob": {
      const { range, pattern } = shape;
      const conditions: Sql[] = [];
      if (range !== null)
        conditions.push(sql`${value} >= ${range.from} and ${value} < ${range.to}`);
      if (pattern !== null) conditions.push(dialect.glob(full, pattern));
      return sql.join(conditions, " and ");
    }
  }
}

/** The SQL of a condition that ignores case: two alternatives, each with an index if the field has one. */
function foldedWhere(
  { stem, column, expires }: FieldColumns,
  scope: RowScope,
  compare: (value: Sql) => Sql,
): Sql {
  const folded = (suffix: string) => sql.id("t", `${stem}${foldSuffix}${suffix}`);
  const value = (suffix: string) => sql.id("t", column + suffix);
  if (expires && scope.expired === null) {
    return compare(
      atInstant(scope, expires, (suffix) => sql`coalesce(${folded(suffix)}, ${value(suffix)})`),
    );
  }
  const suffix = expires && scope.expired === true ? afterSuffix : "";
  return sql`((${compare(value(suffix))} and ${folded(suffix)} is null)
    or ${compare(folded(suffix))})`;
}
