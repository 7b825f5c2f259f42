/** For large tenants: conditions that indexes decide, so that no rows are read. */
import { isFieldShape, type FieldShape, type Shape } from "../statements/shapes.ts";
import type { Branch } from "./branches.ts";
import { eachRow } from "../dialects/dialect.ts";
import { sql, type Sql } from "../dialects/sql.ts";
import { foldSuffix } from "../rows/columns.ts";
import { comparison, elementWhere, whereOf } from "../filters/filter-to-where.ts";
import { elementField } from "../statements/read-values.ts";

/** Whether indexes have all that decides the condition. */
export function isInOneIndex(condition: Shape, branch: Branch): condition is FieldShape {
  if (!isFieldShape(condition) || condition.kind === "text") return false;
  const { name, field, expires, type } = condition.columns;
  if (condition.kind === "glob") {
    if (condition.range === null || condition.trigrams !== undefined) return false;
    // The index of elements has only the start of a long text.
    if (condition.pattern !== null && field.array === true) return false;
  }
  if (expires || branch.fields.has(name)) return false;
  if (isFolded(condition) && (field.array === true || !hasFewFolded(condition, branch)))
    return false;
  if (field.array !== true) return branch.layout.indexed.has(name);
  // The index has only the start of a long text, and no numbers.
  return type !== "number" && condition.kind !== "compare" && condition.kind !== "range";
}

type FoldedShape = Extract<FieldShape, { kind: "equal" | "any-of" | "glob" }>;

const foldedShape = (condition: FieldShape): FoldedShape | null =>
  "fold" in condition && condition.fold === true ? condition : null;

const isFolded = (condition: FieldShape): boolean => foldedShape(condition) !== null;

/** Whether the values of the field are stored in lower case, so that hardly any has a separate folded text. */
const hasFewFolded = ({ columns }: FieldShape, { layout }: Branch): boolean =>
  layout.resource.folded?.includes(columns.name) === true;

/** Whether one look at an index tells whether a version satisfies the condition. */
export const isSeenInIndex = (condition: Shape, branch: Branch): condition is FieldShape =>
  isInOneIndex(condition, branch) &&
  !isFolded(condition) &&
  (condition.kind === "equal" || condition.columns.field.array === true);

/** The conditions on records, apart from the one that they are not deleted, if indexes decide all of them. */
export function conditionsInIndexes(branch: Branch): readonly FieldShape[] | null {
  const conditions = branch.conditions.filter(({ kind }) => kind !== "live");
  const isDecided = conditions.every((each) => isInOneIndex(each, branch));
  return isDecided && conditions.length > 0 ? (conditions as readonly FieldShape[]) : null;
}

/** The only condition on records, apart from the one that they are not deleted. */
export function onlyCondition({ conditions }: Branch): Shape | null {
  const [only = null, ...others] = conditions.filter(({ kind }) => kind !== "live");
  return others.length === 0 ? only : null;
}

/** The table with the index of a condition, as `from … where …`. Its alias is `indexAlias`. `rows`: see `elementWhere`. */
function inOneIndex(condition: FieldShape, branch: Branch, rows: "one" | "many"): Sql {
  const { layout, cid } = branch;
  const { columns } = condition;
  if (columns.field.array !== true) {
    return sql`from ${sql.id(layout.table)} as t where t.cid = ${cid} and ${whereOf(condition, branch)}`;
  }
  return sql`from ${sql.id(layout.valuesTable)} as v where v.cid = ${cid}
    and v.field = ${elementField(columns, branch)} and ${elementWhere(condition, branch, rows)}`;
}

type Alias = "t" | "v";

const indexAlias = ({ columns }: FieldShape): Alias => (columns.field.array === true ? "v" : "t");

/**
 * Selects `row` and `valid_from` of the tenant's versions that a condition `isInOneIndex` finds, each once. Only indexes
 * are read. `also`: further conditions on the key of a version.
 */
export function versionsInIndex(
  condition: FieldShape,
  branch: Branch,
  also: (alias: Alias) => Sql,
): Sql {
  const alias = indexAlias(condition);
  const version = sql`${sql.id(alias, "row")} as row, ${sql.id(alias, "valid_from")} as valid_from`;
  const inAnyCase = foldedShape(condition);
  if (inAnyCase === null) {
    // Several elements of one record may satisfy a condition.
    const isOnce = alias === "t" || condition.kind === "equal";
    return sql`select ${isOnce ? sql`` : sql`distinct`} ${version}
      ${inOneIndex(condition, branch, "many")} and ${also(alias)}`;
  }
  const { layout, dialect, cid } = branch;
  const { stem, column } = condition.columns;
  const folded = sql.id("t", `${stem}${foldSuffix}`);
  const matches = (value: Sql) => comparison(inAnyCase, dialect, value);
  const isApart = dialect.notAmong({
    row: sql`t.row`,
    validFrom: sql`t.valid_from`,
    versions: sql`${sql.id(layout.table)} as h
      where h.cid = ${cid} and ${sql.id("h", `${stem}${foldSuffix}`)} is not null`,
  });
  const from = sql`from ${sql.id(layout.table)} as t where t.cid = ${cid}`;
  return sql`select ${version} ${from} and ${matches(sql.id("t", column))} and ${isApart} and ${also("t")}
    union all select ${version} ${from} and ${matches(folded)} and ${also("t")}`;
}

/**
 * Whether a version `f` is one of those that a condition `isInOneIndex` finds. All of them are read once, which is better
 * than a look for each version if they are few.
 */
export function isFound(condition: FieldShape, branch: Branch): Sql {
  const always = () => branch.dialect.boolean(true);
  const isMissing = branch.dialect.notAmong({
    row: sql`f.row`,
    validFrom: sql`f.valid_from`,
    versions: sql`(${versionsInIndex(condition, branch, always)}) as h where ${always()}`,
  });
  return sql`not (${isMissing})`;
}

/**
 * Whether a version `f` satisfies a condition, by one look at its index. SQLite prefers the primary key to it, unless the
 * condition on `valid_from` is a range. For several values, the primary key is better: it has the elements of one row,
 * and the index would need a look for each value.
 */
export function isSeen(condition: FieldShape, branch: Branch): Sql {
  const alias = indexAlias(condition);
  const isVersion =
    condition.kind === "equal" ? sql`between f.valid_from and f.valid_from` : sql`= f.valid_from`;
  return sql`exists (select 1 ${inOneIndex(condition, branch, "one")} and ${sql.id(alias, "row")} = f.row
    and ${sql.id(alias, "valid_from")} ${isVersion} ${eachRow})`;
}
