import { sql } from "kysely";
import { branchesOf, branchWhere, scopeOf, type Branch, type BranchQuery } from "./branches.ts";
import { collected } from "../filters/collect-elements.ts";
import { Parameter } from "../statements/plan-key.ts";
import { conjuncts, type Shape, type TestedShape } from "../filters/shape.ts";
import type { TestedColumn } from "../statements/shapes.ts";
import { Template } from "../statements/statements.ts";
import { conditionsOfTest, testedValues } from "../filters/tested-rows.ts";
import type { View } from "./view.ts";

/**
 * Maximum number of rows whose values the engine sends. If there are more, the engine compares the conditions
 * itself.
 */
const mostRows = 10_000;

interface ValuesPlan {
  readonly now: Parameter<string>;
  readonly branch: Branch;
  readonly columns: readonly TestedColumn[];
}

type ValuesRow = readonly [row: number, ...values: unknown[]];

const valuesTemplate = new Template<ValuesPlan, ValuesRow>(({ now, branch, columns }, target) => {
  const scope = scopeOf({ ...target, now }, branch);
  return sql<ValuesRow>`select ${sql.join([sql`t.row`, ...testedValues(columns, scope)])}
    from ${sql.table(target.layout.table)} as t where ${branchWhere(branch, scope)}
    limit ${sql.lit(mostRows + 1)}`;
});

/**
 * The branches of a query. If the engine cannot call the functions that test rows, the functions run here,
 * and the accepted rows replace the tests.
 */
export async function findBranches(
  view: View,
  query: BranchQuery,
  snapshots: readonly number[],
): Promise<readonly Branch[]> {
  const branches = branchesOf(query, view.sources, snapshots);
  if (query.dialect.test !== null) return branches;
  const found: Branch[] = [];
  for (const branch of branches) {
    const conditions: Shape[] = [];
    for (const condition of branch.conditions) {
      const shape = await withRows(condition, branch, view, query);
      conditions.push(...(shape === condition ? [shape] : collected(conjuncts(shape), query)));
    }
    found.push({ ...branch, conditions });
  }
  return found;
}

/** The shape with its tests replaced by the accepted rows. */
async function withRows(
  shape: Shape,
  branch: Branch,
  view: View,
  query: BranchQuery,
): Promise<Shape> {
  if (!hasTest(shape)) return shape;
  switch (shape.kind) {
    case "tested":
      return acceptedRows(shape, branch, view, query);
    case "not":
      return { kind: "not", operand: await withRows(shape.operand, branch, view, query) };
    case "and":
    case "or": {
      const operands: Shape[] = [];
      for (const operand of shape.operands) {
        operands.push(await withRows(operand, branch, view, query));
      }
      return { kind: shape.kind, operands };
    }
    default:
      return shape;
  }
}

function hasTest(shape: Shape): boolean {
  switch (shape.kind) {
    case "tested":
      return true;
    case "and":
    case "or":
      return shape.operands.some(hasTest);
    case "not":
      return hasTest(shape.operand);
    default:
      return false;
  }
}

/** Tests the rows that satisfy the other conditions of the branch. */
async function acceptedRows(
  shape: TestedShape,
  branch: Branch,
  { statements, connection, layout }: View,
  { now }: BranchQuery,
): Promise<Shape> {
  const { columns, test } = shape;
  const others = branch.conditions.filter((condition) => !hasTest(condition));
  const found = await statements.runTuples(connection, valuesTemplate, layout, {
    now,
    branch: { ...branch, conditions: others },
    columns,
  });
  if (found.length > mostRows) return conditionsOfTest(shape);
  const accepted = found.filter(([_row, ...values]) => test.value.accepts(values));
  return { kind: "rows", rows: new Parameter(accepted.map(([row]) => row)) };
}
