import type { Field } from "@security-platform/fql";
import type { JsonObject } from "../../requests/request.ts";
import { withQuery } from "../../requests/request.ts";
import { listOf } from "../../target/answer.ts";
import type { Case, Need } from "../case.ts";
import type { CaseContext } from "../case-context.ts";
import { equalValues } from "../compare.ts";
import { compareValues, fieldValues, type Scalar } from "../fields.ts";
import type { Generator } from "../generator.ts";
import { pageSize, idsOf, walkPages } from "../paging.ts";
import { largestLimit, pagedSubject } from "../paged-subject.ts";

/**
 * Sorts by every sortable field in both directions: records are in order, records without a value
 * come last, and each record appears once.
 */
export const sortingLaw: Generator = (operation, { recipes, conformance: { contract } }) => {
  const { resource, inferred } = recipes.of(operation);
  const sort = operation.parameters.find(({ fql }) => fql?.use === "sort");
  if (sort === undefined || operation.paging === "none" || inferred === true) return [];
  const isMade = resource !== null && recipes.resource(resource).lifecycle !== null;
  const needs: readonly Need[] = isMade || resource === null ? [] : [`known ${resource}`];
  const check = isMade ? sorted : sortedAsFound;
  const fields = Object.entries(contract.tables[sort.fql?.resource ?? ""]?.fields ?? {});
  return fields
    .filter(([, field]) => field.sortable === true)
    .map(([name, field]): Case => ({
      operation,
      status: operation.successStatus,
      law: "paging",
      title: `sorted by ${name}, in order and each record once`,
      needs,
      run: async (context) => {
        await check(context, sort.name, name, field, "asc");
        await check(context, sort.name, name, field, "desc");
      },
    }));
};

/**
 * The existing list on the target, if no operation creates its records. Only records with the field
 * count.
 */
async function sortedAsFound(
  context: CaseContext,
  parameter: string,
  name: string,
  field: Field,
  direction: "asc" | "desc",
): Promise<void> {
  const { resource } = context.recipe;
  const subject = await pagedSubject(context);
  const idField = resource === null ? "id" : context.run.recipes.resource(resource).idField;
  const recordsById = new Map(subject.records.map((record) => [String(record[idField]), record]));
  const query = { [parameter]: `${name}.${direction}`, limit: largestLimit(context) };
  const answer = await context.send(withQuery(context.happy(subject), query));
  context.needStatus(answer, context.operation.successStatus);
  const [root = name] = sourceOf(name, field).split(".");
  const values = listOf(answer).flatMap((item) => {
    const record = typeof item === "string" ? recordsById.get(item) : (item as JsonObject);
    return record !== undefined && root in record ? [fieldValues(record, name, field)[0]] : [];
  });
  const isVersion =
    resource !== null && context.run.recipes.resource(resource).versions?.includes(name) === true;
  const order = isVersion ? byNumbersWithin : compareValues;
  const isSorted = isInOrder(values, field, direction, order);
  checkSorted(context, answer, `${name}.${direction}`, values, isSorted);
}

function checkSorted(
  context: CaseContext,
  answer: Parameters<CaseContext["check"]>[0],
  sort: string,
  values: readonly (Scalar | undefined)[],
  isSorted: boolean,
): void {
  const got = values.map((value) => value ?? null);
  context.check(answer, isSorted, `not in the order ${sort}`, { got });
}

async function sorted(
  context: CaseContext,
  parameter: string,
  name: string,
  field: Field,
  direction: "asc" | "desc",
): Promise<void> {
  const { idField } = context.run.recipes.resource(context.recipe.resource ?? "");
  const subject = await pagedSubject(context);
  const parts = withQuery(context.happy(subject), { [parameter]: `${name}.${direction}` });
  const whole = await context.send(parts);
  context.needStatus(whole, context.operation.successStatus);
  const ids = idsOf(context, whole);
  const byId = new Map(subject.records.map((record) => [String(record[idField]), record]));
  const values = ids.map((id) => fieldValues(byId.get(id) ?? ({} as JsonObject), name, field)[0]);
  const isSorted = isInOrder(values, field, direction);
  checkSorted(context, whole, `${name}.${direction}`, values, isSorted);
  if (context.operation.cursorParameter === undefined) return;
  const walk = await walkPages(context, withQuery(parts, { limit: pageSize }), "cursor");
  context.check(whole, equalValues(walk.ids, ids), "the pages are not the whole list", {
    expected: ids,
    got: walk.ids,
  });
}

/** Path of the member that a field is read from. */
function sourceOf(name: string, { derive, path = name }: Field): string {
  if (derive === undefined) return path;
  return "count" in derive ? derive.count : derive.from;
}

/**
 * Missing values are last. The language does not define whether sorting ignores case for fields
 * that ignore case.
 */
function isInOrder(
  values: readonly (Scalar | undefined)[],
  field: Field,
  direction: "asc" | "desc",
  compare: typeof compareValues = compareValues,
): boolean {
  const sign = direction === "asc" ? 1 : -1;
  const byCase = { ...field, case: "sensitive" } as const;
  return [byCase, field].some((order) =>
    values.every((value, index) => {
      const before = values[index - 1];
      if (index === 0 || value === undefined) return true;
      return before !== undefined && sign * compare(before, value, order) <= 0;
    }),
  );
}

const byNumbersWithin = (left: Scalar, right: Scalar): number =>
  String(left).localeCompare(String(right), "en", { numeric: true });
