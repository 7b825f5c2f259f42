import type { FqlField } from "@security-platform/spec";
import type { JsonObject } from "../../requests/request.ts";
import { withQuery } from "../../requests/request.ts";
import type { Case } from "../case.ts";
import type { CaseContext } from "../case-context.ts";
import { equalValues } from "../compare.ts";
import { compareValues, fieldValues, type Scalar } from "../fields.ts";
import type { Generator } from "../generator.ts";
import { pageSize, idsOf, walkPages } from "../paging.ts";
import { pagedSubject } from "./paging.ts";

/** By every sortable field, in both directions: in order, without a value last, each record once. */
export const sortingLaw: Generator = (operation, { recipes, conformance: { contract } }) => {
  const { resource } = recipes.of(operation);
  const sort = operation.parameters.find(({ fql }) => fql?.use === "sort");
  if (sort === undefined || resource === null || recipes.resource(resource).lifecycle === null)
    return [];
  const fields = Object.entries(contract.tables[sort.fql?.resource ?? ""]?.fields ?? {});
  return fields
    .filter(([, field]) => field.sortable === true && field.array !== true)
    .map(([name, field]): Case => ({
      operation,
      status: operation.successStatus,
      law: "paging",
      title: `sorted by ${name}, in order and each record once`,
      needs: [],
      run: async (context) => {
        await sorted(context, sort.name, name, field, "asc");
        await sorted(context, sort.name, name, field, "desc");
      },
    }));
};

async function sorted(
  context: CaseContext,
  parameter: string,
  name: string,
  field: FqlField,
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
  context.check(
    whole,
    isInOrder(values, field, direction),
    `not in the order ${name}.${direction}`,
    {
      got: values.map((value) => value ?? null),
    },
  );
  if (context.operation.cursorParameter === undefined) return;
  const walk = await walkPages(context, withQuery(parts, { limit: pageSize }), "cursor");
  context.check(whole, equalValues(walk.ids, ids), "the pages are not the whole list", {
    expected: ids,
    got: walk.ids,
  });
}

/** Missing values are last. The language does not say whether the order of a field ignores case, if the field does. */
function isInOrder(
  values: readonly (Scalar | undefined)[],
  field: FqlField,
  direction: "asc" | "desc",
): boolean {
  const sign = direction === "asc" ? 1 : -1;
  const byCase = { ...field, case: "sensitive" } as const;
  return [byCase, field].some((order) =>
    values.every((value, index) => {
      const before = values[index - 1];
      if (index === 0 || value === undefined) return true;
      return before !== undefined && sign * compareValues(before, value, order) <= 0;
    }),
  );
}
