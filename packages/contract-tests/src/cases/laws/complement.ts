import type { Field } from "@security-platform/fql";
import { withQuery } from "../../requests/request.ts";
import type { Case } from "../case.ts";
import type { CaseContext } from "../case-context.ts";
import { equalValues } from "../compare.ts";
import { compareValues, fieldValues, literal, type Scalar } from "../fields.ts";
import type { Generator } from "../generator.ts";
import { idsOf } from "../paging.ts";
import { pagedSubject } from "../paged-subject.ts";

/**
 * For every filter field, `x:v` selects the records with the value, and `x:!v` exactly the others.
 * For fields that are not members of the record, only the union is checked: it must contain all
 * records.
 */
export const complementLaw: Generator = (operation, { recipes, conformance: { contract } }) => {
  const { resource, effect } = recipes.of(operation);
  const filter = operation.parameters.find(({ fql }) => fql?.use === "filter");
  if (filter === undefined || effect !== "none" || resource === null) return [];
  const isList = operation.paging !== "none" && recipes.resource(resource).lifecycle !== null;
  const filterTable = filter.fql?.resource;
  if (!isList || !recipes.isTableOf(resource, filterTable)) return [];
  const { restless = [] } = recipes.resource(resource);
  const fields = Object.entries(contract.tables[filterTable ?? ""]?.fields ?? {});
  return fields
    .filter(([name, field]) => field.filterable !== false && !restless.includes(name))
    .map(([name, field]): Case => ({
      operation,
      status: operation.successStatus,
      law: "complement",
      title: `${name}:v and ${name}:!v`,
      needs: [],
      run: (context) => complement(context, filter.name, name, field),
    }));
};

async function complement(
  context: CaseContext,
  parameter: string,
  name: string,
  field: Field,
): Promise<void> {
  const { idField, unseen = [] } = context.run.recipes.resource(context.recipe.resource ?? "");
  const { records, ...subject } = await pagedSubject(context);
  const valuesOf = (record: (typeof records)[number]): readonly Scalar[] =>
    fieldValues(record, name, field);
  const value = records.flatMap(valuesOf)[0];
  const has = (record: (typeof records)[number]): boolean =>
    value === undefined
      ? valuesOf(record).length === 0
      : valuesOf(record).some((each) => compareValues(each, value, field) === 0);
  const written = value === undefined ? "null" : literal(value);
  const select = async (condition: string): Promise<readonly string[]> => {
    const parts = context.happy({ ...subject, records });
    const within = String(parts.query[parameter]);
    const answer = await context.send(withQuery(parts, { [parameter]: `${within}+${condition}` }));
    context.needStatus(answer, context.operation.successStatus);
    const got = idsOf(context, answer).toSorted();
    if (unseen.includes(name)) return got;
    const matching = condition.includes(":!")
      ? records.filter((each) => !has(each))
      : records.filter(has);
    const expected = matching.map((record) => String(record[idField])).toSorted();
    context.check(answer, equalValues(got, expected), `${condition} selects other records`, {
      expected,
      got,
    });
    return got;
  };
  const [selected, rest] = [
    await select(`${name}:${written}`),
    await select(`${name}:!${written}`),
  ];
  const all = records.map((record) => String(record[idField])).toSorted();
  const both = [...selected, ...rest].toSorted();
  if (equalValues(both, all)) return;
  const parts = context.happy({ ...subject, records });
  context.fail(await context.send(parts), `${name}:v and ${name}:!v are not all, each once`, {
    expected: all,
    got: both,
  });
}
