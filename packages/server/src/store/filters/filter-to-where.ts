import { sql, type RawBuilder, type SqlBool } from "kysely";
import { after, fold as foldSuffix, type FieldColumns } from "../rows/columns.ts";
import type { ColumnType, Dialect } from "../dialects/dialect.ts";
import { joinConditions } from "../statements/join-conditions.ts";
import type { Parameter } from "../statements/plan-key.ts";
import {
  atInstant,
  columnsFor,
  element,
  elementAlias,
  elementField,
  elementsOf,
  elementType,
  elementValue,
  fullElement,
  textOf,
  valueOf,
  type RowScope,
} from "../statements/read-values.ts";
import type { ElementsShape, FieldShape, Shape } from "../statements/shapes.ts";
import { bind } from "../statements/statements.ts";
import { hasWords } from "../words/words.ts";

type Expression = RawBuilder<unknown>;
type Condition = RawBuilder<SqlBool>;

/** SQL that is true for exactly the rows that satisfy `shape`. For other rows it is false or null. */
export function whereOf(shape: Shape, scope: RowScope): Condition {
  switch (shape.kind) {
    case "all":
      return scope.dialect.boolean(true);
    case "none":
      return scope.dialect.boolean(false);
    case "live":
      return sql`t.purge_at is null`;
    case "deleted":
      return sql`t.purge_at > ${bind(scope.now)}`;
    case "readable":
      return sql`(t.purge_at is null or t.purge_at > ${bind(scope.now)})`;
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

type NotReplaced = Extract<Shape, { kind: "not-replaced" }>;

/**
 * Needs two index look-ups per key: one in the current versions, one in the versions superseded since then.
 */
function notReplaced({ cid, snapshot }: NotReplaced, { layout }: RowScope): Condition {
  const keys = layout.resource.uniqueKey === undefined ? ["id"] : ["id", "unique_key"];
  const seen = snapshot === null ? sql`` : sql`and o.valid_from <= ${bind(snapshot)}`;
  const versions: readonly Condition[] = [
    sql`o.valid_to is null`,
    ...(snapshot === null ? [] : [sql<SqlBool>`o.valid_to > ${bind(snapshot)}`]),
  ];
  const conditions = keys.flatMap((key) =>
    versions.map(
      (version) => sql`not exists (select 1 from ${sql.table(layout.table)} as o
        where o.cid = ${bind(cid)} and o.${sql.ref(key)} = t.${sql.ref(key)}
        and ${version} ${seen} ${eachRow})`,
    ),
  );
  return sql`${sql.join(conditions, sql` and `)}`;
}

function whereOfLeaf(shape: FieldShape, scope: RowScope): Condition {
  const columns = columnsFor(shape.field, scope);
  if (columns.field.array !== true) {
    return shape.kind === "present"
      ? sql`${valueOf(columns, scope)} is not null`
      : compared(shape, columns.type, scope.dialect, {
          value: () => valueOf(columns, scope),
          folded: (compare) => foldedWhere(columns, scope, compare),
          text: () => textOf(columns, scope),
        });
  }
  return whereOfElements({ kind: "elements", field: shape.field, of: [shape] }, scope);
}

/** Reads the elements of a row once, for any number of conditions. */
function whereOfElements({ field, of }: ElementsShape, scope: RowScope): Condition {
  const columns = columnsFor(field, scope);
  const conditions = of.map((shape) => elementWhere(shape, columns, scope));
  return sql`exists (
    select 1 from ${elementsOf(columns, scope)} and (${joinConditions(conditions, "or")}) ${eachRow})`;
}

/**
 * The end of a sub-select for one row. It prevents PostgreSQL from joining the sub-select to all rows: with
 * outdated statistics, such a join compares each row with each row of the other table.
 */
const eachRow = sql`limit 1 offset 0`;

/**
 * Like `exists` over the elements, but the engine starts from the elements. For conditions that few records
 * satisfy.
 */
export function whereFromElements(shape: FieldShape, scope: RowScope): Condition {
  const version = sql`${element("row")}, ${element("valid_from")}`;
  return sql`(t.row, t.valid_from) in (${selectElements(version, shape, scope)})`;
}

/** Selects from the tenant's elements that satisfy a condition on their field. */
export function selectElements(
  selected: Expression,
  shape: FieldShape,
  scope: RowScope,
): Expression {
  const columns = columnsFor(shape.field, scope);
  const conditions =
    shape.kind === "equal" && shape.short === true
      ? foldedAlternatives(shape.value)
      : [elementWhere(shape, columns, scope, "many")];
  const selects = conditions.map(
    (condition) => sql`select ${selected}
      from ${sql.table(scope.layout.valuesTable)} as ${sql.id(elementAlias)}
      where ${element("cid")} = ${bind(scope.cid)}
        and ${element("field")} = ${elementField(columns, scope)} and ${condition}`,
  );
  return sql.join(selects, sql` union all `);
}

/**
 * The folded value of an element equals a short value. The conditions exclude each other, and each has an
 * index.
 */
const foldedAlternatives = (value: Parameter): readonly Condition[] => [
  sql`${element("value")} = ${bind(value)} and ${element("fold")} is null`,
  sql`${element("fold")} = ${bind(value)} and ${element("long")} is null`,
];

/**
 * `rows`: whether the elements belong to one row. One row has few elements, so they are compared with a list.
 * An index would need a look-up for each value of the list.
 */
function elementWhere(
  shape: FieldShape,
  columns: FieldColumns,
  { dialect }: RowScope,
  rows: "one" | "many" = "one",
): Condition {
  if (shape.kind === "present") return dialect.boolean(true);
  const indexed = elementValue(columns, false);
  const value = rows === "one" && shape.kind === "any-of" ? dialect.unindexed(indexed) : indexed;
  const folded = elementValue(columns, true);
  return compared(shape, elementType(columns), dialect, {
    value: () => value,
    full: () => (columns.field.type === "string" ? fullElement : value),
    folded: (compare) => compare(folded),
    text: () => sql`coalesce(${element("text")}, ${folded})`,
  });
}

interface Operands {
  /** The value in the form of the index. */
  readonly value: () => Expression;
  /** Default: the result of `value`. */
  readonly full?: () => Expression;
  readonly folded: (compare: (value: Expression) => Condition) => Condition;
  readonly text: () => Expression;
}

function compared(
  shape: Exclude<FieldShape, { kind: "present" }>,
  type: ColumnType,
  dialect: Dialect,
  of: Operands,
): Condition {
  const read = (compare: (value: Expression) => Condition) =>
    "fold" in shape && shape.fold === true ? of.folded(compare) : compare(of.value());
  const full = of.full ?? of.value;
  switch (shape.kind) {
    case "equal":
      return read((value) => sql`${value} = ${bind(shape.value)}`);
    case "any-of":
      return read((value) => dialect.anyOf(value, bind(shape.values), type));
    case "compare":
      return sql`${full()} ${sql.raw(shape.operator)} ${bind(shape.value)}`;
    case "range":
      return within(of.value(), shape.from, shape.to, shape.closed);
    case "text":
      return dialect.contains(of.text(), bind(shape.needle));
    case "glob":
      return read((value) => {
        const conditions: Condition[] = [];
        if (shape.from !== null && shape.to !== null) {
          conditions.push(within(value, shape.from, shape.to, false));
        }
        if (shape.pattern !== null) {
          conditions.push(dialect.glob(shape.fold ? value : full(), bind(shape.pattern)));
        }
        return sql`${sql.join(conditions, sql` and `)}`;
      });
  }
}

function within(value: Expression, from: Parameter, to: Parameter, closed: boolean): Condition {
  const end = sql.raw(closed ? "<=" : "<");
  return sql`${value} >= ${bind(from)} and ${value} ${end} ${bind(to)}`;
}

/** Two alternatives, each with an index, if the field has one. */
function foldedWhere(
  { stem, column, expires }: FieldColumns,
  scope: RowScope,
  compare: (value: Expression) => Condition,
): Condition {
  const folded = (suffix: string) => sql.id("t", `${stem}${foldSuffix}${suffix}`);
  const value = (suffix: string) => sql.id("t", column + suffix);
  if (expires && scope.expired === null) {
    return compare(
      atInstant(scope, expires, (suffix) => sql`coalesce(${folded(suffix)}, ${value(suffix)})`),
    );
  }
  const suffix = expires && scope.expired === true ? after : "";
  return sql`((${compare(value(suffix))} and ${folded(suffix)} is null)
    or ${compare(folded(suffix))})`;
}
